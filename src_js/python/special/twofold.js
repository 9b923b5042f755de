// Numbers held as unevaluated sums [high, low] of two doubles, of some 31 digits. Powers with large
// exponents need them: an error in the logarithm is multiplied by the exponent.
// Dekker (1971), Numerische Mathematik 18, 224-242.

const SPLITTER = 2 ** 27 + 1;

/** The exact sum of two doubles. */
export function sum(a, b) {
  const high = a + b;
  const rest = high - a;
  return [high, a - (high - rest) + (b - rest)];
}

/** The exact product of two doubles below some 1e300. */
export function product(a, b) {
  const high = a * b;
  const [a0, a1] = halves(a);
  const [b0, b1] = halves(b);
  return [high, a1 * b1 - (high - a0 * b0 - a1 * b0 - a0 * b1)];
}

function halves(a) {
  const scaled = SPLITTER * a;
  const high = scaled - (scaled - a);
  return [high, a - high];
}

export function add(x, y) {
  const [high, low] = sum(x[0], y[0]);
  const [next, last] = sum(x[1], y[1]);
  const [a, b] = normal(high, low + next);
  return normal(a, b + last);
}

export function multiply(x, y) {
  const [high, low] = product(x[0], y[0]);
  return normal(high, low + (x[0] * y[1] + x[1] * y[0]));
}

/** A twofold number times a double. */
export function scale(x, a) {
  const [high, low] = product(x[0], a);
  return normal(high, low + x[1] * a);
}

export function divide(x, y) {
  const first = x[0] / y[0];
  const rest = add(x, scale(y, -first));
  const second = rest[0] / y[0];
  const last = add(rest, scale(y, -second))[0] / y[0];
  return add(normal(first, second), [last, 0]);
}

function normal(high, low) {
  const total = high + low;
  return [total, low - (total - high)];
}

const LOG_2 = [0.6931471805599453, 2.3190468138462996e-17];
// Terms that need both parts, and how many the series has: |s| below is at most 0.172.
const BOTH = 9;
const TERMS = 19;
const odd = Array.from({ length: BOTH }, (_, i) => divide([2, 0], [2 * i + 1, 0]));

/** Logarithm of a positive twofold number: 2 artanh(s), s = (m - 1) / (m + 1), DLMF 4.6.5. */
export function log(x) {
  const power = Math.round(Math.log2(x[0]));
  // In two steps, so that neither factor leaves the range of doubles.
  const [half, rest] = [2 ** -Math.trunc(power / 2), 2 ** -(power - Math.trunc(power / 2))];
  const m = [x[0] * half * rest, x[1] * half * rest];
  const s = divide(add(m, [-1, 0]), add(m, [1, 0]));
  const square = multiply(s, s);
  let tail = 0;
  for (let i = TERMS - 1; i >= BOTH; i--) tail = tail * square[0] + 2 / (2 * i + 1);
  let series = [tail, 0];
  for (let i = BOTH - 1; i >= 0; i--) series = add(multiply(series, square), odd[i]);
  return add(multiply(series, s), scale(LOG_2, power));
}

/** The exponential of a twofold number, as a double. */
export const exp = ([high, low]) => Math.exp(high) * (1 + low);
