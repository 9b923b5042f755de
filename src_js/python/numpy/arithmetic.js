// Arithmetic of two. Each loop is written out, since a call for each element would be far slower.
import { binary, unary } from "./ufunc.js";
import { operand } from "./storage.js";
import { reciprocal, sqrt, square } from "./elementwise.js";

const plus = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] + b[j];
};

const minus = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] - b[j];
};

const times = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] * b[j];
};

// Integers have no zero below zero.
const wholeTimes = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] * b[j] + 0;
};

const over = (out, o, a, i, p, b, j, q, n) => {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] / b[j];
};

export function either(out, o, a, i, p, b, j, q, n) {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] | b[j];
}

export function both(out, o, a, i, p, b, j, q, n) {
  for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = a[i] & b[j];
}

/** A loop that calls a function, for what is slow anyway or rare. */
export function calling(f) {
  return (out, o, a, i, p, b, j, q, n) => {
    for (let k = 0; k < n; k++, i += p, j += q) out[o + k] = f(a[i], b[j]);
  };
}

export const add = /* @__PURE__ */ binary(
  "add",
  { b: [either, "b"], i: [plus, "i"], f: [plus, "="], U: [plus, "U"] },
  { fold: (x, y) => x + y, unit: 0 },
);

export const subtract = /* @__PURE__ */ binary(
  "subtract",
  { i: [minus, "i"], f: [minus, "="] },
  { fold: (x, y) => x - y },
);

export const multiply = /* @__PURE__ */ binary(
  "multiply",
  { b: [both, "b"], i: [wholeTimes, "i"], f: [times, "="] },
  { fold: (x, y) => x * y, unit: 1 },
);

export const divide = /* @__PURE__ */ binary("divide", { i: [over, "f"], f: [over, "="] });

/** What Python's `%` leaves of floats: of the divisor's sign. */
export function modulo(x, y) {
  const left = x % y;
  if (left === 0) return y < 0 || Object.is(y, -0) ? -0 : 0;
  return left < 0 !== y < 0 ? left + y : left;
}

export function floorDivide(x, y) {
  if (y === 0) return x / y;
  const left = x % y;
  let ratio = (x - left) / y;
  if (left !== 0 && left < 0 !== y < 0) ratio -= 1;
  if (ratio === 0) return x / y < 0 || Object.is(x / y, -0) ? -0 : 0;
  const whole = Math.floor(ratio);
  return ratio - whole > 0.5 ? whole + 1 : whole;
}

const wholeModulo = (x, y) => (y === 0 ? 0 : modulo(x, y) + 0);
const wholeDivide = (x, y) => (y === 0 ? 0 : floorDivide(x, y) + 0);

export const mod = /* @__PURE__ */ binary("remainder", {
  i: [/* @__PURE__ */ calling(wholeModulo), "i"],
  f: [/* @__PURE__ */ calling(modulo), "="],
});

export const floor_divide = /* @__PURE__ */ binary("floor_divide", {
  i: [/* @__PURE__ */ calling(wholeDivide), "i"],
  f: [/* @__PURE__ */ calling(floorDivide), "="],
});

export const divmod = (a, b) => [floor_divide(a, b), mod(a, b)];

// C's pow, unlike JavaScript's, has 1 to any power and -1 to an infinite one be 1.
const raised = (x, y) => {
  if (x === 1 || (x === -1 && (y === Infinity || y === -Infinity))) return 1;
  return Math.pow(x, y);
};

const powers = /* @__PURE__ */ binary("power", {
  i: [/* @__PURE__ */ calling((x, y) => wholePower(x, y)), "i"],
  f: [/* @__PURE__ */ calling(raised), "="],
});

// Multiplied out while that is exact, as the general power may not be.
function wholePower(x, y) {
  let found = 1;
  for (let k = 0; k < y && Number.isSafeInteger(found); k++) {
    found *= x;
    if (found === 0 || (found === 1 && k > 2)) return x === -1 && y % 2 ? -1 : found + 0;
  }
  return Number.isSafeInteger(found) ? found : Math.pow(x, y);
}

/** Powers; NumPy takes the plainer way to the commonest ones, which rounds less. */
export function power(a, b, ...rest) {
  if (rest.length === 0 && typeof b === "number") {
    if (b === 2) return square(a);
    if (b === 0.5) return sqrt(a);
    if (b === -1) return reciprocal(a);
  }
  // Whole numbers may be floats as well, and only those have powers below zero.
  const [x, y] = [operand(a), operand(b)];
  const below = x.kind !== "f" && y.kind === "i" && y.data.some((power) => power < 0);
  return powers(below ? x.astype("f") : x, y, ...rest);
}

export const negative = /* @__PURE__ */ unary("negative", {
  i: [
    (out, a, n) => {
      for (let k = 0; k < n; k++) out[k] = 0 - a[k];
    },
    "i",
  ],
  f: [
    (out, a, n) => {
      for (let k = 0; k < n; k++) out[k] = -a[k];
    },
    "=",
  ],
});

export const hypot = /* @__PURE__ */ binary("hypot", {
  f: [/* @__PURE__ */ calling(Math.hypot), "f"],
});
