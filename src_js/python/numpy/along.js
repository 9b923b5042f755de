// Going along an axis: how an array looks as outer x n x inner, and what stands there afterwards.
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { transpose } from "./shapes.js";
import { count, lone, operand } from "./storage.js";
import { placed } from "./ufunc.js";

export function axisOf(axis, ndim) {
  const found = axis < 0 ? Number(axis) + ndim : Number(axis);
  if (!(found >= 0 && found < ndim)) {
    throw valueError(`axis ${axis} is out of bounds for array of dimension ${ndim}`);
  }
  return found;
}

/** The array with the axes (one, some, or with null all) as one, and shapes without them. */
export function frame(a, axis) {
  if (axis === null) {
    const kept = new Array(a.shape.length).fill(1);
    return { data: a.data, kind: a.kind, outer: 1, n: a.size, inner: 1, shape: [], kept };
  }
  if (axis instanceof Array) return severalAxes(a, axis);
  const at = axisOf(axis, a.shape.length);
  const outer = count(a.shape.slice(0, at));
  const inner = count(a.shape.slice(at + 1));
  const shape = a.shape.slice();
  shape.splice(at, 1);
  const kept = a.shape.slice();
  kept[at] = 1;
  return { data: a.data, kind: a.kind, outer, n: a.shape[at], inner, shape, kept };
}

function severalAxes(a, axes) {
  const gone = axes.map((axis) => axisOf(axis, a.shape.length));
  const stay = a.shape.map((_, axis) => axis).filter((axis) => !gone.includes(axis));
  const moved = transpose(a, [...stay, ...gone.sort((x, y) => x - y)]);
  const shape = stay.map((axis) => a.shape[axis]);
  const kept = a.shape.map((m, axis) => (gone.includes(axis) ? 1 : m));
  const outer = count(shape);
  const n = count(gone.map((axis) => a.shape[axis]));
  return { data: moved.data, kind: a.kind, outer, n, inner: 1, shape, kept };
}

/** What a reduction gives: data in the frame's shape, a plain value, or all of it in `out`. */
export function reduced(data, kind, framed, { keepdims = false, out = null } = {}) {
  const found = new NDArray(data, keepdims ? framed.kept : framed.shape, kind);
  return out === null ? lone(found) : placed(found, out, true);
}

/** The argument as an array of numbers; of lists too. */
export const numeric = (a) => {
  const x = operand(a);
  return x.kind === "O" ? x.astype("f") : x;
};
