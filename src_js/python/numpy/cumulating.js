// Running sums and products, and steps from one to the next.
import { axisOf, frame, numeric } from "./along.js";
import { subtract } from "./arithmetic.js";
import { not_equal } from "./comparing.js";
import { valueError } from "./errors.js";
import { NDArray } from "./array.js";
import { getitem } from "./indexing.js";
import { concatenate } from "./joining.js";
import { named } from "./named.js";
import { ravel, broadcast_to } from "./shapes.js";
import { alongAxis, Slice } from "./slices.js";
import { scratch, spend } from "./spare.js";
import { operand } from "./storage.js";
import { placed } from "./ufunc.js";
import { kindOf } from "./dtypes.js";

export function cumsum(a, ...args) {
  const { axis = null, dtype = null, out = null } = named(args, ["axis", "dtype", "out"]);
  const x = numeric(a);
  const of = axis === null ? ravel(x) : x;
  const { data, outer, n, inner } = frame(of, axis === null ? 0 : axis);
  const found = scratch(of.size);
  for (let row = 0; row < outer; row++) {
    for (let column = 0; column < inner; column++) {
      let total = 0;
      for (let k = 0, at = row * n * inner + column; k < n; k++, at += inner) {
        total = k === 0 ? data[at] : total + data[at];
        found[at] = total;
      }
    }
  }
  const kind = kindOf(dtype) ?? (x.kind === "f" ? "f" : "i");
  const made = new NDArray(found, of.shape.slice(), kind);
  if (x.spare) spend(x);
  return out === null ? made : placed(made, out, true);
}

/** All but the first along an axis, and all but the last. */
const neighbours = (a, axis) =>
  [new Slice(1, null), new Slice(null, -1)].map((part) => getitem(a, alongAxis(axis, part)));

function steps(x) {
  const { data } = x;
  const found = scratch(Math.max(data.length - 1, 0));
  for (let k = 0; k < found.length; k++) found[k] = data[k + 1] - data[k];
  if (x.spare) spend(x);
  return new NDArray(found, [found.length], "f");
}

export function diff(a, ...args) {
  const names = ["n", "axis", "prepend", "append"];
  const { n = 1, axis = -1, prepend, append } = named(args, names);
  let x = operand(a);
  if (args.length === 0 && x.kind === "f" && x.shape.length === 1) return steps(x);
  if (x.shape.length === 0) throw valueError("diff requires at least one axis");
  const at = axisOf(axis, x.shape.length);
  const end = (value) => {
    const given = operand(value);
    if (given.shape.length > 0) return given;
    const shape = x.shape.slice();
    shape[at] = 1;
    return broadcast_to(given, shape);
  };
  const parts = [x];
  if (prepend !== undefined) parts.unshift(end(prepend));
  if (append !== undefined) parts.push(end(append));
  if (parts.length > 1) x = concatenate(parts, at);
  for (let k = 0; k < n; k++) {
    const step = x.kind === "b" ? not_equal : subtract;
    const [later, before] = neighbours(x, at);
    x = operand(step(later, before));
  }
  return x;
}
