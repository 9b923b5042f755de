// The regularised incomplete gamma functions and the Poisson distribution.

import { logGammaOnePlus, stirlingError } from "./gamma.js";
import { add, divide, exp, log, scale, sum } from "./twofold.js";

// Below this, the upper function is a series of its own: 1 minus the lower would lose digits.
const SMALL = 0.7;

/** x^a exp(-x) / Gamma(a), of a twofold exponent, as x^a and exp(-x) nearly cancel. */
function density(a, x) {
  const exponent = add(scale(log(divide([x, 0], [a, 0])), a), sum(a, -x));
  return exp(exponent) * Math.sqrt(a / (2 * Math.PI)) * Math.exp(-stirlingError(a));
}

/** The lower function, over the density, for x < a + 1: DLMF 8.7.1. */
function series(a, x) {
  let [total, term] = [0, 1 / a];
  for (let k = 1; term > 1e-17 * total; k++) {
    total += term;
    term *= x / (a + k);
  }
  return total;
}

/** The upper function, over the density, for x >= a + 1: DLMF 8.9.2, by Lentz's method. */
function fraction(a, x) {
  let value = x + 1 - a;
  let [c, d] = [value, 0];
  for (let n = 1; n < 1e6; n++) {
    const above = n * (a - n);
    const below = x + 2 * n + 1 - a;
    d = 1 / (below + above * d);
    c = below + above / c;
    value *= c * d;
    if (Math.abs(c * d - 1) < 3e-16) break;
  }
  return 1 / value;
}

/** The upper function for small a and x < a + 1: -expm1 of the first term of DLMF 8.7.1. */
function complement(a, x) {
  const first = a * Math.log(x) - logGammaOnePlus(a);
  let [total, term] = [0, 1];
  for (let k = 1; k < 100; k++) {
    term *= -x / k;
    total += term / (a + k);
  }
  return -Math.expm1(first) - Math.exp(first) * a * total;
}

function regularised(a, x, upper) {
  const [zero, one] = upper ? [1, 0] : [0, 1];
  if (!(a >= 0 && x >= 0) || (a === 0 && x === 0)) return NaN;
  if (a === Infinity) return x === Infinity ? NaN : zero;
  if (a === 0 || x === Infinity) return one;
  if (x === 0) return zero;
  if (x < a + 1) {
    if (upper && a < SMALL) return complement(a, x);
    const lower = density(a, x) * series(a, x);
    return upper ? 1 - lower : lower;
  }
  const above = density(a, x) * fraction(a, x);
  return upper ? above : 1 - above;
}

export const gammainc = (a, x) => regularised(a, x, false);

export const gammaincc = (a, x) => regularised(a, x, true);

/** The chance that a Poisson count of mean m is at most k. */
export function pdtr(k, m) {
  if (!(k >= 0 && m >= 0)) return NaN;
  if (m === 0 || k === Infinity) return 1;
  return gammaincc(Math.floor(k) + 1, m);
}
