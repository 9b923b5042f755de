// Numbers by name, and what a page has no use for.
import { bool_ } from "./dtypes.js";
import { typeError } from "./errors.js";
import { asarray, zeros_like } from "./making.js";

export const inf = Infinity;
export const nan = NaN;
export const pi = Math.PI;
export const e = Math.E;

/** Nothing warns here, so that there is nothing to silence. */
export const errstate = () => ({ __enter__: () => null, __exit__: () => false });

const absent = () => {
  throw typeError("Random numbers are not on the page.");
};

export const random = { default_rng: absent, SeedSequence: absent };

/** No array here hides any of its elements. */
class MaskedArray {}

export const ma = {
  is_masked: () => false,
  asarray: (a) => asarray(a),
  getmaskarray: (a) => zeros_like(a, bool_),
  MaskedArray,
};
