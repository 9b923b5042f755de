// Storage that nobody needs any longer, kept for what is found next: to allocate is slow.

const kept = new Map();
let total = 0;
const MOST = 1 << 20;
// What is so short lies in JavaScript's own heap, where there is no need of it.
const SHORT = 8;

/** Says that a value is nobody's but the next function's; the array itself then. */
export function done(value) {
  if (value !== null && typeof value === "object" && value.spare === false) value.spare = true;
  return value;
}

/** Takes the storage of an array that is nobody's any longer. */
export function spend(a) {
  const { data } = a;
  const n = data.length;
  if (n <= SHORT || a.origin !== null || !(data instanceof Float64Array)) return;
  if (total + n > MOST) {
    kept.clear();
    total = 0;
  }
  total += n;
  const own = kept.get(n);
  if (own === undefined) kept.set(n, [data]);
  else own.push(data);
}

/** Storage for n floats, which are anything at first. */
export function scratch(n) {
  const own = n > SHORT ? kept.get(n) : undefined;
  if (own === undefined || own.length === 0) return new Float64Array(n);
  total -= n;
  return own.pop();
}
