// How functions of elements go over arrays: the loop by the operands' kinds, shapes broadcast.
// These modules need each other. What runs as one is loaded is a function, which is there before.
import { Kw } from "../kw.js";
import { NDArray } from "./array.js";
import { typeError, valueError } from "./errors.js";
import { foldable } from "./folding.js";
import { scratch, spend } from "./spare.js";
import { admit, count, fresh, lone, operand, promote, sameShape, storage, stored } from "./storage.js";
import { settle, strided, stretching, walk } from "./views.js";

/** The shape that shapes are broadcast to. */
export function broadcast(one, two) {
  if (two.length === 0 || sameShape(one, two)) return one;
  if (one.length === 0) return two;
  const n = Math.max(one.length, two.length);
  const shape = new Array(n);
  for (let axis = 1; axis <= n; axis++) {
    const a = one[one.length - axis] ?? 1;
    const b = two[two.length - axis] ?? 1;
    if (a !== b && a !== 1 && b !== 1) {
      throw valueError(
        `operands could not be broadcast together with shapes (${one}) (${two})`,
      );
    }
    shape[n - axis] = a === 1 ? b : a;
  }
  return shape;
}

/**
 * A function of two. `loops` has by kind the loop and the kind of what it gives; a kind that it
 * lacks goes by the next wider one. A loop `(out, o, a, i, p, b, j, q, n)` goes from o, i and j on,
 * by steps of 1, p and q.
 */
export function binary(name, loops, { fold = null, unit = null } = {}) {
  const chosen = {};
  for (const kind of "bifUO") chosen[kind] = loops[kind] ?? loops[wider(kind)] ?? loops.f ?? null;
  const apply = (a, b, c, d) => binaryCall(apply, a, b, c, d);
  Object.defineProperty(apply, "name", { value: name });
  apply.loops = chosen;
  return fold === null ? apply : foldable(apply, fold, unit);
}

function wider(kind) {
  return kind === "b" ? "i" : "f";
}

export function loopOf(ufunc, kind) {
  const loop = ufunc.loops[kind];
  if (loop === null || (kind === "U" && loop === ufunc.loops.f)) {
    throw typeError(`ufunc '${ufunc.name}' did not contain a loop with that type`);
  }
  return loop;
}

function binaryCall(ufunc, a, b, c, d) {
  const x = a instanceof NDArray ? a : operand(a);
  const y = b instanceof NDArray ? b : operand(b);
  const wide = x.kind === y.kind ? x.kind : promote(x.kind, y.kind);
  const loop = loopOf(ufunc, wide);
  const kind = loop[1] === "=" ? wide : loop[1];
  const found = over(loop[0], x, y, broadcast(x.shape, y.shape), kind);
  if (x.spare) spend(x);
  if (y.spare) spend(y);
  if (c !== undefined) {
    const { out, where, dtype } = options(c, d);
    if (out !== null || where !== true) return placed(found, out, where);
    if (dtype !== null) return found.astype(dtype);
  }
  return lone(found);
}

// Rows shorter than this are stretched at first, as a call for each would be slower.
const SHORT = 32;

function over(run, x, y, shape, kind) {
  const n = count(shape);
  const data = kind === "f" || kind === "i" ? scratch(n) : storage(kind, n);
  const found = new NDArray(data, shape, kind);
  const p = x.size === 1 ? 0 : 1;
  const q = y.size === 1 ? 0 : 1;
  if ((x.size === n || p === 0) && (y.size === n || q === 0)) {
    if (n > 0) run(data, 0, x.data, 0, p, y.data, 0, q, n);
    return found;
  }
  if (n === 0) return found;
  if (shape[shape.length - 1] < SHORT) {
    const whole = (a) => (a.size === n ? a : strided(a, 0, shape, stretching(a, shape)));
    const [one, two] = [x, y].map(whole);
    run(data, 0, one.data, 0, 1, two.data, 0, 1, n);
    return found;
  }
  const first = stretching(x, shape);
  const second = stretching(y, shape);
  const last = shape.length - 1;
  // Two walks side by side: places in the second are asked for in the first's order.
  const starts = new Int32Array(n / shape[last]);
  let k = 0;
  walk(0, shape, second, (at) => {
    starts[k++] = at;
  });
  k = 0;
  walk(0, shape, first, (at, step, o, m) => {
    run(data, o, x.data, at, step, y.data, starts[k++], second[last], m);
  });
  return found;
}

