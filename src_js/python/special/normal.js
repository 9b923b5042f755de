// The error function and the normal distribution.

import { gaussian } from "./elementary.js";
import { solved } from "./solving.js";

const ROOT_2 = Math.SQRT2;
const ROOT_PI = Math.sqrt(Math.PI);

/** The Maclaurin series of erf(x), DLMF 7.6.1, for |x| <= 1/2. */
function erfSeries(x) {
  const square = x * x;
  let series = 0;
  for (let n = 14; n >= 1; n--) series = ((series + 1 / (2 * n + 1)) * -square) / n;
  return (2 / ROOT_PI) * (x + x * series);
}

// The trapezoidal rule of Hunter and Regan (1972), Mathematics of Computation 26, 539-541, for
// (x / pi) times the integral of exp(-t^2) / (t^2 + x^2): of step 1/2 it errs by some exp(-39),
// once the pole at ix is counted, which matters where it is near.
const STEP = 0.5;
const POLE = Math.PI / STEP;
const nodes = Array.from({ length: 13 }, (_, n) => ((n + 1) * STEP) ** 2);
const weights = nodes.map((square) => Math.exp(-square));

/** exp(x^2) erfc(x) for x >= 1/2. */
function scaledErfc(x) {
  const square = x * x;
  if (square === Infinity) return 1 / (ROOT_PI * x);
  let total = 0;
  for (let n = nodes.length - 1; n >= 0; n--) total += weights[n] / (nodes[n] + square);
  const rule = ((2 * STEP) / Math.PI) * x * (0.5 / square + total);
  return x < POLE ? rule - (2 / Math.expm1(2 * POLE * x)) * Math.exp(square) : rule;
}

// Between these, the series of erf serves.
const NEAR = ROOT_2 / 2;

/** exp(x^2 / 2) ndtr(x) for x <= -NEAR. */
const scaledTail = (x) => 0.5 * scaledErfc(-x / ROOT_2);

/** The normal distribution function. */
export function ndtr(x) {
  if (x > NEAR) return 1 - ndtr(-x);
  if (x > -NEAR) return 0.5 + 0.5 * erfSeries(x / ROOT_2);
  const density = gaussian(x, 0.5);
  return density === 0 ? 0 : density * scaledTail(x);
}

/** The logarithm of the normal distribution function. */
export function logNdtr(x) {
  if (x > -NEAR) return x > 0 ? Math.log1p(-ndtr(-x)) : Math.log(ndtr(x));
  if (x === -Infinity) return -Infinity;
  return Math.log(scaledTail(x)) - 0.5 * x * x;
}

/** The quantile of the normal distribution. */
export function ndtri(p) {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : NaN;
  if (p > 0.5) return -ndtri(1 - p);
  return p > 0.3 ? central(p - 0.5) : lower(p);
}

/** Where the distribution function is 1/2 + q: sought relative to q, as it may be small. */
function central(q) {
  if (q === 0) return 0;
  const [ratio, step] = solved(Math.sqrt(2 * Math.PI), (near) => {
    const x = q * near;
    const slope = gaussian(x, 0.5) / Math.sqrt(2 * Math.PI);
    return [(0.5 * erfSeries(x / ROOT_2) - q) / q / slope, -x * q];
  });
  return q * (ratio + step);
}

/** The quantile of a small chance, from Abramowitz and Stegun 26.2.23, which errs by 4.5e-4. */
function lower(p) {
  const logarithm = Math.log(p);
  const t = Math.sqrt(-2 * logarithm);
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  const [x, step] = solved(above / below - t, (x) => {
    const tail = scaledTail(x);
    const slope = 1 / (tail * Math.sqrt(2 * Math.PI));
    return [(Math.log(tail) - 0.5 * x * x - logarithm) / slope, -(x + slope)];
  });
  return x + step;
}
