// The least, the greatest, and where they are.
import { frame, reduced } from "./along.js";
import { subtract } from "./arithmetic.js";
import { maximum, minimum } from "./comparing.js";
import { valueError } from "./errors.js";
import { Kw } from "../kw.js";
import { named } from "./named.js";
import { spend } from "./spare.js";
import { operand, storage } from "./storage.js";

const NAMES = ["axis", "out", "keepdims", "initial", "where"];

function extreme(ufunc, a, args) {
  const x = operand(a);
  if (args.length === 0 && x.kind !== "b" && x.size > 0 && ArrayBuffer.isView(x.data)) {
    const most = ufunc === maximum ? greatest(x.data) : least(x.data);
    if (x.spare) spend(x);
    return most;
  }
  const given = named(args, NAMES);
  const found = ufunc.reduce(x, new Kw({ ...given, axis: given.axis ?? null }));
  return x.kind === "b" && typeof found === "number" ? found === 1 : found;
}

function greatest(data) {
  let found = data[0];
  for (let k = 0; k < data.length; k++) {
    const x = data[k];
    if (x !== x) return NaN;
    if (x > found) found = x;
  }
  return found;
}

function least(data) {
  let found = data[0];
  for (let k = 0; k < data.length; k++) {
    const x = data[k];
    if (x !== x) return NaN;
    if (x < found) found = x;
  }
  return found;
}

export const max = (a, ...args) => extreme(maximum, a, args);
export const min = (a, ...args) => extreme(minimum, a, args);

export function ptp(a, ...args) {
  const { axis = null, out = null, keepdims = false } = named(args, ["axis", "out", "keepdims"]);
  const of = new Kw({ axis, keepdims });
  const ends = [max(a, of), min(a, of)];
  return out === null ? subtract(...ends) : subtract(...ends, new Kw({ out }));
}

function place(a, args, beats) {
  const x = operand(a);
  const { axis = null, out, keepdims } = named(args, ["axis", "out", "keepdims"]);
  const framed = frame(x, axis);
  const { data, outer, n, inner } = framed;
  if (n === 0) throw valueError("attempt to get argmax of an empty sequence");
  const found = storage("i", outer * inner);
  for (let row = 0; row < outer; row++) {
    for (let column = 0; column < inner; column++) {
      const from = row * n * inner + column;
      let best = 0;
      let value = data[from];
      // The first NaN is both.
      for (let k = 1; k < n && value === value; k++) {
        const x = data[from + k * inner];
        if (beats(x, value) || x !== x) {
          best = k;
          value = x;
        }
      }
      found[row * inner + column] = best;
    }
  }
  return reduced(found, "i", framed, { keepdims, out });
}

export const argmax = (a, ...args) => place(a, args, (x, y) => x > y);
export const argmin = (a, ...args) => place(a, args, (x, y) => x < y);
