// Values that differ, and sets of them.
import { NDArray } from "./array.js";
import { getitem } from "./indexing.js";
import { concatenate } from "./joining.js";
import { named } from "./named.js";
import { ravel } from "./shapes.js";
import { lexsort, order } from "./sorting.js";
import { count, operand, sameShape, storage } from "./storage.js";

/** Values that differ, ascending; on demand where each is first, which each is, and counts. */
export function unique(a, ...args) {
  const names = ["return_index", "return_inverse", "return_counts", "axis"];
  const {
    return_index: first = false,
    return_inverse: inverse = false,
    return_counts: counts = false,
    axis = null,
  } = named(args, names);
  const x = operand(a);
  if (axis !== null && x.ndim > 1) return parts(x, uniqueRows(x), { first, inverse, counts });
  if (!first && !inverse && !counts) return distinct(x);
  const places = order(x.data);
  const begins = (k) => {
    const p = x.data[places[k - 1]];
    const q = x.data[places[k]];
    return p !== q && (p === p || q === q);
  };
  return parts(ravel(x), { places, begins, shape: x.shape }, { first, inverse, counts });
}

function distinct(x) {
  const sorted = x.data.slice();
  if (ArrayBuffer.isView(sorted)) sorted.sort();
  else sorted.sort((p, q) => (p < q ? -1 : p > q ? 1 : 0));
  let n = 0;
  for (let k = 0; k < sorted.length; k++) {
    const p = sorted[k - 1];
    const q = sorted[k];
    if (k === 0 || (p !== q && (p === p || q === q))) sorted[n++] = q;
  }
  return new NDArray(sorted.slice(0, n), [n], x.kind);
}

function uniqueRows(x) {
  const m = count(x.shape.slice(1));
  const n = x.shape[0];
  const keys = [];
  for (let column = m - 1; column >= 0; column--) {
    const key = storage(x.kind, n);
    for (let k = 0; k < n; k++) key[k] = x.data[k * m + column];
    keys.push(new NDArray(key, [n], x.kind));
  }
  const places = m ? lexsort(keys).data : new Float64Array(n);
  const begins = (k) => {
    const p = places[k - 1] * m;
    const q = places[k] * m;
    for (let column = 0; column < m; column++) {
      if (x.data[p + column] !== x.data[q + column]) return true;
    }
    return false;
  };
  return { places, begins, shape: [n] };
}

function parts(x, { places, begins, shape }, { first, inverse, counts }) {
  const n = places.length;
  const starts = [];
  const numbers = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    if (k === 0 || begins(k)) starts.push(k);
    numbers[places[k]] = starts.length - 1;
  }
  const whole = (values, of = [values.length]) => new NDArray(Float64Array.from(values), of, "i");
  const index = whole(starts.map((k) => places[k]));
  const found = [getitem(x, index)];
  if (first) found.push(index);
  if (inverse) found.push(whole(numbers, shape.slice()));
  if (counts) found.push(whole(starts.map((k, i) => (starts[i + 1] ?? n) - k)));
  return found.length === 1 ? found[0] : found;
}

export const union1d = (a, b) =>
  distinct(concatenate([ravel(operand(a)), ravel(operand(b))]));

export function array_equal(a, b, ...args) {
  const { equal_nan: nans = false } = named(args, ["equal_nan"]);
  const [x, y] = [operand(a), operand(b)];
  if (!sameShape(x.shape, y.shape)) return false;
  for (let k = 0; k < x.size; k++) {
    const [p, q] = [x.data[k], y.data[k]];
    if (p !== q && !(nans && p !== p && q !== q)) return false;
  }
  return true;
}
