// The bits of floats as whole numbers of 64 bits, of kind "q": only what bisects floats needs them.
import { NDArray } from "./array.js";
import { typeError } from "./errors.js";
import { count, storage } from "./storage.js";
import { broadcast, positions } from "./ufunc.js";

/** The same memory, as floats or as bits. */
export function asBits(a, kind) {
  const { buffer, byteOffset, length } = a.data;
  const data =
    kind === "q"
      ? new BigInt64Array(buffer, byteOffset, length)
      : new Float64Array(buffer, byteOffset, length);
  return new NDArray(data, a.shape, kind, { base: a, offset: null });
}

const floored = (x, y) => {
  const ratio = x / y;
  return x % y !== 0n && x < 0n !== y < 0n ? ratio - 1n : ratio;
};

const RESULTS = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  floor_divide: floored,
};

const TESTS = {
  less: (x, y) => x < y,
  less_equal: (x, y) => x <= y,
  greater: (x, y) => x > y,
  greater_equal: (x, y) => x >= y,
  equal: (x, y) => x === y,
  not_equal: (x, y) => x !== y,
};

/** A function of two of which one at least is of this kind. */
export function ofBits(name, x, y) {
  const test = TESTS[name];
  const f = test ?? RESULTS[name];
  if (f === undefined) throw typeError(`ufunc '${name}' takes no bits of floats`);
  const shape = broadcast(x.shape, y.shape);
  const [i, j] = [positions(x, shape), positions(y, shape)];
  const kind = test === undefined ? "q" : "b";
  const data = storage(kind, count(shape));
  for (let k = 0; k < data.length; k++) {
    const found = f(BigInt(x.data[i[k]]), BigInt(y.data[j[k]]));
    data[k] = kind === "b" ? Number(found) : found;
  }
  return new NDArray(data, shape, kind);
}

export function sumOfBits(a) {
  const total = a.data.reduce((sum, x) => sum + x, 0n);
  return new NDArray(BigInt64Array.of(total), [], "q");
}
