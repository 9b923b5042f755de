// Python's dictionaries and sets: keys are equal where the values are.
import { KeyError_ } from "./errors.js";
import { Kw } from "./kw.js";
import { keyOf } from "./values.js";

export class Dict {
  constructor(entries = []) {
    this.map = new Map();
    for (const [key, value] of entries) this.set(key, value);
  }

  set(key, value) {
    const own = keyOf(key);
    const known = this.map.get(own);
    if (known === undefined) this.map.set(own, [key, value]);
    else known[1] = value;
  }

  has(key) {
    return this.map.has(keyOf(key));
  }

  find(key) {
    const known = this.map.get(keyOf(key));
    if (known === undefined) throw new KeyError_(String(key));
    return known[1];
  }

  delete(key) {
    this.map.delete(keyOf(key));
  }

  get(key, otherwise = null) {
    const known = this.map.get(keyOf(key));
    return known === undefined ? otherwise : known[1];
  }

  setdefault(key, otherwise = null) {
    if (!this.has(key)) this.set(key, otherwise);
    return this.find(key);
  }

  pop(key, otherwise) {
    const found = this.map.get(keyOf(key));
    if (found === undefined && otherwise === undefined) throw new KeyError_(String(key));
    this.delete(key);
    return found === undefined ? otherwise : found[1];
  }

  update(other) {
    for (const [key, value] of items(other)) this.set(key, value);
  }

  keys() {
    return Array.from(this.map.values(), ([key]) => key);
  }

  values() {
    return Array.from(this.map.values(), ([, value]) => value);
  }

  items() {
    return Array.from(this.map.values(), ([key, value]) => [key, value]);
  }

  get length() {
    return this.map.size;
  }

  *[Symbol.iterator]() {
    for (const [key] of this.map.values()) yield key;
  }
}

export class PySet {
  constructor(values = []) {
    this.map = new Map();
    for (const value of values) this.add(value);
  }

  add(value) {
    const own = keyOf(value);
    if (!this.map.has(own)) this.map.set(own, value);
  }

  has(value) {
    return this.map.has(keyOf(value));
  }

  update(others) {
    for (const value of others) this.add(value);
  }

  pop() {
    const [[own, value]] = this.map;
    this.map.delete(own);
    return value;
  }

  union(...others) {
    return new PySet([...this, ...others.flatMap((other) => [...other])]);
  }

  intersection(other) {
    const kept = new PySet(other);
    return new PySet([...this].filter((value) => kept.has(value)));
  }

  difference(other) {
    const gone = new PySet(other);
    return new PySet([...this].filter((value) => !gone.has(value)));
  }

  issubset(other) {
    return this.difference(other).length === 0;
  }

  get length() {
    return this.map.size;
  }

  $key() {
    return `\u0001{${[...this.map.keys()].sort().join("\u0002")}}`;
  }

  [Symbol.iterator]() {
    return this.map.values();
  }
}

/** The pairs of a mapping, or of pairs. */
export function items(given) {
  if (given instanceof Dict) return given.items();
  if (given instanceof Kw) return Object.entries(given);
  return [...given];
}

/** A dictionary of pairs or of another, with what is named besides. */
export function dict(given = [], named = null) {
  if (given instanceof Kw) return new Dict(items(given));
  const found = new Dict(items(given));
  if (named !== null) found.update(named);
  return found;
}

export function set_(values = []) {
  return new PySet(values);
}

/** A mapping as a plain object, for arguments by name. */
export function object(given) {
  return Object.fromEntries(items(given));
}

export const dict_ = Object.assign(dict, {
  fromkeys: (keys, value = null) => new Dict([...keys].map((key) => [key, value])),
});
export const frozenset_ = set_;
