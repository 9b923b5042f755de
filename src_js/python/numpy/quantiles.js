// Medians and quantiles.
import { frame, numeric } from "./along.js";
import { divide } from "./arithmetic.js";
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { Kw } from "../kw.js";
import { named } from "./named.js";
import { lone, operand } from "./storage.js";

// Of n values and a share, the place among them, counted from 0, as by Hyndman and Fan.
const PLACES = {
  linear: (n, q) => (n - 1) * q,
  weibull: (n, q) => (n + 1) * q - 1,
  hazen: (n, q) => n * q - 0.5,
  median_unbiased: (n, q) => (n + 1 / 3) * q - 2 / 3,
  normal_unbiased: (n, q) => (n + 1 / 4) * q - 5 / 8,
  interpolated_inverted_cdf: (n, q) => n * q - 1,
  lower: (n, q) => Math.floor((n - 1) * q),
  higher: (n, q) => Math.ceil((n - 1) * q),
  midpoint: (n, q) => (Math.floor((n - 1) * q) + Math.ceil((n - 1) * q)) / 2,
};

const NAMES = ["q", "axis", "out", "overwrite_input", "method", "keepdims"];

export function quantile(a, ...args) {
  const { q, axis = null, method = "linear", keepdims = false } = named(args, NAMES);
  const placeOf = PLACES[method];
  if (placeOf === undefined) throw valueError(`method '${method}' is not supported`);
  const x = numeric(a);
  const shares = operand(q);
  if (!shares.data.every((share) => share >= 0 && share <= 1)) {
    throw valueError("Quantiles must be in the range [0, 1]");
  }
  const framed = frame(x, axis);
  const { data, outer, n, inner } = framed;
  if (n === 0) throw valueError("quantile of nothing");
  const found = new Float64Array(shares.size * outer * inner);
  const line = new Float64Array(n);
  for (let row = 0; row < outer; row++) {
    for (let column = 0; column < inner; column++) {
      const from = row * n * inner + column;
      for (let k = 0; k < n; k++) line[k] = data[from + k * inner];
      line.sort();
      const missing = line[n - 1] !== line[n - 1];
      shares.data.forEach((share, k) => {
        found[(k * outer + row) * inner + column] = missing ? NaN : at(line, placeOf(n, share));
      });
    }
  }
  const shape = [...shares.shape, ...(keepdims ? framed.kept : framed.shape)];
  const kind = method === "lower" || method === "higher" ? x.kind : "f";
  return lone(new NDArray(found, shape, kind));
}

function at(line, place) {
  const last = line.length - 1;
  const low = Math.min(Math.max(Math.floor(place), 0), last);
  const high = place < 0 ? 0 : Math.min(low + 1, last);
  const along = place < 0 || place >= last ? 0 : place - Math.floor(place);
  // From the nearer end, as NumPy does, so that the ends come out themselves.
  const gap = line[high] - line[low];
  return along >= 0.5 ? line[high] - gap * (1 - along) : line[low] + gap * along;
}

export function percentile(a, ...args) {
  const { q, ...rest } = named(args, NAMES);
  return quantile(a, new Kw({ ...rest, q: divide(q, 100) }));
}

export function median(a, ...args) {
  const names = ["axis", "out", "overwrite_input", "keepdims"];
  const { axis = null, keepdims = false } = named(args, names);
  const x = numeric(a);
  const framed = frame(x, axis);
  const { data, outer, n, inner } = framed;
  const found = new Float64Array(outer * inner);
  const line = new Float64Array(n);
  for (let row = 0; row < outer; row++) {
    for (let column = 0; column < inner; column++) {
      const from = row * n * inner + column;
      for (let k = 0; k < n; k++) line[k] = data[from + k * inner];
      line.sort();
      const half = n >> 1;
      const middle = n % 2 ? line[half] : (line[half - 1] + line[half]) / 2;
      found[row * inner + column] = n && line[n - 1] === line[n - 1] ? middle : NaN;
    }
  }
  return lone(new NDArray(found, keepdims ? framed.kept : framed.shape, "f"));
}
