// Rounding to whole numbers, and the bits of those.
import { both, calling, divide, either, multiply } from "./arithmetic.js";
import { each } from "./elementwise.js";
import { named } from "./named.js";
import { lone, operand } from "./storage.js";
import { binary, placed, unary } from "./ufunc.js";

const whole = (name, f) => {
  const kept = each((x) => x);
  return unary(name, { b: [kept, "b"], i: [kept, "i"], f: [each(f), "="] });
};

/** The nearest whole number, of two as near the even one. */
function nearest(x) {
  if (!(Math.abs(x) < 4503599627370496)) return x;
  const shifted = Math.abs(x) + 4503599627370496 - 4503599627370496;
  return x < 0 || Object.is(x, -0) ? -shifted : shifted;
}

export const floor = /* @__PURE__ */ whole("floor", Math.floor);
export const ceil = /* @__PURE__ */ whole("ceil", Math.ceil);
export const rint = /* @__PURE__ */ unary("rint", { f: [/* @__PURE__ */ each(nearest), "f"] });

export function round(a, ...args) {
  const { decimals = 0, out = null } = named(args, ["decimals", "out"]);
  const x = operand(a);
  let found = x;
  if (x.kind === "f" || decimals < 0) {
    const scale = 10 ** Math.abs(decimals);
    if (decimals === 0) found = operand(rint(x));
    else if (decimals > 0) found = operand(divide(rint(multiply(x, scale)), scale));
    else found = operand(multiply(rint(divide(x, scale)), scale));
    if (x.kind === "i") found = found.astype("i");
  } else {
    found = x.kind === "b" ? x.astype("f") : x.copy();
  }
  return out === null ? lone(found) : placed(found, out, true);
}

/** Bits of more than 32 are beyond what JavaScript's operators see. */
const wide = (small, large) => (x, y) =>
  (x | 0) === x && (y | 0) === y
    ? small(x, y)
    : Number(BigInt.asIntN(64, large(BigInt(x), BigInt(y))));

const bitwise = (name, small, large, unit, flags = calling(small)) =>
  binary(
    name,
    { b: [flags, "b"], i: [calling(wide(small, large)), "i"] },
    { fold: wide(small, large), unit },
  );

export const bitwise_and = /* @__PURE__ */ bitwise(
  "bitwise_and",
  (x, y) => x & y,
  (x, y) => x & y,
  -1,
  both,
);

export const bitwise_or = /* @__PURE__ */ bitwise(
  "bitwise_or",
  (x, y) => x | y,
  (x, y) => x | y,
  0,
  either,
);

export const bitwise_xor = /* @__PURE__ */ bitwise(
  "bitwise_xor",
  (x, y) => x ^ y,
  (x, y) => x ^ y,
  0,
);

export const left_shift = /* @__PURE__ */ binary("left_shift", {
  i: [/* @__PURE__ */ calling((x, y) => x * 2 ** y), "i"],
});

export const right_shift = /* @__PURE__ */ binary("right_shift", {
  i: [/* @__PURE__ */ calling((x, y) => Math.floor(x / 2 ** y)), "i"],
});

export const invert = /* @__PURE__ */ unary("invert", {
  b: [
    (out, a, n) => {
      for (let k = 0; k < n; k++) out[k] = a[k] ^ 1;
    },
    "b",
  ],
  i: [/* @__PURE__ */ each((x) => -1 - x), "i"],
});
