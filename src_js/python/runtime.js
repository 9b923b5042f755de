// All that a translated program finds under `py`.
import { repr } from "./text.js";
import { writeBy } from "./values.js";

export { Kw } from "./kw.js";
export * from "./builtins.js";
export * from "./calling.js";
export * from "./dataclasses.js";
export * from "./errors.js";
export * from "./iterating.js";
export * from "./kinds.js";
export * from "./mappings.js";
export * from "./operators.js";
export * from "./values.js";
export * as math from "./math.js";

writeBy((value) => repr(value));
export const NotImplemented_ = Symbol("NotImplemented");
