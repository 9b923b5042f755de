// Python's format(), by its mini-language for strings, ints and floats.

import { TypeError_, ValueError_ } from "../errors.js";
import { exponential, fixed, positional, significant } from "./decimals.js";
import { aligned } from "./padding.js";
import { numberText, str } from "./repr.js";

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;

// Few specifiers are used often.
const KNOWN = new Map();

function parsed(spec) {
  if (!KNOWN.has(spec)) KNOWN.set(spec, read(spec));
  return KNOWN.get(spec);
}

function read(spec) {
  const found = SPEC.exec(spec);
  if (found === null) throw new ValueError_(`Invalid format specifier '${spec}'`);
  const [, fill, align, sign, keep, zero, width, group = "", places, type = ""] = found;
  return {
    fill: fill ?? zero ?? " ",
    align: align ?? (zero ? "=" : null),
    sign: sign === "-" ? "" : sign ?? "",
    keep: keep !== undefined,
    width: Number(width ?? 0),
    group,
    places: places === undefined ? null : Number(places),
    type,
  };
}

export function format(value, spec = "") {
  if (typeof value?.__format__ === "function") return value.__format__(spec);
  if (spec === "") return str(value);
  if (typeof value === "string") return ofString(value, parsed(spec));
  if (typeof value === "number" || typeof value === "boolean") {
    return ofNumber(Number(value), parsed(spec));
  }
  const kind = value === null ? "NoneType" : value.constructor.name;
  throw new TypeError_(`unsupported format string passed to ${kind}.__format__`);
}

const unknown = (type, kind) =>
  new ValueError_(`Unknown format code '${type}' for object of type '${kind}'`);

function ofString(value, { fill, align, width, places, type }) {
  if (type !== "" && type !== "s") throw unknown(type, "str");
  const text = places === null ? value : [...value].slice(0, places).join("");
  // A zero before the width is a fill only.
  return aligned(text, align === "=" || align === null ? "<" : align, width, fill);
}

function ofNumber(value, spec) {
  const x = spec.type === "%" ? 100 * value : value;
  const [text, negative] = Number.isFinite(x) ? digitsOf(x, spec) : named(x, spec);
  const sign = negative ? "-" : spec.sign;
  const { fill, align, width } = spec;
  const inside = align === "=";
  const room = inside && fill === "0" ? width - sign.length : 0;
  const grouped = spec.group === "" ? text : separated(text, spec.group, room);
  if (!inside) return aligned(sign + grouped, align ?? ">", width, fill);
  return sign + aligned(grouped, ">", width - sign.length, fill);
}

function named(x, { type }) {
  const text = numberText(Math.abs(x)) + (type === "%" ? "%" : "");
  return [cased(text, type), x < 0];
}

const cased = (text, type) => (/[A-Z]/.test(type) ? text.toUpperCase() : text);

/** A finite number's digits without its sign, and whether it has one. */
function digitsOf(x, { type, places, keep }) {
  const size = Math.abs(x);
  const negative = x < 0 || Object.is(x, -0);
  const [marker, count] = [type === type.toLowerCase() ? "e" : "E", places ?? 6];
  switch (type.toLowerCase()) {
    case "f":
      return [fixed(size, count), negative];
    case "%":
      return [`${fixed(size, count)}%`, negative];
    case "e":
      return [exponential(...significant(size, count + 1), marker), negative];
    case "g":
      return [general(size, count, 0, keep, marker), negative];
    case "d":
    case "x":
      if (!Number.isInteger(x)) throw unknown(type, "float");
      return [cased(BigInt(size).toString(type === "d" ? 10 : 16), type), x < 0];
    case "":
      if (places === null) return [numberText(size), x < 0];
      return [pointed(general(size, places, 1, keep, marker)), negative];
    default:
      throw unknown(type, "float");
  }
}

/** As `g` has it; `margin` is how many digits less than the precision go without an exponent. */
function general(x, places, margin, keep, marker) {
  const count = Math.max(places, 1);
  const [rounded, power] = significant(x, count);
  const digits = keep ? rounded : rounded.replace(/(?!^)0+$/, "");
  if (power < -4 || power >= count - margin) return exponential(digits, power, marker);
  return positional(digits, power);
}

/** A float's text has a point or an exponent. */
const pointed = (text) => (/[.e]/.test(text) ? text : `${text}.0`);

/** The whole part in groups of three, of so many characters at least with what follows it. */
function separated(text, mark, room) {
  const [whole] = /^\d*/.exec(text);
  if (whole === "") return text;
  const rest = text.slice(whole.length);
  const least = room - rest.length;
  // Of every four characters from the end one is a mark, which does not come first.
  const digits = whole.padStart(least - Math.floor((least - 1) / 4), "0");
  return digits.replace(/\B(?=(\d{3})+$)/g, mark) + rest;
}
