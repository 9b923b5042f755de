// Python's math, and what it knows of floats.
export const isfinite = Number.isFinite;
export const isnan = Number.isNaN;
export const { floor, ceil, log10, log, log1p, exp, expm1, sqrt, hypot, abs: fabs } = Math;
export const inf = Infinity;
export const pi = Math.PI;

/** The sum as if no digit were lost: Shewchuk (1997), partial sums that do not overlap. */
export function fsum(values) {
  let parts = [];
  for (let x of values) {
    const kept = [];
    for (let y of parts) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) kept.push(low);
      x = high;
    }
    parts = [...kept, x];
  }
  let total = 0;
  for (let k = parts.length - 1; k >= 0; k--) total += parts[k];
  return total;
}

export const float_info = { max: Number.MAX_VALUE, min: 2.2250738585072014e-308, epsilon: 2 ** -52 };
