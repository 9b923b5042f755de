// Python's operators: of numbers as they are, of arrays as NumPy's, of other values as their own.
import * as np from "./numpy.js";
import { NDArray } from "./numpy.js";
import { Kw } from "./kw.js";
import { Dict, PySet } from "./mappings.js";
import { keyOf, Record } from "./values.js";

/** An operator: what it does to two numbers, to arrays, and which methods say it of others. */
function operator(ofNumbers, ofArrays, method, reflected, ofOthers) {
  return (a, b) => {
    const [kind, other] = [typeof a, typeof b];
    if (kind === "number" && other === "number") return ofNumbers(a, b);
    if (a instanceof NDArray || b instanceof NDArray) return ofArrays(a, b);
    if (kind === "object" && a !== null && a[method]) return a[method](b);
    if (other === "object" && b !== null && b[reflected]) return b[reflected](a);
    const found = ofOthers?.(a, b);
    if (found !== undefined) return found;
    return ofNumbers(Number(a), Number(b));
  };
}

export const add = operator(
  (a, b) => a + b,
  np.add,
  "__add__",
  "__radd__",
  (a, b) => {
    if (typeof a === "string") return a + b;
    return Array.isArray(a) ? [...a, ...b] : undefined;
  },
);

export const sub = operator(
  (a, b) => a - b,
  np.subtract,
  "__sub__",
  "__rsub__",
  (a, b) => (a instanceof PySet ? a.difference(b) : undefined),
);

export const mul = operator((a, b) => a * b, np.multiply, "__mul__", "__rmul__", repeated);

function repeated(a, b) {
  if (typeof a === "string") return a.repeat(Math.max(Number(b), 0));
  if (typeof b === "string") return repeated(b, a);
  if (Array.isArray(a)) return Array.from({ length: Math.max(Number(b), 0) }, () => a).flat(1);
  return Array.isArray(b) ? repeated(b, a) : undefined;
}

export const div = operator((a, b) => a / b, np.divide, "__truediv__", "__rtruediv__");
export const floordiv = operator((a, b) => Math.floor(a / b), np.floor_divide, "__floordiv__");
export const mod = operator((a, b) => a - b * Math.floor(a / b), np.mod, "__mod__");
export const pow = operator(power, np.power, "__pow__");
export const matmul = operator((a, b) => a * b, np.matmul, "__matmul__", "__rmatmul__");

/** Squares and roots as products: what the engine's own power rounds may differ by a bit. */
function power(a, b) {
  return b === 2 ? a * a : b === 0.5 ? Math.sqrt(a) : a ** b;
}

const whole = (ofBits) => (a, b) => Number(ofBits(BigInt(a), BigInt(b)));

export const lshift = operator((a, b) => a * 2 ** b, np.left_shift);
export const rshift = operator((a, b) => Math.floor(a / 2 ** b), np.right_shift);
export const bitand = operator(
  whole((a, b) => a & b),
  np.bitwise_and,
  "__and__",
  "__rand__",
  (a, b) => {
    if (a instanceof PySet) return a.intersection(b);
    return typeof a === "boolean" && typeof b === "boolean" ? a && b : undefined;
  },
);
export const bitor = operator(
  whole((a, b) => a | b),
  np.bitwise_or,
  "__or__",
  "__ror__",
  (a, b) => {
    if (a instanceof PySet) return a.union(b);
    if (a instanceof Dict) return new Dict([...a.items(), ...b.items()]);
    return typeof a === "boolean" && typeof b === "boolean" ? a || b : undefined;
  },
);
export const bitxor = operator(
  whole((a, b) => a ^ b),
  np.bitwise_xor,
  "__xor__",
  "__rxor__",
  (a, b) => (typeof a === "boolean" && typeof b === "boolean" ? a !== b : undefined),
);

export function neg(a) {
  if (typeof a === "number") return -a;
  return a instanceof NDArray ? np.negative(a) : a.__neg__?.() ?? -Number(a);
}

export function invert(a) {
  if (a instanceof NDArray) return np.invert(a);
  return typeof a === "boolean" ? !a : ~a;
}

