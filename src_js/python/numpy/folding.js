// What functions of two have besides the call: they run along an axis, over stretches of it, over
// all pairs, and at places that may repeat.
import { NDArray } from "./array.js";
import { axisOf, frame, reduced } from "./along.js";
import { indexError, typeError, valueError } from "./errors.js";
import { Kw } from "../kw.js";
import { getitem } from "./indexing.js";
import { named } from "./named.js";
import { pairwise } from "./pairwise.js";
import { reshape } from "./shapes.js";
import { lone, operand, storage } from "./storage.js";
import { fitted, loopOf, placed, positions } from "./ufunc.js";
import { settle } from "./views.js";

/** `fold` is the function of plain numbers; `unit` what it gives of nothing, if anything. */
export function foldable(ufunc, fold, unit) {
  ufunc.fold = fold;
  ufunc.reduce = (a, ...args) => reduce(ufunc, fold, unit, a, args);
  ufunc.accumulate = (a, ...args) => accumulate(ufunc, fold, a, args);
  ufunc.reduceat = (a, ...args) => reduceat(ufunc, fold, a, args);
  ufunc.outer = (a, b) => outer(ufunc, a, b);
  ufunc.at = (a, index, b) => at(ufunc, a, index, b);
  return ufunc;
}

// Sums and products of flags are numbers, unlike those of two flags.
const COUNTING = ["add", "multiply"];

/** The array as it is folded, and the kind of what that gives. */
function prepared(ufunc, given, dtype) {
  const a = dtype === null ? operand(given) : operand(given).astype(dtype);
  const loop = loopOf(ufunc, a.kind === "b" && COUNTING.includes(ufunc.name) ? "i" : a.kind);
  const kind = loop[1] === "=" ? a.kind : loop[1];
  return [kind === "b" ? a.astype("b", new Kw({ copy: false })) : a, kind];
}

/** One value of n, from a place on, by steps. */
function folded(ufunc, fold, data, from, n, step) {
  if (ufunc.name === "add" && step === 1) return pairwise(data, from, n);
  let found = data[from];
  for (let k = 1, at = from + step; k < n; k++, at += step) found = fold(found, data[at]);
  return found;
}

function reduce(ufunc, fold, unit, given, args) {
  const names = ["axis", "dtype", "out", "keepdims", "initial", "where"];
  const { axis = 0, dtype = null, out, keepdims, initial, where = true } = named(args, names);
  const [a, kind] = prepared(ufunc, given, dtype);
  const start = initial ?? unit;
  const framed = frame(a, axis);
  const { data, outer: rows, n, inner } = framed;
  const found = storage(kind, rows * inner);
  const may = where === true ? null : masked(where, a, axis);
  if (start === null && (n === 0 || may !== null)) {
    throw valueError(
      `zero-size array to reduction operation ${ufunc.name} which has no identity`,
    );
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < inner; column++) {
      const from = row * n * inner + column;
      let value = start;
      if (may !== null) {
        for (let k = 0, i = from; k < n; k++, i += inner) if (may[i]) value = fold(value, data[i]);
      } else if (n > 0) {
        value = folded(ufunc, fold, data, from, n, inner);
        if (initial !== undefined && initial !== null) value = fold(initial, value);
      }
      // Sums start from zero, and whole numbers have none below it.
      found[row * inner + column] = kind === "i" || ufunc.name === "add" ? value + 0 : value;
    }
  }
  return reduced(found, kind, framed, { keepdims, out });
}

/** The mask as it stands beside the elements that a frame has. */
function masked(where, a, axis) {
  const mask = operand(where);
  const wide = new NDArray(storage("b", a.size), a.shape, "b");
  const from = positions(mask, a.shape);
  for (let k = 0; k < wide.size; k++) wide.data[k] = mask.data[from[k]];
  return frame(wide, axis).data;
}

function accumulate(ufunc, fold, given, args) {
  const { axis = 0, dtype = null, out = null } = named(args, ["axis", "dtype", "out"]);
  const [a, kind] = prepared(ufunc, given, dtype);
  const { data, outer: rows, n, inner } = frame(a, axis);
  const found = storage(kind, a.size);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < inner; column++) {
      let at = row * n * inner + column;
      let value = data[at];
      if (n > 0) found[at] = value;
      for (let k = 1; k < n; k++) {
        at += inner;
        value = fold(value, data[at]);
        found[at] = kind === "i" ? value + 0 : value;
      }
    }
  }
  const made = new NDArray(found, a.shape.slice(), kind);
  return out === null ? made : placed(made, out, true);
}

function reduceat(ufunc, fold, given, args) {
  const names = ["indices", "axis", "dtype", "out"];
  const { indices, axis = 0, dtype = null, out = null } = named(args, names);
  const [a, kind] = prepared(ufunc, given, dtype);
  const starts = operand(indices).data;
  const framed = frame(a, axis);
  const { data, outer: rows, n, inner } = framed;
  const m = starts.length;
  const found = storage(kind, rows * m * inner);
  for (let k = 0; k < m; k++) {
    const start = starts[k];
    if (!(start >= 0 && start < n)) {
      throw indexError(`index ${start} out-of-bounds in ${ufunc.name}.reduceat [0, ${n})`);
    }
    const end = k + 1 < m ? starts[k + 1] : n;
    const many = end > start ? end - start : 1;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < inner; column++) {
        const from = (row * n + start) * inner + column;
        const value = folded(ufunc, fold, data, from, many, inner);
        found[(row * m + k) * inner + column] = kind === "i" ? value + 0 : value;
      }
    }
  }
  const shape = framed.kept.slice();
  shape[axisOf(axis, shape.length)] = m;
  const made = new NDArray(found, shape, kind);
  return out === null ? made : placed(made, out, true);
}

function outer(ufunc, a, b) {
  const x = operand(a);
  const y = operand(b);
  const tall = reshape(x, [...x.shape, ...new Array(y.shape.length).fill(1)]);
  return lone(operand(ufunc(tall, y)));
}

function at(ufunc, a, index, b) {
  if (b === undefined) throw typeError("second operand needed for ufunc");
  const places = new NDArray(Float64Array.from(a.data.keys()), a.shape, "i");
  const where = operand(getitem(places, index));
  const values = fitted(a, operand(b));
  const from = positions(values, where.shape);
  const { fold } = ufunc;
  for (let n = 0; n < where.size; n++) {
    const k = where.data[n];
    a.data[k] = fold(a.data[k], values.data[from[n]]);
  }
  settle(a);
  return null;
}
