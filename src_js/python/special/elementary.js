// Functions that are a line or two.

/** 1 / (1 + exp(-x)): zero from where exp(-x) is beyond doubles, as SciPy's. */
export const expit = (x) => 1 / (1 + Math.exp(-x));

export const logExpit = (x) => (x < 0 ? x - Math.log1p(Math.exp(x)) : -Math.log1p(Math.exp(-x)));

export function logit(x) {
  // The quotient loses digits near one half, where 2x - 1 is exact.
  if (x < 0.3 || x > 0.65) return Math.log(x / (1 - x));
  const s = 2 * (x - 0.5);
  return Math.log1p(s) - Math.log1p(-s);
}

export const xlogy = (x, y) => (x === 0 && !Number.isNaN(y) ? 0 : x * Math.log(y));

export const xlog1py = (x, y) => (x === 0 && !Number.isNaN(y) ? 0 : x * Math.log1p(y));

/** exp(-scale x^2), scale a power of two: x^2 is split, as its rounding error is magnified. */
export function gaussian(x, scale) {
  if (x * x * scale > 800) return 0;
  const coarse = Math.fround(x);
  return Math.exp(-scale * coarse * coarse) * Math.exp(-scale * (x - coarse) * (x + coarse));
}
