// The types of elements. Of each kind there is one storage, whatever width was asked for.
import { NDArray } from "./array.js";
import { typeError } from "./errors.js";

function type(name, kind, itemsize) {
  const made = (value = kind === "U" ? "" : 0) =>
    value instanceof NDArray ? value.astype(made) : CASTS[kindOf(made)](value);
  Object.defineProperty(made, "name", { value: name });
  Object.defineProperty(made, "type", { get: () => made });
  Object.assign(made, { kind, itemsize, char: kind, newbyteorder: () => made });
  made.toString = () => name;
  made.__eq__ = (other) => dtype(other) === made;
  return made;
}

const CASTS = {
  f: Number,
  i: (value) => Math.trunc(Number(value)),
  b: Boolean,
  U: String,
  O: (value) => value,
};

export const float64 = /* @__PURE__ */ type("float64", "f", 8);
export const float32 = /* @__PURE__ */ type("float32", "f", 4);
export const float16 = /* @__PURE__ */ type("float16", "f", 2);
export const longdouble = float64;
export const int64 = /* @__PURE__ */ type("int64", "i", 8);
export const int32 = /* @__PURE__ */ type("int32", "i", 4);
export const intp = int64;
export const uint8 = /* @__PURE__ */ type("uint8", "u", 1);
export const bool_ = /* @__PURE__ */ type("bool", "b", 1);
export const str_ = /* @__PURE__ */ type("str", "U", 0);
export const object_ = /* @__PURE__ */ type("object", "O", 8);

export const ofKind = (kind) => ({ f: float64, i: int64, b: bool_, U: str_, O: object_ })[kind];

/** The kind asked for, or null where none was. */
export function kindOf(given) {
  if (given === null || given === undefined) return null;
  if (given.kind !== undefined) return given.kind === "u" ? "i" : given.kind;
  if ("bU".includes(given)) return given;
  const letter = /^[<>=|]?(float|int|uint|intp|bool|str|object|f|d|i|u|p|\?|U|S|O)/.exec(given);
  if (letter === null) throw typeError(`data type '${given}' not understood`);
  return KINDS[letter[1]] ?? letter[1][0];
}

const KINDS = { d: "f", u: "i", uint: "i", p: "i", "?": "b", str: "U", S: "U", object: "O" };

/** The type that stands for what was given: a type, Python's own, a name, or an array's. */
export function dtype(given) {
  if (given instanceof NDArray) return given.dtype;
  if (typeof given === "function" && given.kind !== undefined) return given;
  const found = typeof given === "string" ? BY_NAME()[given] : undefined;
  return found ?? ofKind(kindOf(given));
}

const BY_NAME = () => ({ float32, int32, uint8, f4: float32, i4: int32, u1: uint8 });

export function finfo() {
  return {
    eps: Number.EPSILON,
    max: Number.MAX_VALUE,
    min: -Number.MAX_VALUE,
    tiny: 2 ** -1022,
    smallest_normal: 2 ** -1022,
    smallest_subnormal: Number.MIN_VALUE,
    bits: 64,
    nmant: 52,
    dtype: float64,
  };
}

/** Whatever counts needs no width of its own here. */
export const min_scalar_type = (value) => (Number.isInteger(Number(value)) ? int64 : float64);
