// The regularised incomplete beta function and its inverse.

import { betaln, logGammaOnePlus, logGammaStep, stirlingError } from "./gamma.js";
import { expit } from "./elementary.js";
import { ndtri } from "./normal.js";
import { solved } from "./solving.js";
import { add, divide, exp, log, multiply, product, scale, sum } from "./twofold.js";

// Below this, a complement is a series of its own: 1 minus the function would lose digits.
const SMALL = 0.7;

/**
 * x^a y^b / B(a, b) of twofold x and y = 1 - x: after Loader (2000), Fast and Accurate Computation
 * of Binomial Probabilities, so that large terms of the exponent cancel.
 */
function power(a, b, x, y) {
  const n = sum(a, b);
  const first = scale(log(divide(multiply(n, x), [a, 0])), a);
  const second = scale(log(divide(multiply(n, y), [b, 0])), b);
  const errors = stirlingError(n[0]) - stirlingError(a) - stirlingError(b);
  const size = Math.sqrt((a / n[0]) * (b / (2 * Math.PI)));
  return exp(add(first, second)) * size * Math.exp(errors);
}

/**
 * The incomplete beta function over x^a y^b / B(a, b), for x up to (a + 1) / (a + b + 2): the even
 * part of the continued fraction DLMF 8.17.22, as of DiDonato and Morris (1992), ACM Transactions
 * on Mathematical Software 18, 360-373; evaluated by Lentz's method, DLMF 3.10(iii).
 */
function fraction(a, b, x, y) {
  const excess = add(add(product(a, y[0]), [a * y[1], 0]), scale(x, -b))[0];
  const [high, other] = [x[0], 1 + y[0]];
  let value = (a / (a + 1)) * (excess + 1);
  let [c, d] = [value, 0];
  for (let n = 1; n < 1e6; n++) {
    const m = a + 2 * n - 1;
    const share = (n * (b - n) * high) / m;
    const above = ((a + n - 1) / m) * (a + b + n - 1) * high * share;
    const below = n + share + ((a + n) / (m + 2)) * (excess + 1 + n * other);
    d = 1 / (below + above * d);
    c = below + above / c;
    const change = c * d;
    value *= change;
    if (Math.abs(change - 1) < 3e-16) break;
  }
  return 1 / value;
}

/**
 * For a small: the logarithm of the first term of DLMF 8.17.7, and what follows it relative to it,
 * both of them exact relative to a.
 */
function expansion(a, b, x) {
  const first = a * Math.log(x) + logGammaStep(b, a) - logGammaOnePlus(a);
  let [series, term] = [0, 1];
  for (let k = 1; k < 1e5; k++) {
    term *= ((k - b) / k) * x;
    const added = term / (a + k);
    series += added;
    if (Math.abs(added) <= 1e-17 * Math.abs(series)) break;
  }
  return [first, a * series];
}

const transition = (a, b) => (a + 1) / (a + b + 2);

/**
 * The incomplete beta function of twofold x and y = 1 - x, or 1 minus it where `upper`, and
 * x^a y^b / B(a, b).
 */
export function incompleteBeta(a, b, x, y, upper) {
  if (x[0] > transition(a, b)) return before(b, a, y, x, !upper);
  return before(a, b, x, y, upper);
}

/** The same for x up to the transition. */
function before(a, b, x, y, upper) {
  const density = power(a, b, x, y);
  if (!upper) return [density * fraction(a, b, x, y), density];
  if (a >= SMALL) return [1 - density * fraction(a, b, x, y), density];
  const [first, rest] = expansion(a, b, x[0]);
  return [-Math.expm1(first) - Math.exp(first) * rest, density];
}

function regularised(a, b, x, upper) {
  const [zero, one] = upper ? [1, 0] : [0, 1];
  if (!(a >= 0 && b >= 0 && x >= 0 && x <= 1) || (a === 0 && b === 0)) return NaN;
  if (a === Infinity && b === Infinity) return NaN;
  if (x === 0) return zero;
  if (x === 1) return one;
  if (a === 0 || b === Infinity) return one;
  if (b === 0 || a === Infinity) return zero;
  return Math.min(Math.max(incompleteBeta(a, b, [x, 0], sum(1, -x), upper)[0], 0), 1);
}

export const betainc = (a, b, x) => regularised(a, b, x, false);

export const betaincc = (a, b, x) => regularised(a, b, x, true);

/** The place where the incomplete beta function is p. */
export function betaincinv(a, b, p) {
  if (!(a > 0 && b > 0 && p >= 0 && p <= 1)) return NaN;
  if (p === 0 || p === 1) return p;
  if (a === Infinity || b === Infinity) return a === b ? NaN : a === Infinity ? 1 : 0;
  return p <= 0.5 ? quantile(a, b, p)[0] : quantile(b, a, 1 - p)[1];
}

// Beyond these log-odds, x or 1 - x is too small for a double.
const FARTHEST = 700;

/** Both x and 1 - x where the incomplete beta function is p <= 1/2. */
function quantile(a, b, p) {
  // The logarithm of the function ascends concavely in the log-odds w of x; its two asymptotes
  // bound the root.
  const whole = betaln(a, b);
  const low = (Math.log(p) + Math.log(a) + whole) / a;
  const high = -(Math.log1p(-p) + Math.log(b) + whole) / b;
  if (low < -FARTHEST) return [Math.exp(low), 1];
  if (low > FARTHEST) return [1, 0];
  const ends = [low, Math.min(high, FARTHEST)];
  let [x, y] = [null, null];
  const at = (w) => {
    // The lesser of the two is exact.
    const less = expit(-Math.abs(w));
    [x, y] = w < 0 ? [[less, 0], sum(1, -less)] : [sum(1, -less), [less, 0]];
    const [value, density] = incompleteBeta(a, b, x, y, false);
    if (value === 0) return [-Infinity, 0];
    const slope = density / value;
    let off = logRatio(value, p);
    // The place is about the power 1 / a of p.
    if (a < SMALL && p > 0.01 && x[0] <= transition(a, b)) {
      const [first, rest] = expansion(a, b, x[0]);
      off = first + Math.log1p(rest) - Math.log(p);
    }
    return [off / slope, a * y[0] - b * x[0] - slope];
  };
  const [, step] = solved(nearby(a, b, p, ...ends), at, ...ends);
  const [first, second] = [x[0], y[0]];
  return [first / (1 + second * Math.expm1(-step)), second / (1 + first * Math.expm1(step))];
}

/** log(value / p), which loses no digits where the two are close. */
export function logRatio(value, p) {
  const off = (value - p) / p;
  return Math.abs(off) < 0.5 ? Math.log1p(off) : Math.log(value) - Math.log(p);
}

/** Log-odds of about the quantile: Abramowitz and Stegun 26.5.22, or a bound of it. */
function nearby(a, b, p, low, high) {
  if (a < 1) return low;
  if (b < 1) return high;
  const z = ndtri(p);
  const [first, second] = [1 / (2 * a - 1), 1 / (2 * b - 1)];
  const level = (z * z - 3) / 6;
  const h = 2 / (first + second);
  const spread = (z * Math.sqrt(Math.max(h + level, 0))) / h;
  const w = Math.log(a / b) + 2 * (spread + (second - first) * (level + 5 / 6 - 2 / (3 * h)));
  return Math.min(Math.max(w, low), high);
}
