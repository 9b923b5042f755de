// Student's t distribution.

import { incompleteBeta, logRatio } from "./beta.js";
import { gaussian } from "./elementary.js";
import { betaln } from "./gamma.js";
import { ndtr, ndtri } from "./normal.js";
import { solved } from "./solving.js";
import { add, divide, exp, log, product, scale } from "./twofold.js";

// From here on, the first term of the normal law's correction, Abramowitz and Stegun 26.7.8, is
// exact to a double's digits.
const NORMAL = 1e13;
// Beyond this many times the root of the degrees of freedom, the tail is a power of t.
const FAR = 1e100;

/** The chance above t > 0, or between 0 and t where `centre`, and t times the density. */
function chance(df, t, centre) {
  if (t / Math.sqrt(df) > FAR) return far(df, t, centre);
  const square = product(t, t);
  const total = add(square, [df, 0]);
  const [x, y] = [divide([df, 0], total), divide(square, total)];
  const [value, density] = incompleteBeta(df / 2, 0.5, x, y, centre);
  return [value / 2, density, x[0] - df * y[0]];
}

/** The same by the leading term of DLMF 8.17.7. */
function far(df, t, centre) {
  const logX = add(log([df, 0]), scale(log([t, 0]), -2));
  const tail = (exp(scale(logX, df / 2)) * Math.exp(-betaln(df / 2, 0.5))) / df;
  return [centre ? 0.5 - tail : tail, df * tail, -df];
}

export function stdtr(df, t) {
  if (!(df > 0) || Number.isNaN(t)) return NaN;
  if (t === 0) return 0.5;
  if (Math.abs(t) === Infinity) return t < 0 ? 0 : 1;
  if (df > NORMAL) return ndtr(t) - (correction(df, t) * gaussian(t, 0.5)) / Math.sqrt(2 * Math.PI);
  if (t > 0) return 1 - chance(df, t, false)[0];
  return chance(df, -t, false)[0];
}

const correction = (df, z) => (z * z * z + z) / (4 * df);

export function stdtrit(df, p) {
  if (!(df > 0 && p >= 0 && p <= 1)) return NaN;
  // SciPy's answer at zero, too.
  if (p === 0 || p === 1) return Infinity;
  if (p === 0.5) return 0;
  if (df > NORMAL) {
    const z = ndtri(p);
    return z + correction(df, z);
  }
  return p < 0.5 ? -above(df, p) : above(df, 1 - p);
}

// A chance above t that is larger is better told from one half.
const CENTRAL = 0.25;

/** The t > 0 that has the chance q above it: sought by its logarithm. */
function above(df, q) {
  const centre = q > CENTRAL;
  const wanted = centre ? 0.5 - q : q;
  const whole = betaln(df / 2, 0.5);
  // The tail is at most a power of t, to which it tends.
  const high = 0.5 * Math.log(df) - (Math.log(q * df) + whole) / df;
  if (high > 700) return Math.exp(high);
  let t = 0;
  const at = (u) => {
    t = Math.exp(u);
    const [value, density, bend] = chance(df, t, centre);
    if (value === 0) return [Infinity, 0];
    const slope = density / value;
    const off = logRatio(value, wanted) / slope;
    return centre ? [off, bend - slope] : [-off, bend + slope];
  };
  // A lower bound each: the density is largest at zero, and the tail is above the normal law's.
  const low = Math.log(centre ? wanted * Math.sqrt(df) * Math.exp(whole) : -ndtri(q));
  const near = centre ? low : Math.min(high, Math.log(wallace(df, ndtri(q))));
  const [, step] = solved(near, at, low, high);
  return t * Math.exp(step);
}

/** About the t where the normal law has z: Wallace (1959), Ann. Math. Statist. 30, 1121-1130. */
function wallace(df, z) {
  const moved = (z * (8 * df + 3)) / (8 * df + 1);
  return Math.sqrt(df * Math.expm1((moved * moved) / df));
}
