// Values of JSON as translated code takes and gives them.
import { Dict, dict } from "../python/mappings.js";
import { NDArray } from "../python/numpy.js";

/** A value of JSON as Python's. */
export function given(value) {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== "object" || value === null) return value;
  return dict(Object.entries(value).map(([name, part]) => [name, given(part)]));
}

/** A value of Python's as one of JSON. */
export function plain(value) {
  if (value instanceof Dict) {
    return Object.fromEntries(value.items().map(([name, part]) => [name, plain(part)]));
  }
  if (value instanceof NDArray) return plain(value.tolist());
  return Array.isArray(value) ? value.map(plain) : value;
}
