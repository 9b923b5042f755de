// Functions of one element, and bounds on it.
import { Kw } from "../kw.js";
import { maximum, minimum } from "./comparing.js";
import { named } from "./named.js";
import { done } from "./spare.js";
import { lone, operand } from "./storage.js";
import { options, placed, unary } from "./ufunc.js";

/** A loop that calls a function. */
export function each(f) {
  return (out, a, n) => {
    for (let k = 0; k < n; k++) out[k] = f(a[k]);
  };
}

const floats = (name, f) => unary(name, { f: [each(f), "f"] });

export const exp = /* @__PURE__ */ floats("exp", Math.exp);
export const expm1 = /* @__PURE__ */ floats("expm1", Math.expm1);
export const log = /* @__PURE__ */ floats("log", Math.log);
export const log1p = /* @__PURE__ */ floats("log1p", Math.log1p);
export const cos = /* @__PURE__ */ floats("cos", Math.cos);
export const cbrt = /* @__PURE__ */ floats("cbrt", Math.cbrt);

const roots = (out, a, n) => {
  for (let k = 0; k < n; k++) out[k] = Math.sqrt(a[k]);
};

export const sqrt = /* @__PURE__ */ unary("sqrt", { f: [roots, "f"] });

const squares = (out, a, n) => {
  for (let k = 0; k < n; k++) out[k] = a[k] * a[k];
};

export const square = /* @__PURE__ */ unary("square", {
  b: [squares, "i"],
  i: [squares, "i"],
  f: [squares, "="],
});

const sizes = (out, a, n) => {
  for (let k = 0; k < n; k++) out[k] = Math.abs(a[k]);
};

export const absolute = /* @__PURE__ */ unary("absolute", {
  b: [sizes, "b"],
  i: [sizes, "i"],
  f: [sizes, "="],
});
export const abs = absolute;

const reciprocals = (out, a, n) => {
  for (let k = 0; k < n; k++) out[k] = 1 / a[k];
};

// Whole numbers may be floats as well, and of those alone anyone asks it.
export const reciprocal = /* @__PURE__ */ unary("reciprocal", { f: [reciprocals, "f"] });

export const sign = /* @__PURE__ */ unary("sign", {
  i: [/* @__PURE__ */ each((x) => (x > 0 ? 1 : x < 0 ? -1 : 0)), "i"],
  f: [/* @__PURE__ */ each((x) => (x > 0 ? 1 : x < 0 ? -1 : x === 0 ? 0 : x)), "="],
});

const tested = (name, loop) => unary(name, { f: [loop, "b"] });

export const isnan = /* @__PURE__ */ tested("isnan", (out, a, n) => {
  for (let k = 0; k < n; k++) out[k] = a[k] !== a[k] ? 1 : 0;
});

export const isfinite = /* @__PURE__ */ tested("isfinite", (out, a, n) => {
  for (let k = 0; k < n; k++) out[k] = a[k] - a[k] === 0 ? 1 : 0;
});

export const isinf = /* @__PURE__ */ tested("isinf", (out, a, n) => {
  for (let k = 0; k < n; k++) out[k] = a[k] === Infinity || a[k] === -Infinity ? 1 : 0;
});

export const isneginf = /* @__PURE__ */ tested("isneginf", (out, a, n) => {
  for (let k = 0; k < n; k++) out[k] = a[k] === -Infinity ? 1 : 0;
});

export const isnat = /* @__PURE__ */ tested("isnat", (out, a, n) => {
  out.fill(0, 0, n);
});

/** Values within bounds, of which either may be null. */
export function clip(a, ...args) {
  const given = named(args, ["a_min", "a_max", "out"]);
  const low = given.a_min ?? given.min ?? null;
  const high = given.a_max ?? given.max ?? null;
  // NumPy gives the bound where a value equals it, and its zero may be of the other sign.
  let found = operand(a);
  if (low !== null) found = done(maximum(low, found));
  if (high !== null) found = minimum(high, found);
  if (low === null && high === null) found = found.copy();
  const made = operand(found);
  made.spare = false;
  const { out } = options(new Kw(given));
  return out === null ? lone(made) : placed(made, out, true);
}
