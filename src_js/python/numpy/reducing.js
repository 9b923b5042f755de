// Sums and means, and whether any or all are true.
import { axisOf, frame, numeric, reduced } from "./along.js";
import { add, divide, multiply } from "./arithmetic.js";
import { logical_and, logical_or } from "./comparing.js";
import { ZeroDivisionError_ } from "../errors.js";
import { Kw } from "../kw.js";
import { NDArray } from "./array.js";
import { named } from "./named.js";
import { pairwise } from "./pairwise.js";
import { kindOf } from "./dtypes.js";
import { spend } from "./spare.js";
import { operand } from "./storage.js";
import { broadcast_to, reshape } from "./shapes.js";

const NAMES = ["axis", "dtype", "out", "keepdims", "initial", "where"];

export function sum(a, ...args) {
  const x = numeric(a);
  if (args.length === 0) {
    const total = pairwise(x.data, 0, x.data.length) + 0;
    if (x.spare) spend(x);
    return total;
  }
  const given = named(args, NAMES);
  const { axis = null, dtype = null, where = true } = given;
  if (where !== true || (given.initial ?? null) !== null) {
    return add.reduce(x, new Kw({ ...given, axis }));
  }
  const framed = frame(x, axis);
  const kind = kindOf(dtype) ?? (x.kind === "f" ? "f" : "i");
  return reduced(sums(framed), kind, framed, given);
}

/** Row by row along an axis that is not the last, as the numbers lie. */
function sums({ data, outer, n, inner }) {
  const found = new Float64Array(outer * inner);
  for (let row = 0; row < outer; row++) {
    const from = row * n * inner;
    if (inner === 1) {
      found[row] = pairwise(data, from, n) + 0;
      continue;
    }
    const to = row * inner;
    for (let k = 0; k < n; k++) {
      for (let column = 0, at = from + k * inner; column < inner; column++, at++) {
        found[to + column] += data[at];
      }
    }
  }
  return found;
}

export function prod(a, ...args) {
  const given = named(args, NAMES);
  return multiply.reduce(numeric(a), new Kw({ ...given, axis: given.axis ?? null }));
}

export function mean(a, ...args) {
  const x = numeric(a);
  const given = named(args, ["axis", "dtype", "out", "keepdims", "where"]);
  const { axis = null, where = true, out, keepdims } = given;
  const framed = frame(x, axis);
  if (where !== true) {
    const counted = sum(broadcast_to(where, x.shape), new Kw({ axis, keepdims }));
    return divide(sum(x, new Kw({ axis, where, keepdims })), counted);
  }
  const found = sums(framed);
  for (let k = 0; k < found.length; k++) found[k] /= framed.n;
  return reduced(found, "f", framed, { keepdims, out });
}

export function average(a, ...args) {
  const names = ["axis", "weights", "returned"];
  const { axis = null, weights = null, keepdims = false } = named(args, names);
  const x = numeric(a);
  if (weights === null) return mean(x, new Kw({ axis, keepdims }));
  let w = numeric(weights);
  if (w.shape.length === 1 && x.shape.length > 1 && axis !== null) {
    const shape = new Array(x.shape.length).fill(1);
    shape[axisOf(axis, x.shape.length)] = w.size;
    w = reshape(w, shape);
  }
  w = operand(broadcast_to(w, x.shape));
  const total = sum(w, new Kw({ axis, keepdims }));
  if (operand(total).data.some((t) => t === 0)) {
    throw new ZeroDivisionError_("Weights sum to zero, can't be normalized");
  }
  return divide(sum(operand(multiply(x, w)), new Kw({ axis, keepdims })), total);
}

function judged(ufunc, a, args, found) {
  const x = operand(a);
  const flat = args.length === 0;
  if (flat && x.kind === "b") return (x.data.indexOf(found ? 1 : 0) >= 0) === found;
  const given = named(args, ["axis", "out", "keepdims", "where"]);
  return truth(ufunc.reduce(x, new Kw({ ...given, axis: given.axis ?? null })));
}

const truth = (x) => (x instanceof NDArray ? x : Boolean(x));

export const any = (a, ...args) => judged(logical_or, a, args, true);
export const all = (a, ...args) => judged(logical_and, a, args, false);

export function count_nonzero(a, ...args) {
  const x = operand(a);
  const { axis = null, keepdims } = named(args, ["axis", "keepdims"]);
  if (axis !== null || keepdims) return sum(x.astype("b"), new Kw({ axis, keepdims }));
  let found = 0;
  for (let k = 0; k < x.size; k++) if (x.data[k] || x.data[k] !== x.data[k]) found += 1;
  return found;
}
