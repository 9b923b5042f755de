// Which kinds of values there are, as isinstance tells them.
import * as np from "./numpy.js";
import { bool_, bytes_, float_, int_, list_, object_, str_, tuple_ } from "./builtins.js";
import { partial } from "./calling.js";
import { Dict, dict_, frozenset_, PySet, set_ } from "./mappings.js";

export const Integral = Symbol("Integral");
export const Real = Symbol("Real");
export const Mapping = Symbol("Mapping");
export const Sequence = Symbol("Sequence");
export const Collection = Symbol("Collection");
export const Iterable = Symbol("Iterable");
export const Callable = Symbol("Callable");
export const Never = Symbol("Never");

const isArray = Array.isArray;
const isNumber = (value) => typeof value === "number";
const TESTS = new Map([
  [float_, isNumber],
  [int_, (value) => Number.isInteger(value)],
  [Integral, (value) => Number.isInteger(value)],
  [Real, isNumber],
  [bool_, (value) => typeof value === "boolean"],
  [str_, (value) => typeof value === "string"],
  [bytes_, () => false],
  [object_, () => true],
  [Never, () => false],
  [tuple_, isArray],
  [list_, isArray],
  [Sequence, isArray],
  [dict_, (value) => value instanceof Dict],
  [Mapping, (value) => value instanceof Dict],
  [set_, (value) => value instanceof PySet],
  [frozenset_, (value) => value instanceof PySet],
  [partial, () => false],
  [Callable, (value) => typeof value === "function"],
  [Iterable, (value) => value !== null && typeof value === "object" && Symbol.iterator in value],
  [Collection, (value) => isArray(value) || value instanceof Dict || value instanceof PySet],
  [np.ndarray, (value) => value instanceof np.NDArray],
]);

/** Whether a value is of a class that a kind is mixed into. */
function isMixedIn(value, kind) {
  if (!Object.hasOwn(kind, "$into")) return false;
  return kind.$into.some((other) => isinstance(value, [other]));
}

/** Whether a value is of one of some kinds; null stands for None, as Python has it in unions. */
export function isinstance(value, kinds) {
  return kinds.flat(Infinity).some((kind) => {
    if (kind === null) return value === null;
    const test = TESTS.get(kind);
    if (test) return test(value);
    return typeof kind === "function" && (value instanceof kind || isMixedIn(value, kind));
  });
}