export function options(c, d) {
  const kw = c instanceof Kw ? c : d instanceof Kw ? d : NONE;
  const out = c instanceof Kw || c === undefined ? kw.out ?? null : c;
  const { where = true, dtype = null } = kw;
  return { out: Array.isArray(out) ? out[0] : out, where, dtype };
}

const NONE = {};

/** What was found, written into `out` where that is asked for. */
export function placed(found, out, where) {
  const target = out ?? fresh(found.kind, found.shape);
  const shape = where === true ? found.shape : broadcast(found.shape, operand(where).shape);
  if (!sameShape(broadcast(target.shape, shape), target.shape)) {
    throw valueError("non-broadcastable output operand does not match the broadcast shape");
  }
  write(target, found, where === true ? null : operand(where));
  return target;
}

/** Writes values, stretched, into an array where the mask, stretched too, says so. */
export function write(target, from, mask = null) {
  const values = fitted(target, from);
  const { data } = target;
  if (mask === null && values.size === data.length) {
    if (ArrayBuffer.isView(data)) data.set(values.data);
    else for (let k = 0; k < data.length; k++) data[k] = values.data[k];
  } else if (mask === null && values.size === 1) {
    data.fill(values.data[0]);
  } else {
    const at = positions(values, target.shape);
    const may = mask === null ? null : positions(mask, target.shape);
    for (let k = 0; k < data.length; k++) {
      if (may === null || mask.data[may[k]]) data[k] = values.data[at[k]];
    }
  }
  settle(target);
}

/** Which element comes to stand at each place of a shape. */
export function positions(a, shape) {
  const at = new Int32Array(count(shape));
  if (at.length === 0) return at;
  if (a.size === at.length) {
    for (let k = 0; k < at.length; k++) at[k] = k;
    return at;
  }
  walk(0, shape, stretching(a, shape), (from, step, k, n) => {
    for (let end = k + n; k < end; k++, from += step) at[k] = from;
  });
  return at;
}

/** Values as elements of the target, which takes fractions from then on if some are. */
export function fitted(target, from) {
  if (from.kind === target.kind || (target.kind === "f" && "ib".includes(from.kind))) return from;
  if (target.kind === "i" && from.kind !== "U" && from.kind !== "O") {
    if (from.data.some((x) => !Number.isInteger(x))) admit(target);
    return from;
  }
  const found = fresh(target.kind, from.shape);
  for (let k = 0; k < found.size; k++) found.data[k] = stored(target, from.at(k));
  return found;
}

/** A function of one; a loop `(out, a, n)` goes over all of them. */
export function unary(name, loops) {
  const apply = (a, c, d) => {
    const x = a instanceof NDArray ? a : operand(a);
    const loop = loops[x.kind] ?? loops[wider(x.kind)] ?? loops.f;
    if (loop === undefined || x.kind === "U") throw typeError(`ufunc '${name}' takes numbers`);
    const kind = loop[1] === "=" ? x.kind : loop[1];
    const n = x.data.length;
    const data = kind === "f" || kind === "i" ? scratch(n) : storage(kind, n);
    const found = new NDArray(data, x.shape, kind);
    loop[0](data, x.data, n);
    if (x.spare) spend(x);
    if (c === undefined) return lone(found);
    const { out, where } = options(c, d);
    return out === null && where === true ? lone(found) : placed(found, out, where);
  };
  Object.defineProperty(apply, "name", { value: name });
  return apply;
}

/** An array in its place with another's values, anything else anew: Python's `a += b`. */
export function inplace(a, ufunc, b) {
  if (!(a instanceof NDArray)) return ufunc(a, b);
  if (a.kind === "f" && ufunc.loops?.f?.[1] === "=" && fits(a, b)) {
    const y = operand(b);
    const { data } = a;
    ufunc.loops.f[0](data, 0, data, 0, 1, y.data, 0, y.shape.length === 0 ? 0 : 1, data.length);
    if (y.spare) spend(y);
    if (a.origin !== null) settle(a);
    return a;
  }
  const found = operand(ufunc(a, b));
  if (!sameShape(broadcast(a.shape, found.shape), a.shape)) {
    throw valueError("non-broadcastable output operand does not match the broadcast shape");
  }
  write(a, found);
  spend(found);
  return a;
}

/** Whether it goes element by element, without one being needed after it is changed. */
function fits(a, b) {
  if (typeof b === "number") return true;
  return (
    b instanceof NDArray &&
    (b.kind === "f" || b.kind === "i") &&
    b.data.buffer !== a.data.buffer &&
    sameShape(a.shape, b.shape)
  );
}
