// The same elements in another shape or order of axes.
import { axisOf } from "./along.js";
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { Kw } from "../kw.js";
import { named } from "./named.js";
import { count, operand, sameShape } from "./storage.js";
import { broadcast } from "./ufunc.js";
import { reshaped, strided, strides, stretching } from "./views.js";

/** A shape given as a number, a list, or an array. */
export const shapeOf = (shape) =>
  shape instanceof NDArray ? Array.from(shape.data) : Array.isArray(shape) ? shape : [shape];

/** The arguments of a method, whose shape may be one argument or each length one. */
export function shapeAsArgument(args) {
  const plain = args.filter((arg) => !(arg instanceof Kw));
  const kw = args.length > plain.length ? args[args.length - 1] : {};
  const shape = plain.length === 0 ? kw.shape : plain.length === 1 ? plain[0] : plain;
  return [shapeOf(shape)];
}

export function reshape(a, given) {
  const x = operand(a);
  const shape = shapeOf(given instanceof Kw ? given.shape : given).map(Number);
  const open = shape.indexOf(-1);
  if (open >= 0) {
    const known = shape.reduce((n, m, axis) => (axis === open ? n : n * m), 1);
    shape[open] = known ? x.size / known : 0;
  }
  if (count(shape) !== x.size || shape.some((m) => !Number.isInteger(m) || m < 0)) {
    throw valueError(`cannot reshape array of size ${x.size} into shape (${shapeOf(given)})`);
  }
  return reshaped(x, shape);
}

export const ravel = (a) => {
  const x = operand(a);
  return x.shape.length === 1 ? x : reshaped(x, [x.size]);
};

export function transpose(a, axes = null) {
  const x = operand(a);
  const { ndim } = x;
  if (ndim < 2) return x;
  const given = axes instanceof Kw ? axes.axes : axes;
  const order =
    given === null ? x.shape.map((_, axis) => ndim - 1 - axis) : given.map((k) => axisOf(k, ndim));
  const steps = strides(x.shape);
  const pick = (of) => order.map((axis) => of[axis]);
  return strided(x, 0, pick(x.shape), pick(steps));
}

export function atleast_1d(...arrays) {
  const found = arrays.map((a) => {
    const x = operand(a);
    return x.ndim > 0 ? x : reshaped(x, [1]);
  });
  return found.length === 1 ? found[0] : found;
}

export const broadcast_shapes = (...shapes) => shapes.map(shapeOf).reduce(broadcast, []);

export function broadcast_to(a, ...args) {
  const x = operand(a);
  const shape = shapeOf(named(args, ["shape"]).shape);
  if (!sameShape(broadcast(x.shape, shape), shape)) {
    throw valueError(
      `operands could not be broadcast together with remapped shapes: (${x.shape}) (${shape})`,
    );
  }
  return sameShape(x.shape, shape) ? x : strided(x, 0, shape, stretching(x, shape)).copy();
}

export function broadcast_arrays(...arrays) {
  const all = arrays.filter((a) => !(a instanceof Kw)).map(operand);
  const shape = broadcast_shapes(...all.map((a) => a.shape));
  return all.map((a) => broadcast_to(a, shape));
}
