// Python's text of values for translated code, and its methods of strings.

export { format } from "./text/format.js";
export { repr, str } from "./text/repr.js";
export * from "./text/methods.js";
