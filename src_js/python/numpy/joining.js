// Arrays put together.
import { axisOf } from "./along.js";
import { NDArray } from "./array.js";
import { indexError, valueError } from "./errors.js";
import { Kw } from "../kw.js";
import { getitem } from "./indexing.js";
import { cast } from "./making.js";
import { named } from "./named.js";
import * as shapes from "./shapes.js";
import { alongAxis, Slice } from "./slices.js";
import { copyInto, count, fresh, operand, piled, promote, sameShape, storage } from "./storage.js";
import { placed } from "./ufunc.js";

/** The parts of a list, or of an array its rows. */
const partsOf = (arrays) => Array.from(arrays, operand);

export function concatenate(...args) {
  const { arrays, axis = 0, out = null, dtype = null } = named(args, ["arrays", "axis", "out"]);
  let parts = partsOf(arrays);
  if (parts.length === 0) throw valueError("need at least one array to concatenate");
  if (parts.some((part) => part.ndim === 0)) {
    throw valueError("zero-dimensional arrays cannot be concatenated");
  }
  if (axis === null) parts = parts.map(shapes.ravel);
  const at = axisOf(axis ?? 0, parts[0].ndim);
  const shape = parts[0].shape.slice();
  for (const part of parts.slice(1)) {
    if (!part.shape.every((n, k) => k === at || n === shape[k]) || part.ndim !== shape.length) {
      throw valueError(
        "all the input array dimensions except for the concatenation axis must match exactly",
      );
    }
    shape[at] += part.shape[at];
  }
  const found = at === 0 ? piled(parts, shape) : besides(parts, shape, at);
  const made = dtype === null ? found : cast(found, dtype, false);
  return out === null ? made : placed(made, out, true);
}

function besides(parts, shape, at) {
  const kind = parts.map((part) => part.kind).reduce(promote);
  const found = fresh(kind, shape);
  const outer = count(shape.slice(0, at));
  const wide = count(shape.slice(at));
  let start = 0;
  for (const part of parts) {
    const data = storage(kind, part.size);
    copyInto(data, 0, part, kind);
    const m = count(part.shape.slice(at));
    for (let row = 0; row < outer; row++) {
      for (let k = 0; k < m; k++) found.data[row * wide + start + k] = data[row * m + k];
    }
    start += m;
  }
  return found;
}

export function stack(...args) {
  const { arrays, axis = 0, out = null } = named(args, ["arrays", "axis", "out"]);
  const parts = partsOf(arrays);
  if (parts.length === 0) throw valueError("need at least one array to stack");
  const { shape } = parts[0];
  if (!parts.every((part) => sameShape(part.shape, shape))) {
    throw valueError("all input arrays must have the same shape");
  }
  const at = axisOf(axis, shape.length + 1);
  const wide = [...shape.slice(0, at), 1, ...shape.slice(at)];
  const found = parts.map((part) => shapes.reshape(part, wide));
  return concatenate(found, at, out);
}

export const vstack = (arrays) =>
  concatenate(
    partsOf(arrays).map((part) => shapes.atleast_2d(part)),
    0,
  );

export function hstack(arrays) {
  const parts = partsOf(arrays).map((part) => shapes.atleast_1d(part));
  return concatenate(parts, parts[0].ndim === 1 ? 0 : 1);
}

export const column_stack = (arrays) =>
  concatenate(
    partsOf(arrays).map((part) => (part.ndim < 2 ? shapes.reshape(part, [part.size, 1]) : part)),
    1,
  );

export function append(a, values, ...args) {
  const { axis = null } = named(args, ["axis"]);
  if (axis === null) return piledFlat(operand(a), operand(values));
  return concatenate([a, values], axis);
}

const piledFlat = (one, two) => piled([one, two], [one.size + two.size]);

export function insert(a, ...args) {
  const { obj, values, axis = null } = named(args, ["obj", "values", "axis"]);
  const x = operand(a);
  const of = axis === null ? shapes.ravel(x) : x;
  const at = axis === null ? 0 : axisOf(axis, of.ndim);
  const n = of.shape[at];
  const asked = operand(obj);
  const places = Array.from(asked.data, (k) => (k < 0 ? k + n : k));
  if (places.some((k) => k < 0 || k > n)) throw indexError("index is out of bounds");
  let given = operand(values);
  if (asked.ndim === 0 && given.ndim === of.ndim && of.ndim === 1) {
    while (places.length < given.size) places.push(places[0]);
  } else if (asked.ndim === 0 && given.ndim === of.ndim - 1 && given.ndim > 0) {
    given = shapes.expand_dims(given, at);
  }
  const shape = of.shape.slice();
  shape[at] = places.length;
  const both = concatenate([of, cast(shapes.broadcast_to(given, shape), of.kind, false)], at);
  const keys = places.map((k, number) => [k, number]).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const order = fresh("i", [n + places.length]);
  let to = 0;
  let next = 0;
  for (let k = 0; k <= n; k++) {
    for (; next < keys.length && keys[next][0] === k; next++) order.data[to++] = n + keys[next][1];
    if (k < n) order.data[to++] = k;
  }
  return getitem(both, alongAxis(at, order));
}

export function tile(a, ...args) {
  const { reps } = named(args, ["reps"]);
  const x = operand(a);
  const times = shapes.shapeOf(reps).map(Number);
  const ndim = Math.max(x.ndim, times.length);
  const shape = [...new Array(ndim - x.ndim).fill(1), ...x.shape];
  const many = [...new Array(ndim - times.length).fill(1), ...times];
  const wide = shape.flatMap((n) => [1, n]);
  const all = shape.flatMap((n, k) => [many[k], n]);
  return shapes.reshape(
    shapes.broadcast_to(shapes.reshape(x, wide), all),
    shape.map((n, k) => n * many[k]),
  );
}

export function pad(a, ...args) {
  const { pad_width: width, mode = "constant", constant_values: values = 0 } = named(args, [
    "pad_width",
    "mode",
  ]);
  if (mode !== "constant" && mode !== "edge") throw valueError(`mode '${mode}' is not supported`);
  let found = operand(a);
  const { ndim } = found;
  const widths = shapes.broadcast_to(operand(width), [ndim, 2]);
  const ends = shapes.broadcast_to(operand(values), [ndim, 2]);
  for (let axis = 0; axis < ndim; axis++) {
    const side = (k) => {
      const shape = found.shape.slice();
      shape[axis] = widths.data[2 * axis + k];
      if (mode === "constant") {
        const value = new NDArray([ends.at(2 * axis + k)], [], "O");
        return cast(shapes.broadcast_to(value, shape), found.kind, false);
      }
      const part = k === 0 ? new Slice(0, 1) : new Slice(-1, null);
      return shapes.broadcast_to(getitem(found, alongAxis(axis, part)), shape);
    };
    found = concatenate([side(0), found, side(1)], axis);
  }
  return found;
}

export function meshgrid(...args) {
  const lists = args.filter((arg) => !(arg instanceof Kw));
  const kw = lists.length < args.length ? args[args.length - 1] : {};
  const parts = lists.map((list) => shapes.ravel(list));
  const swap = (kw.indexing ?? "xy") === "xy" && parts.length > 1;
  const place = (k) => (swap && k < 2 ? 1 - k : k);
  const shape = new Array(parts.length);
  parts.forEach((part, k) => (shape[place(k)] = part.size));
  return parts.map((part, k) => {
    const own = new Array(parts.length).fill(1);
    own[place(k)] = part.size;
    return shapes.broadcast_to(shapes.reshape(part, own), kw.sparse ? own : shape);
  });
}
