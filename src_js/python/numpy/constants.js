// Numbers by name, and what a page has no use for.
import { bool_ } from "./dtypes.js";
import { asarray, zeros_like } from "./making.js";

export const inf = Infinity;
export const nan = NaN;
export const pi = Math.PI;

/** No array here hides any of its elements. */
class MaskedArray {}

export const ma = {
  is_masked: () => false,
  asarray: (a) => asarray(a),
  getmaskarray: (a) => zeros_like(a, bool_),
  MaskedArray,
};
