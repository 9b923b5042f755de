// Comparisons, logic, and the greater or lesser of two.
import { binary } from "./ufunc.js";
import { calling } from "./arithmetic.js";

const below = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] < b[j] ? 1 : 0;
};

const belowOrAt = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] <= b[j] ? 1 : 0;
};

const above = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] > b[j] ? 1 : 0;
};

const aboveOrAt = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] >= b[j] ? 1 : 0;
};

const same = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] === b[j] ? 1 : 0;
};

const other = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] !== b[j] ? 1 : 0;
};

const comparison = (name, loop) => binary(name, { f: [loop, "b"], U: [loop, "b"] });

export const less = /* @__PURE__ */ comparison("less", below);
export const less_equal = /* @__PURE__ */ comparison("less_equal", belowOrAt);
export const greater = /* @__PURE__ */ comparison("greater", above);
export const greater_equal = /* @__PURE__ */ comparison("greater_equal", aboveOrAt);
export const equal = /* @__PURE__ */ comparison("equal", same);
export const not_equal = /* @__PURE__ */ comparison("not_equal", other);

const and = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] && b[j] ? 1 : 0;
};

// A NaN is true, unlike to JavaScript.
const truth = (x) => Boolean(x) || x !== x;

const numbers = (f) => calling((x, y) => (f(truth(x), truth(y)) ? 1 : 0));

export const logical_and = /* @__PURE__ */ binary(
  "logical_and",
  { b: [and, "b"], f: [/* @__PURE__ */ numbers((x, y) => x && y), "b"] },
  { fold: (x, y) => (truth(x) && truth(y) ? 1 : 0), unit: 1 },
);

export const logical_or = /* @__PURE__ */ binary(
  "logical_or",
  { f: [/* @__PURE__ */ numbers((x, y) => x || y), "b"] },
  { fold: (x, y) => (truth(x) || truth(y) ? 1 : 0), unit: 0 },
);

const greatest = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) {
    const x = a[i];
    const y = b[j];
    out[o + k] = x >= y || x !== x ? x : y;
  }
};

const least = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) {
    const x = a[i];
    const y = b[j];
    out[o + k] = x <= y || x !== x ? x : y;
  }
};

const known = (f) => (x, y) => (x !== x ? y : y !== y ? x : f(x, y));

const greaterOf = (x, y) => (x >= y || x !== x ? x : y);
const lesserOf = (x, y) => (x <= y || x !== x ? x : y);
const knownGreater = /* @__PURE__ */ known(greaterOf);
const knownLesser = /* @__PURE__ */ known(lesserOf);

export const maximum = /* @__PURE__ */ binary(
  "maximum",
  { b: [greatest, "b"], i: [greatest, "i"], f: [greatest, "="] },
  { fold: greaterOf },
);

export const minimum = /* @__PURE__ */ binary(
  "minimum",
  { b: [least, "b"], i: [least, "i"], f: [least, "="] },
  { fold: lesserOf },
);

export const fmax = /* @__PURE__ */ binary(
  "fmax",
  { b: [greatest, "b"], i: [greatest, "i"], f: [/* @__PURE__ */ calling(knownGreater), "="] },
  { fold: knownGreater },
);

export const fmin = /* @__PURE__ */ binary(
  "fmin",
  { b: [least, "b"], i: [least, "i"], f: [/* @__PURE__ */ calling(knownLesser), "="] },
  { fold: knownLesser },
);
