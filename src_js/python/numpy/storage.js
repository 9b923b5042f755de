// Where elements are kept, and how a value becomes one.
import { NDArray } from "./array.js";
import { typeError, valueError } from "./errors.js";

export function storage(kind, n) {
  if (kind === "f" || kind === "i") return new Float64Array(n);
  if (kind === "b") return new Uint8Array(n);
  return new Array(n).fill(kind === "U" ? "" : null);
}

export const fresh = (kind, shape) => new NDArray(storage(kind, count(shape)), shape, kind);

export function count(shape) {
  let n = 1;
  for (const m of shape) n *= m;
  return n;
}

/** What a lone value would be the element of; Python's 1.0 is not told from 1. */
export function kindOfValue(value) {
  if (typeof value === "number") {
    return Number.isInteger(value) && !Object.is(value, -0) ? "i" : "f";
  }
  return typeof value === "boolean" ? "b" : typeof value === "string" ? "U" : "O";
}

export function promote(one, two) {
  if (one === two) return one;
  if (one === "O" || two === "O") return "O";
  if (one === "U" || two === "U") return "U";
  if (one === "f" || two === "f") return "f";
  return "i";
}

/** An operand: an array as it is, anything else as a new one. */
export function operand(x) {
  if (x instanceof NDArray) return x;
  if (typeof x === "number") {
    const data = new Float64Array(1);
    data[0] = x;
    return new NDArray(data, [], kindOfValue(x));
  }
  if (typeof x === "boolean") {
    const data = new Uint8Array(1);
    data[0] = x ? 1 : 0;
    return new NDArray(data, [], "b");
  }
  return gathered(x);
}

function gathered(x) {
  if (ArrayBuffer.isView(x)) return new NDArray(Float64Array.from(x), [x.length], "f");
  if (typeof x === "string") return new NDArray([x], [], "U");
  if (x === null || typeof x !== "object" || typeof x[Symbol.iterator] !== "function") {
    return new NDArray([x], [], "O");
  }
  const items = Array.isArray(x) ? x : Array.from(x);
  if (items.length === 0) return new NDArray(new Float64Array(0), [0], "f");
  if (items.every(isLone)) return ofLone(items);
  const parts = items.map(operand);
  const { shape } = parts[0];
  if (!parts.every((part) => sameShape(part.shape, shape))) {
    throw valueError("setting an array element with a sequence: the shape is inhomogeneous");
  }
  return piled(parts, [items.length, ...shape]);
}

const isLone = (x) => x === null || typeof x !== "object";

function ofLone(items) {
  let kind = kindOfValue(items[0]);
  for (const item of items) kind = promote(kind, kindOfValue(item));
  const data = storage(kind, items.length);
  for (let k = 0; k < items.length; k++) data[k] = converted(items[k], kind);
  return new NDArray(data, [items.length], kind);
}

/** Arrays of one size after each other. */
export function piled(parts, shape) {
  const kind = parts.map((part) => part.kind).reduce(promote);
  const data = storage(kind, count(shape));
  let at = 0;
  for (const part of parts) {
    copyInto(data, at, part, kind);
    at += part.size;
  }
  return new NDArray(data, shape, kind);
}

/** All of an array into storage of a kind, from a place on. */
export function copyInto(data, at, from, kind) {
  if (from.kind === kind || "fi".includes(kind) && "fib".includes(from.kind)) {
    if (ArrayBuffer.isView(data)) data.set(from.data, at);
    else for (let k = 0; k < from.size; k++) data[at + k] = from.data[k];
  } else {
    for (let k = 0; k < from.size; k++) data[at + k] = converted(from.at(k), kind);
  }
}

export function converted(value, kind) {
  if (kind === "f" || kind === "i") {
    if (typeof value === "number") return value;
    if (value === null && kind === "f") return NaN;
    if (typeof value === "string") return numberOf(value);
    if (typeof value === "boolean") return Number(value);
    if (value instanceof NDArray && value.size === 1) return converted(value.at(0), kind);
    const found = typeof value === "object" && value !== null ? value.valueOf() : value;
    if (typeof found === "number") return found;
    throw typeError("float() argument must be a string or a real number");
  }
  if (kind === "b") return value ? 1 : 0;
  return kind === "U" ? text(value) : value;
}

function numberOf(value) {
  const found = NAMED[value.trim().toLowerCase()] ?? Number(value);
  if (Number.isNaN(found) && !/^\s*[+-]?nan\s*$/i.test(value) || value.trim() === "") {
    throw valueError(`could not convert string to float: '${value}'`);
  }
  return found;
}

const NAMED = { inf: Infinity, "+inf": Infinity, "-inf": -Infinity, infinity: Infinity, nan: NaN };

function text(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : String(value);
}

/** A value as an element of an array, which takes fractions from then on if it is one. */
export function stored(array, value) {
  if (array.kind === "i" && typeof value === "number" && !Number.isInteger(value)) admit(array);
  return converted(value instanceof NDArray ? value.at(0) : value, array.kind);
}

// A list of 1.0 is not told from one of 1: neither it nor what it is seen in may cut a fraction.
export function admit(array) {
  for (let a = array; a !== null && a.kind === "i"; a = a.base) a.kind = "f";
}

export function sameShape(one, two) {
  if (one.length !== two.length) return false;
  for (let axis = 0; axis < one.length; axis++) if (one[axis] !== two[axis]) return false;
  return true;
}

/** An array of no dimension as its element, any other as it is. */
export const lone = (array) => (array.shape.length === 0 ? array.at(0) : array);
