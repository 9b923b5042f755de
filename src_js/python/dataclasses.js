// What Python's dataclasses do with values.
import { places } from "./calling.js";
import { Dict, items } from "./mappings.js";
import { NDArray } from "./numpy.js";
import { repr } from "./text.js";
import { Value } from "./values.js";

const BRIEF = 60;

/** The same value with other parts. */
export function replace(value, named) {
  const kind = value.constructor;
  const others = new Dict(items(named));
  const names = kind.$params;
  const given = names.map((name) => (others.has(name) ? others.find(name) : value[name]));
  return new kind(...places(names, given, new Dict()));
}

export function asdict(value) {
  if (Array.isArray(value)) return value.map(asdict);
  if (value instanceof Dict) return new Dict(value.items().map(([k, v]) => [k, asdict(v)]));
  if (!(value instanceof Value) || !value.constructor.$fields) return value;
  return new Dict(value.constructor.$fields.map((name) => [name, asdict(value[name])]));
}

export function fields(value) {
  const kind = typeof value === "function" ? value : value.constructor;
  return kind.$fields.map((name) => ({ name }));
}

export function name_of(value) {
  if (typeof value === "function") return value.$name ?? value.name;
  return value.constructor.$name ?? value.constructor.name;
}

/** A value as one line of an error message shows it. */
export function brief(value) {
  const whole = repr(value instanceof NDArray ? value.tolist() : value);
  const signs = Array.from(whole.trim().split(/\s+/).join(" "));
  return signs.length <= BRIEF ? signs.join("") : `${signs.slice(0, BRIEF).join("")}...`;
}
