// Places of values among sorted ones, and between them.
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { getitem } from "./indexing.js";
import { named } from "./named.js";
import { lone, operand, promote } from "./storage.js";

export function searchsorted(a, ...args) {
  const names = ["v", "side", "sorter"];
  const { v, side = "left", sorter = null } = named(args, names);
  const given = operand(a);
  const sorted = sorter === null ? given : getitem(given, operand(sorter));
  if (side !== "left" && side !== "right") throw valueError(`side must be left or right: ${side}`);
  const right = side === "right";
  if (typeof v === "number" && sorted.kind !== "U") {
    return bisected(sorted.data, v, right, 0, sorted.size);
  }
  const needles = operand(v);
  const kind = promote(sorted.kind, needles.kind);
  const [within, of] = [comparable(sorted, kind), comparable(needles, kind)];
  const found = new Float64Array(needles.size);
  const n = within.length;
  let [low, high, last] = [0, n, null];
  for (let k = 0; k < found.length; k++) {
    const x = of[k];
    if (last !== null && x >= last) {
      // Needles that ascend are mostly found soon after each other.
      const from = low;
      let step = 1;
      while (from + step < n && (right ? within[from + step] <= x : within[from + step] < x)) {
        low = from + step + 1;
        step *= 2;
      }
      high = Math.min(from + step, n);
    } else {
      low = 0;
      high = n;
    }
    low = bisected(within, x, right, low, high);
    found[k] = low;
    last = x;
  }
  return lone(new NDArray(found, needles.shape.slice(), "i"));
}

const comparable = (a, kind) => (kind === "U" && a.kind !== "U" ? a.astype("U").data : a.data);

function bisected(a, x, right, from, to) {
  let low = from;
  let high = to;
  if (x !== x) {
    // Only another NaN is as great as a NaN.
    high = a.length;
    if (right) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (a[middle] === a[middle]) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  if (right) {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (a[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (a[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
