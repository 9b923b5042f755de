// Parts of an array with even steps between elements: shared where contiguous, else copied with a
// note of where they came from, by which what is written to the copy is brought back.
import { NDArray } from "./array.js";
import { count, storage } from "./storage.js";

/** The steps, in elements, between neighbours along each axis. */
export function strides(shape) {
  const steps = new Array(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    steps[axis] = step;
    step *= shape[axis];
  }
  return steps;
}

export function strided(a, offset, shape, steps) {
  const n = count(shape);
  if (ArrayBuffer.isView(a.data) && contiguous(shape, steps)) {
    const data = a.data.subarray(n ? offset : 0, n ? offset + n : 0);
    return new NDArray(data, shape, a.kind, { base: a, offset: null, steps });
  }
  const data = storage(a.kind, n);
  if (n > 0) copy(a.data, data, offset, shape, steps, false);
  return new NDArray(data, shape, a.kind, { base: a, offset, steps });
}

function contiguous(shape, steps) {
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && steps[axis] !== step) return false;
    step *= shape[axis];
  }
  return true;
}

/** Copies what a view shows, row by row, or with `back` what stands so to where it is shown. */
function copy(from, to, offset, shape, steps, back) {
  const last = shape.length - 1;
  const n = last < 0 ? 1 : shape[last];
  const step = last < 0 ? 1 : steps[last];
  const rows = last < 1 ? 1 : shape[last - 1];
  const stride = last < 1 ? 0 : steps[last - 1];
  const outer = shape.slice(0, Math.max(last - 1, 0));
  let k = 0;
  walk(offset, [...outer, 1], [...steps.slice(0, outer.length), 0], (start) => {
    for (let row = 0; row < rows; row++) {
      let at = start + row * stride;
      if (back) for (const end = k + n; k < end; k++, at += step) to[at] = from[k];
      else for (const end = k + n; k < end; k++, at += step) to[k] = from[at];
    }
  });
}

/** Calls `run(at, step, k, n)` of each row: where it starts, and how many elements came before. */
export function walk(offset, shape, steps, run) {
  const last = shape.length - 1;
  if (last < 0) return run(offset, 1, 0, 1);
  const n = shape[last];
  const total = count(shape);
  const place = new Array(last).fill(0);
  let at = offset;
  for (let k = 0; k < total; k += n) {
    run(at, steps[last], k, n);
    for (let axis = last - 1; axis >= 0; axis--) {
      at += steps[axis];
      if (++place[axis] < shape[axis]) break;
      at -= steps[axis] * shape[axis];
      place[axis] = 0;
    }
  }
}

/** The same elements in another shape. */
export const reshaped = (a, shape) =>
  new NDArray(a.data, shape, a.kind, { base: a, offset: null, steps: null });

/** One of the first axis. */
export function row(a, k) {
  const shape = a.shape.slice(1);
  return strided(a, k * count(shape), shape, strides(shape));
}

/** Brings what was written to a view to what it shows. */
export function settle(a) {
  for (; a.origin !== null; a = a.origin.base) {
    const { base, offset, steps } = a.origin;
    if (a.kind === "f" && base.kind === "i") base.kind = "f";
    if (offset !== null && a.size > 0) copy(a.data, base.data, offset, a.shape, steps, true);
  }
}

/** The steps by which an array is stretched to a shape: none along an axis that is repeated. */
export function stretching(a, shape) {
  const own = strides(a.shape);
  const missing = shape.length - a.shape.length;
  return shape.map((_, axis) =>
    axis < missing || a.shape[axis - missing] === 1 ? 0 : own[axis - missing],
  );
}
