// Arrays made of values, of a shape, or of another array.
import { axisOf } from "./along.js";
import { NDArray } from "./array.js";
import { kindOf } from "./dtypes.js";
import { typeError, valueError } from "./errors.js";
import { getitem } from "./indexing.js";
import { named } from "./named.js";
import { divide, multiply, add, subtract } from "./arithmetic.js";
import { ravel, reshape, shapeOf, broadcast_to } from "./shapes.js";
import { converted, copyInto, fresh, operand } from "./storage.js";
import { alongAxis } from "./slices.js";
import { fitted } from "./ufunc.js";

export function array(...args) {
  const names = ["object", "dtype"];
  const { object, dtype = null, copy = true, ndmin = 0 } = named(args, names);
  let a = kindOf(dtype) === "O" ? ofObjects(object) : operand(object);
  if (dtype !== null) a = cast(a, dtype, false);
  if (copy && a === object) a = a.copy();
  if (ndmin > a.ndim) {
    a = reshape(a, [...new Array(ndmin - a.ndim).fill(1), ...a.shape]);
  }
  return a;
}

function ofObjects(object) {
  if (object instanceof NDArray || !Array.isArray(object)) return operand(object);
  if (object.some((item) => Array.isArray(item) || item instanceof NDArray)) return operand(object);
  return new NDArray(object.slice(), [object.length], "O");
}

export function asarray(a, ...args) {
  if (args.length === 0) return operand(a);
  const { dtype = null, copy = null } = named(args, ["dtype"]);
  const x = kindOf(dtype) === "O" ? ofObjects(a) : operand(a);
  const found = dtype === null ? x : cast(x, dtype, false);
  return copy && found === a ? found.copy() : found;
}

/** An array's values as another kind. */
export function cast(a, dtype, copy) {
  const kind = kindOf(dtype) ?? "f";
  if (kind === a.kind) return copy ? a.copy() : a;
  const found = fresh(kind, a.shape.slice());
  if (kind === "i" && a.kind === "f") {
    for (let k = 0; k < a.size; k++) found.data[k] = Math.trunc(a.data[k]) + 0;
  } else if (kind === "b" && a.kind !== "U" && a.kind !== "O") {
    for (let k = 0; k < a.size; k++) found.data[k] = a.data[k] !== 0 ? 1 : 0;
  } else {
    copyInto(found.data, 0, a, kind);
    if (kind === "i") found.data.forEach((x, k) => (found.data[k] = Math.trunc(x)));
  }
  return found;
}

export function viewed(a, ...args) {
  const { dtype = null } = named(args, ["dtype"]);
  const kind = kindOf(dtype);
  if (kind === null || kind === a.kind) {
    return new NDArray(a.data, a.shape, a.kind, { base: a, offset: null });
  }
  throw typeError("There is no view of another kind.");
}

const filled = (shape, kind, value) => {
  const found = fresh(kind, shapeOf(shape).map(Number));
  if (value !== 0) found.data.fill(converted(value, kind));
  return found;
};

export function zeros(...args) {
  const { shape, dtype = null } = named(args, ["shape", "dtype"]);
  return filled(shape, kindOf(dtype) ?? "f", 0);
}

export const empty = zeros;

export function ones(...args) {
  const { shape, dtype = null } = named(args, ["shape", "dtype"]);
  return filled(shape, kindOf(dtype) ?? "f", 1);
}

export function full(...args) {
  const { shape, fill_value: value, dtype = null } = named(args, ["shape", "fill_value", "dtype"]);
  const given = operand(value);
  const kind = kindOf(dtype) ?? given.kind;
  if (given.ndim === 0) return filled(shape, kind, given.at(0));
  return cast(broadcast_to(given, shapeOf(shape)), kind, true);
}

export function zeros_like(a, ...args) {
  const x = operand(a);
  const { dtype = null, shape = null } = named(args, ["dtype", "order", "subok", "shape"]);
  return filled(shape ?? x.shape, kindOf(dtype) ?? x.kind, 0);
}

export const empty_like = zeros_like;

export function ones_like(a, ...args) {
  const x = operand(a);
  const { dtype = null, shape = null } = named(args, ["dtype", "order", "subok", "shape"]);
  return filled(shape ?? x.shape, kindOf(dtype) ?? x.kind, 1);
}

export function full_like(a, ...args) {
  const x = operand(a);
  const { fill_value: value, dtype = null } = named(args, ["fill_value", "dtype"]);
  const given = operand(value);
  const target = fresh(kindOf(dtype) ?? x.kind, x.shape.slice());
  const from = broadcast_to(fitted(target, given), x.shape);
  copyInto(target.data, 0, from, target.kind);
  return target;
}

export function arange(...args) {
  const given = named(args, ["start", "stop", "step", "dtype"]);
  const { step = 1, dtype = null } = given;
  const ends = (given.stop ?? null) === null ? [0, given.start] : [given.start ?? 0, given.stop];
  const [start, stop] = ends.map(Number);
  const n = Math.max(0, Math.ceil((stop - start) / step));
  const whole = [start, stop, step].every(Number.isInteger);
  const found = fresh(kindOf(dtype) ?? (whole ? "i" : "f"), [n]);
  for (let k = 0; k < n; k++) found.data[k] = start + k * step;
  return found;
}

export function linspace(...args) {
  const given = named(args, ["start", "stop", "num", "endpoint", "retstep", "dtype"]);
  const { start, stop, num = 50, endpoint = true, retstep = false, dtype = null } = given;
  const [from, to] = [operand(start), operand(stop)];
  const parts = endpoint ? num - 1 : num;
  const width = subtract(to, from);
  let k = operand(arange(num)).astype("f");
  if (operand(width).ndim > 0) k = reshape(k, [num, ...new Array(width.ndim).fill(1)]);
  const step = divide(width, parts);
  // As NumPy does, in the one order in which steps that round to 0 are still some of the way.
  const none = operand(step).data.some((x) => x === 0);
  const along = none ? multiply(divide(k, parts), width) : multiply(k, step);
  let found = operand(add(parts > 0 ? along : multiply(k, width), from));
  if (endpoint && num > 1) {
    const last = found.size - found.size / num;
    copyInto(found.data, last, broadcast_to(to, found.shape.slice(1)), found.kind);
  }
  if (dtype !== null) {
    if (kindOf(dtype) === "i") found.data.forEach((x, at) => (found.data[at] = Math.floor(x)));
    found = cast(found, dtype, false);
  }
  return retstep ? [found, step] : found;
}

export function repeat(a, ...args) {
  const { repeats, axis = null } = named(args, ["repeats", "axis"]);
  const x = operand(a);
  const of = axis === null ? ravel(x) : x;
  const at = axis === null ? 0 : axisOf(axis, x.ndim);
  const n = of.shape[at];
  const times = operand(repeats);
  if (times.size !== 1 && times.size !== n) {
    throw valueError(`operands could not be broadcast together: (${n},) (${times.size},)`);
  }
  let total = 0;
  for (let k = 0; k < n; k++) total += times.data[times.size === 1 ? 0 : k];
  const places = fresh("i", [total]);
  for (let k = 0, to = 0; k < n; k++) {
    const end = to + times.data[times.size === 1 ? 0 : k];
    places.data.fill(k, to, end);
    to = end;
  }
  if (of.ndim === 1) return getitem(of, places);
  return getitem(of, alongAxis(at, places));
}
