// Elements picked by condition or by place.
import { axisOf } from "./along.js";
import { NDArray } from "./array.js";
import { indexError, valueError } from "./errors.js";
import { getitem } from "./indexing.js";
import { named } from "./named.js";
import { truePlaces } from "./places.js";
import { atleast_1d, ravel } from "./shapes.js";
import { alongAxis } from "./slices.js";
import { scratch, spend } from "./spare.js";
import { copyInto, count, lone, operand, promote, storage } from "./storage.js";
import { broadcast, placed, positions } from "./ufunc.js";

/** One or the other by condition; with a condition alone, the places where it holds. */
export function where(condition, ...choices) {
  const mask = operand(condition);
  if (choices.length === 0) return nonzero(mask);
  const x = operand(choices[0]);
  const y = operand(choices[1]);
  const shape = broadcast(broadcast(mask.shape, x.shape), y.shape);
  const kind = promote(x.kind, y.kind);
  const n = count(shape);
  const data = kind === "f" || kind === "i" ? scratch(n) : storage(kind, n);
  const found = new NDArray(data, shape, kind);
  const one = as(x, kind).data;
  const two = as(y, kind).data;
  const flags = mask.data;
  const p = flags.length === 1 ? 0 : 1;
  const q = one.length === 1 ? 0 : 1;
  const r = two.length === 1 ? 0 : 1;
  if ((!p || flags.length === n) && (!q || one.length === n) && (!r || two.length === n)) {
    for (let k = 0, f = 0, i = 0, j = 0; k < n; k++, f += p, i += q, j += r) {
      data[k] = flags[f] ? one[i] : two[j];
    }
  } else {
    const [f, i, j] = [mask, x, y].map((a) => positions(a, shape));
    for (let k = 0; k < n; k++) data[k] = mask.data[f[k]] ? one[i[k]] : two[j[k]];
  }
  if (x.spare) spend(x);
  if (y.spare) spend(y);
  return lone(found);
}

function as(a, kind) {
  if (a.kind === kind || (kind !== "U" && kind !== "O")) return a;
  const data = storage(kind, a.size);
  copyInto(data, 0, a, kind);
  return new NDArray(data, a.shape, kind);
}

export const nonzero = (a) => truePlaces(atleast_1d(a));
export const flatnonzero = (a) => truePlaces(ravel(a))[0];

export function take(a, ...args) {
  const { indices, axis = null, out = null, mode = "raise" } = named(args, [
    "indices",
    "axis",
    "out",
    "mode",
  ]);
  const x = operand(a);
  const of = axis === null ? ravel(x) : x;
  const at = axis === null ? 0 : axisOf(axis, x.ndim);
  const n = of.shape[at];
  let places = operand(indices);
  if (places.kind === "b") places = places.astype("i");
  if (mode !== "raise") places = bounded(places, n, mode);
  const found = getitem(of, at === 0 ? places : alongAxis(at, places));
  return out === null ? found : placed(operand(found), out, true);
}

function bounded(places, n, mode) {
  if (n === 0 && places.size > 0) {
    throw indexError("cannot do a non-empty take from an empty axes.");
  }
  const found = places.copy();
  for (let k = 0; k < found.size; k++) {
    const at = found.data[k];
    found.data[k] = mode === "wrap" ? ((at % n) + n) % n : Math.min(Math.max(at, 0), n - 1);
  }
  return found;
}

export function compress(condition, a, ...args) {
  const { axis = null, out = null } = named(args, ["axis", "out"]);
  const x = operand(a);
  const flags = operand(condition);
  if (flags.ndim !== 1) throw valueError("condition must be a 1-d array");
  const of = axis === null ? ravel(x) : x;
  const at = axis === null ? 0 : axisOf(axis, x.ndim);
  const found = getitem(of, alongAxis(at, truePlaces(flags)[0]));
  return out === null ? found : placed(found, out, true);
}
