// Sorting, and the order that sorts. Ties stay in their order; a NaN comes last.
import { axisOf, frame } from "./along.js";
import { NDArray } from "./array.js";
import { getitem } from "./indexing.js";
import { named } from "./named.js";
import { ravel } from "./shapes.js";
import { operand, storage } from "./storage.js";
import { settle } from "./views.js";

export function sort(a, ...args) {
  const { axis = -1 } = named(args, ["axis", "kind"]);
  const x = operand(a);
  const found = axis === null ? ravel(x).copy() : x.copy();
  sortInPlace(found, axis ?? 0);
  return found;
}

export function sortInPlace(a, ...args) {
  const { axis = -1 } = named(args, ["axis", "kind"]);
  const { data, outer, n, inner } = frame(a, axisOf(axis, a.ndim));
  if (inner === 1 && outer === 1) {
    ascend(data);
  } else {
    const line = storage(a.kind, n);
    for (let row = 0; row < outer; row++) {
      for (let column = 0; column < inner; column++) {
        const from = row * n * inner + column;
        for (let k = 0; k < n; k++) line[k] = data[from + k * inner];
        ascend(line);
        for (let k = 0; k < n; k++) data[from + k * inner] = line[k];
      }
    }
  }
  settle(a);
  return null;
}

function ascend(line) {
  if (ArrayBuffer.isView(line)) line.sort();
  else line.sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
}

export function argsort(a, ...args) {
  const { axis = -1 } = named(args, ["axis"]);
  const x = operand(a);
  if (axis === null) return argsort(ravel(x), 0);
  if (x.ndim === 0) return new NDArray(new Float64Array(1), [1], "i");
  const { data, outer, n, inner } = frame(x, axis);
  const found = new Float64Array(x.size);
  if (outer === 1 && inner === 1) {
    found.set(order(data));
    return new NDArray(found, x.shape.slice(), "i");
  }
  const line = storage(x.kind, n);
  for (let row = 0; row < outer; row++) {
    for (let column = 0; column < inner; column++) {
      const from = row * n * inner + column;
      for (let k = 0; k < n; k++) line[k] = data[from + k * inner];
      const places = order(line);
      for (let k = 0; k < n; k++) found[from + k * inner] = places[k];
    }
  }
  return new NDArray(found, x.shape.slice(), "i");
}

// From here on going by digits is faster than comparing.
const MANY = 256;

/** The places of values in ascending order. */
export function order(values) {
  const n = values.length;
  if (values instanceof Float64Array && n >= MANY) return byDigits(values);
  const places = new Uint32Array(n);
  for (let k = 0; k < n; k++) places[k] = k;
  if (ascends(values)) return places;
  return places.sort((p, q) => {
    const x = values[p];
    const y = values[q];
    if (x < y) return -1;
    if (x > y) return 1;
    // Where neither is less, a NaN is among them or they tie.
    return x === y ? p - q : (x !== x) - (y !== y) || p - q;
  });
}

function ascends(values) {
  for (let k = 1; k < values.length; k++) if (!(values[k - 1] <= values[k])) return false;
  return true;
}

const DIGIT = 11;
const SHIFTS = [0, DIGIT, 2 * DIGIT];

/** By some bits at a time, from the last ones on, of integers in the order of the floats. */
function byDigits(values) {
  const n = values.length;
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  const one = new Float64Array(1);
  const words = new Uint32Array(one.buffer);
  for (let k = 0; k < n; k++) {
    // The zero below zero ties with zero.
    one[0] = values[k] + 0;
    if (values[k] !== values[k]) {
      high[k] = low[k] = 0xffffffff;
    } else if (words[1] >>> 31) {
      low[k] = ~words[0];
      high[k] = ~words[1];
    } else {
      low[k] = words[0];
      high[k] = words[1] | 0x80000000;
    }
  }
  let places = new Uint32Array(n);
  let next = new Uint32Array(n);
  for (let k = 0; k < n; k++) places[k] = k;
  const digits = 1 << DIGIT;
  const mask = digits - 1;
  const starts = new Uint32Array(digits + 1);
  for (const keys of [low, high]) {
    for (const shift of SHIFTS) {
      starts.fill(0);
      for (let k = 0; k < n; k++) starts[((keys[k] >>> shift) & mask) + 1] += 1;
      if (starts[((keys[0] >>> shift) & mask) + 1] === n) continue;
      for (let d = 0; d < digits; d++) starts[d + 1] += starts[d];
      for (let k = 0; k < n; k++) {
        const at = places[k];
        next[starts[(keys[at] >>> shift) & mask]++] = at;
      }
      [places, next] = [next, places];
    }
  }
  return places;
}

/** Values ascending, and the order that they are so in. */
export function sort_with_order(a) {
  const found = argsort(a);
  return [getitem(operand(a), found), found];
}

/** The order by several keys, the last of them first. */
export function lexsort(keys) {
  const rows = Array.from(keys, operand);
  let places = null;
  for (const { data } of rows) {
    if (places === null) {
      places = order(data);
      continue;
    }
    const { constructor } = data;
    const line = ArrayBuffer.isView(data) ? new constructor(data.length) : new Array(data.length);
    for (let k = 0; k < line.length; k++) line[k] = data[places[k]];
    const then = order(line);
    const found = new Uint32Array(then.length);
    for (let k = 0; k < then.length; k++) found[k] = places[then[k]];
    places = found;
  }
  return new NDArray(Float64Array.from(places), [places.length], "i");
}
