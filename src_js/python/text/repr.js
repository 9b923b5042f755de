// repr and str.

import { exponential, positional, shortest } from "./decimals.js";

// From this power of ten on and below that one, Python writes an exponent.
const LARGE = 16;
const TINY = -4;

/** A number's text: a whole one's as an int's, as 5.0 is not told from 5. */
export function numberText(x) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x < 0 ? "-inf" : "inf";
  if (x === 0) return "0";
  const [digits, power] = shortest(Math.abs(x));
  const plain = power >= TINY && power < LARGE;
  return (x < 0 ? "-" : "") + (plain ? positional(digits, power) : exponential(digits, power));
}

const NAMED = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
// What Python calls not printable; the space is.
const HIDDEN = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function escaped(c) {
  if (c in NAMED) return NAMED[c];
  const code = c.codePointAt(0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}

function quoted(s) {
  const quote = s.includes("'") && !s.includes('"') ? '"' : "'";
  const text = s.replace(HIDDEN, escaped);
  return quote + (quote === "'" ? text.replaceAll("'", "\\'") : text) + quote;
}

export function repr(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value.__repr__ === "function") return value.__repr__();
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  return String(value);
}

export function str(value) {
  if (typeof value === "string") return value;
  return typeof value?.__str__ === "function" ? value.__str__() : repr(value);
}
