// The bits of floats.
import { calling } from "./arithmetic.js";
import { binary } from "./ufunc.js";

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
