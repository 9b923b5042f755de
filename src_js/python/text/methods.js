// Python's methods of strings, as functions of the string.

import { TypeError_, ValueError_ } from "../errors.js";
import { size } from "./padding.js";

export { rjust } from "./padding.js";

// What Python calls white, less and more than JavaScript does.
const WHITE = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

export function join(sep, items) {
  const texts = Array.isArray(items) ? items : Array.from(items);
  const other = texts.findIndex((text) => typeof text !== "string");
  if (other >= 0) throw new TypeError_(`sequence item ${other}: expected str instance`);
  return texts.join(sep);
}

const ends = (chars) => {
  const inside = chars == null ? WHITE : chars.replace(/[\\\]^-]/g, "\\$&");
  return inside === "" ? "(?!)" : `[${inside}]+`;
};

// A search for white at the end would start at each white inside.
const trailing = (s, chars) => {
  const one = new RegExp(`^${ends(chars)}$`, "u");
  const signs = [...s];
  let n = signs.length;
  while (n > 0 && one.test(signs[n - 1])) n--;
  return signs.slice(0, n).join("");
};

export const lstrip = (s, chars = null) => s.replace(new RegExp(`^${ends(chars)}`, "u"), "");

export const rstrip = (s, chars = null) => trailing(s, chars);

export const strip = (s, chars = null) => rstrip(lstrip(s, chars), chars);

export function split(s, sep = null, most = -1) {
  if (sep !== null) return cut(s, sep, most);
  const parts = [];
  let rest = lstrip(s);
  const word = new RegExp(`[${WHITE}]+`, "u");
  while (rest !== "") {
    const found = parts.length === most ? null : word.exec(rest);
    if (found === null) return [...parts, rest];
    parts.push(rest.slice(0, found.index));
    rest = rest.slice(found.index + found[0].length);
  }
  return parts;
}

function cut(s, sep, most) {
  if (sep === "") throw new ValueError_("empty separator");
  const parts = s.split(sep);
  if (most < 0 || parts.length <= most + 1) return parts;
  return [...parts.slice(0, most), parts.slice(most).join(sep)];
}

export function partition(s, sep) {
  if (sep === "") throw new ValueError_("empty separator");
  const at = s.indexOf(sep);
  return at < 0 ? [s, "", ""] : [s.slice(0, at), sep, s.slice(at + sep.length)];
}

const some = (given, test) => (Array.isArray(given) ? given.some(test) : test(given));

export const startswith = (s, prefix) => some(prefix, (one) => s.startsWith(one));

export const endswith = (s, suffix) => some(suffix, (one) => s.endsWith(one));

export const removeprefix = (s, prefix) => (s.startsWith(prefix) ? s.slice(prefix.length) : s);

export const removesuffix = (s, suffix) =>
  suffix !== "" && s.endsWith(suffix) ? s.slice(0, -suffix.length) : s;

export function replace(s, old, other, most = -1) {
  if (most < 0 && old !== "") return s.split(old).join(other);
  const parts = old === "" ? ["", ...s, ""] : s.split(old);
  const joined = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1);
  const rest = parts.slice(joined).join(old);
  return parts.slice(0, joined).map((part) => part + other).join("") + rest;
}

export const count = (s, part) => (part === "" ? size(s) + 1 : s.split(part).length - 1);

/** Places are counted in code points, as Python counts. */
const place = (s, at) => (at < 0 ? -1 : size(s.slice(0, at)));

export const find = (s, part) => place(s, s.indexOf(part));

export function index(s, part) {
  const at = find(s, part);
  if (at < 0) throw new ValueError_("substring not found");
  return at;
}

export const upper = (s) => s.toUpperCase();

export const lower = (s) => s.toLowerCase();

// Two letters in one sign, which have a third form.
const TITLES = { ǆ: "ǅ", ǉ: "ǈ", ǌ: "ǋ", ǳ: "ǲ" };

function titled(sign) {
  const low = sign.toLowerCase();
  if (low in TITLES) return TITLES[low];
  const [first = "", ...rest] = sign.toUpperCase();
  return first + rest.join("").toLowerCase();
}

export function capitalize(s) {
  const [first = ""] = s;
  // The whole is lowered, as a sigma's form is by what is beside it.
  return titled(first) + s.toLowerCase().slice(first.toLowerCase().length);
}

export function title(s) {
  const low = s.toLowerCase();
  let [after, at] = [false, 0];
  return Array.from(s, (sign) => {
    const own = low.slice(at, (at += sign.toLowerCase().length));
    const shown = after ? own : titled(sign);
    after = /\p{Cased}/u.test(sign);
    return shown;
  }).join("");
}
