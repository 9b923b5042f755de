// Calls of what is only known when the program runs.
import { Kw } from "./kw.js";
import { sorted_ } from "./builtins.js";
import { Dict, items } from "./mappings.js";
import * as text from "./text.js";

const LISTS = {
  append: (list, value) => void list.push(value),
  extend: (list, values) => void list.push(...values),
  insert: (list, at, value) => void list.splice(at < 0 ? list.length + at : at, 0, value),
  pop: (list, at = -1) => list.splice(at, 1)[0],
  remove: (list, value) => void list.splice(list.indexOf(value), 1),
  index: (list, value) => list.indexOf(value),
  count: (list, value) => list.filter((one) => one === value).length,
  reverse: (list) => void list.reverse(),
  copy: (list) => [...list],
  clear: (list) => void list.splice(0),
  sort: (list, ...given) => void sorted_(list, ...given).forEach((one, k) => (list[k] = one)),
};

/** A method of a list, of a string, or of another value that has one of that name. */
export function method(value, name, ...given) {
  if (typeof value === "string") {
    if (name === "join") return given[0] instanceof Array ? given[0].join(value) : [...given[0]].join(value);
    return text[name](value, ...given);
  }
  if (Array.isArray(value)) return LISTS[name](value, ...given) ?? null;
  return value[name](...given);
}

const isClass = (f) => Object.prototype.hasOwnProperty.call(f, "$name") && f.prototype !== undefined;

/** Calls a function, makes a value of a class, or asks a value that can be called. */
export function call(f, ...given) {
  if (typeof f !== "function") return f.__call__(...given);
  return isClass(f) ? new f(...given) : f(...given);
}

/** The same with arguments by name. */
export function called(f, given, named) {
  if (named.length === 0) return call(f, ...given);
  const names = typeof f === "function" ? f.$params : f.constructor.$sig?.__call__;
  if (names === undefined) return call(f, ...given, new Kw(Object.fromEntries(items(named))));
  return call(f, ...places(names, given, named));
}

/** A method by name: of its own class, or of those that know arguments by name as one object. */
export function invoke(value, name, given, named) {
  const own = value[name];
  if (named.length === 0) return typeof own === "function" ? value[name](...given) : call(own, ...given);
  const names = signature(value, name);
  if (names !== undefined) return value[name](...places(names, given, named));
  if (own?.$params || typeof own !== "function") return called(own, given, named);
  return value[name](...given, new Kw(Object.fromEntries(items(named))));
}

function signature(value, name) {
  if (typeof value === "function") return value.$sig?.[name];
  return value.constructor?.$sig?.[name];
}

/** Arguments in the places of parameters; a last one without a name gathers all other names. */
export function places(names, given, named) {
  const found = [...given];
  const beside = [];
  for (const [name, value] of items(named)) {
    const k = names.indexOf(name);
    if (k >= 0) found[k] = value;
    else beside.push([name, value]);
  }
  if (beside.length > 0) {
    if (names[names.length - 1] !== null) throw new Error(`no argument ${beside[0][0]}`);
    found[names.length - 1] = new Dict(beside);
  }
  return Array.from(found);
}

/** Tells a function the names of its parameters. */
export function named(names, f) {
  f.$params = names;
  return f;
}

/** A part of a value; a method stays that of the value. */
export function attr(value, name) {
  const own = value[name];
  if (typeof own !== "function" || Object.prototype.hasOwnProperty.call(value, name)) return own;
  if (typeof value === "function" && isClass(own)) return own;
  const bound = (...given) => own.apply(value, given);
  const names = signature(value, name);
  if (names !== undefined) bound.$params = names;
  bound.$of = value;
  bound.$name_of = name;
  return bound;
}

export function partial(f, ...given) {
  const [first, known] = parted(given);
  return (...others) => {
    const [more, besides] = parted(others);
    const names = Object.entries({ ...known, ...besides });
    return called(f, [...first, ...more], new Dict(names));
  };
}

/** Arguments without those that are named, and these. */
export function parted(given) {
  const last = given[given.length - 1];
  return last instanceof Kw ? [given.slice(0, -1), last] : [given, {}];
}

/** What a function finds, kept by its arguments. */
export function memo(f) {
  const known = new Dict();
  return (...given) => {
    if (!known.has(given)) known.set(given, f(...given));
    return known.find(given);
  };
}
