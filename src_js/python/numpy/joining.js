// Arrays put together.
import { axisOf } from "./along.js";
import { valueError } from "./errors.js";
import { Kw } from "../kw.js";
import { cast } from "./making.js";
import { named } from "./named.js";
import * as shapes from "./shapes.js";
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

export function append(a, values, ...args) {
  const { axis = null } = named(args, ["axis"]);
  if (axis === null) return piledFlat(operand(a), operand(values));
  return concatenate([a, values], axis);
}

const piledFlat = (one, two) => piled([one, two], [one.size + two.size]);

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
