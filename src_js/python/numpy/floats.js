// The bits of floats.
import { calling } from "./arithmetic.js";
import { each } from "./elementwise.js";
import { fresh, lone, operand } from "./storage.js";
import { binary, unary } from "./ufunc.js";

const double = /* @__PURE__ */ new Float64Array(1);
const words = /* @__PURE__ */ new Uint32Array(double.buffer);

function next(x, y) {
  if (x !== x || y !== y) return NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  double[0] = x;
  const up = y > x === x > 0;
  const low = words[0];
  words[0] = up ? low + 1 : low - 1;
  if (up && low === 0xffffffff) words[1] += 1;
  else if (!up && low === 0) words[1] -= 1;
  return double[0];
}

const signed = (x) => {
  double[0] = x;
  return words[1] >>> 31;
};

export const nextafter = /* @__PURE__ */ binary("nextafter", {
  f: [/* @__PURE__ */ calling(next), "f"],
});

export const copysign = /* @__PURE__ */ binary("copysign", {
  f: [/* @__PURE__ */ calling((x, y) => (signed(x) === signed(y) ? x : -x)), "f"],
});

export const signbit = /* @__PURE__ */ unary("signbit", { f: [/* @__PURE__ */ each(signed), "b"] });

export const spacing = /* @__PURE__ */ unary("spacing", {
  f: [
    /* @__PURE__ */ each((x) => {
      if (x - x !== 0) return NaN;
      return x < 0 ? next(x, -Infinity) - x : next(x, Infinity) - x;
    }),
    "f",
  ],
});

// In two steps, as one power of 2 may be beyond the floats where the product is not.
function scaled(x, power) {
  let n = Math.max(-2200, Math.min(2200, power));
  let found = x;
  for (; n > 1000; n -= 1000) found *= 2 ** 1000;
  // What leaves the normal numbers is to be rounded once.
  for (; n < -1000 && Math.abs(found) >= 2 ** -20; n += 1000) found *= 2 ** -1000;
  if (n < -1000) {
    found *= 2 ** -1000;
    n += 1000;
  }
  return found * 2 ** Math.max(n, -1074) * (n < -1074 ? 2 ** (n + 1074) : 1);
}

export const ldexp = /* @__PURE__ */ binary("ldexp", {
  f: [/* @__PURE__ */ calling(scaled), "f"],
});

function exponent(x) {
  if (x === 0 || x - x !== 0) return 0;
  double[0] = x;
  const found = (words[1] >>> 20) & 0x7ff;
  return found === 0 ? exponent(x * 2 ** 54) - 54 : found - 1022;
}

export function frexp(a) {
  const x = operand(a);
  const part = fresh("f", x.shape);
  const powers = fresh("i", x.shape);
  for (let k = 0; k < x.size; k++) {
    const power = exponent(x.data[k]);
    powers.data[k] = power;
    part.data[k] = scaled(x.data[k], -power);
  }
  return [lone(part), lone(powers)];
}

export function modf(a) {
  const x = operand(a);
  const whole = fresh("f", x.shape);
  const part = fresh("f", x.shape);
  for (let k = 0; k < x.size; k++) {
    whole.data[k] = Math.trunc(x.data[k]);
    // Nothing is left of an infinity, and what is left has the number's sign.
    const size = Math.abs(x.data[k]);
    const rest = size === Infinity ? 0 : size - Math.floor(size);
    part.data[k] = signed(x.data[k]) ? -rest : rest;
  }
  return [lone(part), lone(whole)];
}
