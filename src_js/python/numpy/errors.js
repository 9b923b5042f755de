// Python's errors, as NumPy raises them.
import * as errors from "../errors.js";

export const valueError = (text) => new errors.ValueError_(text);
export const indexError = (text) => new errors.IndexError_(text);
export const typeError = (text) => new errors.TypeError_(text);
