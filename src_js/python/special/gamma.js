// The logarithm of the gamma function and what it takes to tell apart nearby values of it.

const HALF_LOG_2PI = 0.9189385332046727;
const EULER = 0.5772156649015329;

// zeta(k) - 1 from k = 2 on.
const ZETA_1 = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993,
  0.01734306198444914, 0.008349277381922827, 0.00407735619794434, 0.0020083928260822143,
  0.0009945751278180853, 0.0004941886041194645, 0.0002460865533080483, 0.00012271334757848915,
  6.124813505870483e-05, 3.058823630702049e-05, 1.528225940865187e-05, 7.637197637899763e-06,
  3.81729326499984e-06, 1.908212716553939e-06, 9.539620338727962e-07, 4.769329867878064e-07,
  2.38450502727733e-07, 1.1921992596531106e-07, 5.960818905125948e-08, 2.980350351465228e-08,
  1.4901554828365043e-08, 7.45071178983543e-09, 3.725334024788457e-09, 1.862659723513049e-09,
  9.313274324196682e-10, 4.656629065033784e-10, 2.3283118336765053e-10,
];

// B(2k) / (2k (2k - 1)) from k = 1 on, DLMF 5.11.1.
const STIRLING = [
  1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400,
  43867 / 244188, -174611 / 125400,
];
// From here on, Stirling's series is exact to a double's digits.
const LARGE = 10;

/** log Gamma(2 + z) for |z| <= 0.7: DLMF 5.7.4. */
function nearTwo(z) {
  let series = 0;
  for (let k = ZETA_1.length - 1; k >= 0; k--) series = ZETA_1[k] / (k + 2) - z * series;
  return z * (1 - EULER + z * series);
}

/** log Gamma(1 + z) for |z| <= 0.7, exact relative to itself. */
export const logGammaOnePlus = (z) => nearTwo(z) - Math.log1p(z);

function stirlingSeries(a) {
  const square = 1 / (a * a);
  let series = 0;
  for (let k = STIRLING.length - 1; k >= 0; k--) series = series * square + STIRLING[k];
  return series / a;
}

/** log Gamma(a) minus Stirling's (a - 1/2) log a - a + log(2 pi) / 2, for a > 0. */
export function stirlingError(a) {
  if (a >= LARGE) return stirlingSeries(a);
  return gammaln(a) - ((a - 0.5) * Math.log(a) - a + HALF_LOG_2PI);
}

export function gammaln(x) {
  if (x === -Infinity) return -Infinity;
  if (x === Infinity) return Infinity;
  if (x <= 0) return reflected(x);
  if (x < 0.5) return logGammaOnePlus(x) - Math.log(x);
  if (x < 1.5) return logGammaOnePlus(x - 1);
  if (x >= LARGE) return (x - 0.5) * Math.log(x) - x + HALF_LOG_2PI + stirlingSeries(x);
  let [z, factor] = [x, 1];
  while (z >= 2.5) factor *= --z;
  return Math.log(factor) + nearTwo(z - 2);
}

/** DLMF 5.5.3, the gamma function's absolute value; infinite at its poles. */
function reflected(x) {
  const off = Math.abs(x - Math.round(x));
  if (off === 0) return Infinity;
  return Math.log(Math.PI / Math.sin(Math.PI * off)) - gammaln(1 - x);
}

/** log Gamma(b + a) - log Gamma(b) for b > 0 and a >= 0, exact relative to a where a is small. */
export function logGammaStep(b, a) {
  let steps = 0;
  for (; b < LARGE; b++) steps += Math.log1p(a / b);
  const ends = stirlingSeries(b + a) - stirlingSeries(b);
  return (b - 0.5) * Math.log1p(a / b) + a * (Math.log(b + a) - 1) + ends - steps;
}

/** log of the beta function. */
export function betaln(x, y) {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  const [a, b] = [Math.min(x, y), Math.max(x, y)];
  if (a <= 0) return Number.isInteger(a) ? Infinity : gammaln(a) + gammaln(b) - gammaln(a + b);
  if (b === Infinity) return a === Infinity ? NaN : -Infinity;
  if (b < LARGE) return gammaln(a) + gammaln(b) - gammaln(a + b);
  if (a < LARGE) return gammaln(a) - logGammaStep(b, a);
  const rest = stirlingSeries(a) + stirlingSeries(b) - stirlingSeries(a + b);
  const ratio = a / (a + b);
  const main = (a - 0.5) * Math.log(ratio) - b * Math.log1p(a / b);
  return main - 0.5 * Math.log(b) + HALF_LOG_2PI + rest;
}