function comparison(ofPlain, ofArrays) {
  return (a, b) => {
    if (a instanceof NDArray || b instanceof NDArray) return ofArrays(a, b);
    if (Array.isArray(a) && Array.isArray(b)) return ofPlain(ranked(a, b), 0);
    if (a instanceof PySet) return subset(ofPlain, a, b);
    return ofPlain(a, b);
  };
}

function subset(ofPlain, a, b) {
  const [within, around] = [a.issubset(b), b.issubset(a)];
  return ofPlain(within && around ? 0 : within ? -1 : around ? 1 : NaN, 0);
}

/** Which of two sequences comes first: below 0 the first, 0 if they are equal. */
function ranked(a, b) {
  for (let k = 0; k < Math.min(a.length, b.length); k++) {
    if (Array.isArray(a[k])) {
      const found = ranked(a[k], b[k]);
      if (found !== 0) return found;
    } else if (a[k] !== b[k]) return a[k] < b[k] ? -1 : 1;
  }
  return a.length - b.length;
}

export const lt = comparison((a, b) => a < b, np.less);
export const le = comparison((a, b) => a <= b, np.less_equal);
export const gt = comparison((a, b) => a > b, np.greater);
export const ge = comparison((a, b) => a >= b, np.greater_equal);

export function eq(a, b) {
  if (a instanceof NDArray || b instanceof NDArray) return np.equal(a, b);
  if (a === b) return true;
  // The types of elements, of which NumPy's and Python's own stand for each other.
  if (typeof a === "function" && typeof b === "function") return a.kind && a.kind === b.kind;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return typeof a === "boolean" || typeof b === "boolean" ? Number(a) === Number(b) : false;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (a instanceof Record) return eq([...a], b);
    if (b instanceof Record) return eq(a, [...b]);
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, k) => truth(eq(x, b[k])));
  }
  if (a.__eq__) return a.__eq__(b);
  if (a instanceof Dict && b instanceof Dict) {
    return a.length === b.length && a.items().every(([k, v]) => b.has(k) && truth(eq(v, b.find(k))));
  }
  if (a.constructor !== b.constructor) return false;
  if (a.constructor.$eq) return a.constructor.$fields.every((name) => truth(eq(a[name], b[name])));
  return a instanceof PySet && keyOf(a) === keyOf(b);
}

export function ne(a, b) {
  const found = eq(a, b);
  return found instanceof NDArray ? np.invert(found) : !found;
}

/** Whether Python takes a value for true. */
export function truth(value) {
  switch (typeof value) {
    case "boolean":
      return value;
    case "number":
      return value !== 0;
    case "string":
      return value !== "";
    case "undefined":
      throw new Error("a value is missing");
    default:
  }
  if (value === null) return false;
  if (value instanceof NDArray) {
    if (value.size > 1) throw new Error("the truth of an array is that of no one element");
    return value.size === 1 && Boolean(value.data[0]);
  }
  if (Array.isArray(value) || value instanceof Dict || value instanceof PySet) {
    return value.length > 0;
  }
  if (value instanceof Kw) throw new Error("arguments by name came where none are known");
  if (value.__bool__) return value.__bool__();
  return value.__len__ ? value.__len__() > 0 : true;
}

const UFUNCS = {
  add: np.add,
  sub: np.subtract,
  mul: np.multiply,
  div: np.divide,
  floordiv: np.floor_divide,
  mod: np.mod,
  pow: np.power,
  matmul: np.matmul,
  bitand: np.bitwise_and,
  bitor: np.bitwise_or,
  bitxor: np.bitwise_xor,
  lshift: np.left_shift,
  rshift: np.right_shift,
};
const OPERATORS = {
  add,
  sub,
  mul,
  div,
  floordiv,
  mod,
  pow,
  matmul,
  bitand,
  bitor,
  bitxor,
  lshift,
  rshift,
};

export { done } from "./numpy.js";

/** `a += b` and the like: an array is changed where it is. */
export function inplace(name, a, b) {
  if (a instanceof NDArray && a.ndim > 0) return np.inplace(a, UFUNCS[name], b);
  if (a instanceof Dict && name === "bitor") {
    a.update(b);
    return a;
  }
  return OPERATORS[name](a, b);
}
