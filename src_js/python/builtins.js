// Python's own functions and types, each with a bar after its name.
import * as np from "./numpy.js";
import { NDArray } from "./numpy.js";
import { Kw } from "./kw.js";
import { Dict, PySet, items } from "./mappings.js";
import { StopIteration } from "./iterating.js";
import { add, eq, ge, gt, le, lt, truth } from "./operators.js";
import { format, repr, str } from "./text.js";
import { attr, call, parted } from "./calling.js";
import { iterated } from "./iterating.js";

export function len_(value) {
  if (value.__len__) return value.__len__();
  return value.length;
}

function number(value) {
  if (typeof value === "number") return value;
  if (typeof value === "string") return numberOf(value);
  if (value instanceof NDArray) return Number(value.item());
  return value.__float__ ? value.__float__() : Number(value);
}

function numberOf(text) {
  const named = { inf: Infinity, "-inf": -Infinity, nan: NaN }[text.trim().toLowerCase()];
  return named ?? Number(text);
}

export const float_ = Object.assign((value = 0) => number(value), { kind: "f" });
export const int_ = Object.assign((value = 0) => Math.trunc(number(value)) + 0, { kind: "i" });
export const bool_ = Object.assign((value = false) => truth(value), { kind: "b" });
export const str_ = Object.assign((value = "") => str(value), { kind: "U" });
export const object_ = Object.assign(() => ({}), { kind: "O" });
export const bytes_ = Object.assign((value) => value, { kind: "S" });
export const repr_ = (value) => repr(value);
export const tuple_ = (values = []) => [...iterated(values)];
export const list_ = (values = []) => [...iterated(values)];
export const slice_ = (...ends) =>
  ends.length === 1 ? new np.Slice(null, ends[0]) : new np.Slice(...ends);
export const iter_ = (values) => iterated(values)[Symbol.iterator]();
export const callable_ = (value) => typeof value === "function" || Boolean(value?.__call__);
export const hash_ = (value) => value;
export const reversed_ = (values) => [...iterated(values)].reverse();
export const map_ = (f, ...many) =>
  many.length === 1
    ? Array.from(iterated(many[0]), (value) => call(f, value))
    : zip_(...many).map((values) => call(f, ...values));
export const filter_ = (f, values) =>
  [...iterated(values)].filter((value) => truth(f === null ? value : call(f, value)));

/** Both go no further than they have to. */
export function any_(values) {
  for (const value of iterated(values)) if (truth(value)) return true;
  return false;
}

export function all_(values) {
  for (const value of iterated(values)) if (!truth(value)) return false;
  return true;
}

export const vars_ = (value) =>
  new Dict((value.constructor.$fields ?? Object.keys(value)).map((name) => [name, value[name]]));

export function range_(...ends) {
  const [start, stop, step] =
    ends.length === 1 ? [0, ends[0], 1] : [ends[0], ends[1], ends[2] ?? 1];
  return Array.from({ length: Math.max(Math.ceil((stop - start) / step), 0) }, (_, k) => start + k * step);
}

export function zip_(...given) {
  const [many, { strict = false }] = parted(given);
  const lists = many.map((values) => [...iterated(values)]);
  const n = Math.min(...lists.map((list) => list.length));
  if (strict && lists.some((list) => list.length !== n)) throw new Error("zip() of other lengths");
  return Array.from({ length: n }, (_, k) => lists.map((list) => list[k]));
}

export function enumerate_(values, ...given) {
  const [[first], { start = first ?? 0 }] = parted(given);
  return Array.from(iterated(values), (value, k) => [k + start, value]);
}

export function sum_(values, start = 0) {
  let total = start instanceof Kw ? start.start : start;
  for (const value of iterated(values)) total = add(total, value);
  return total;
}

function extreme(isBetter) {
  return (...given) => {
    const [values, { key = null, default: otherwise }] = parted(given);
    const among = values.length === 1 ? [...iterated(values[0])] : values;
    if (among.length === 0) {
      if (otherwise === undefined) throw new Error("the least or the most of nothing");
      return otherwise;
    }
    let [best, rank] = [among[0], key === null ? among[0] : call(key, among[0])];
    for (const value of among.slice(1)) {
      const own = key === null ? value : call(key, value);
      if (truth(isBetter(own, rank))) [best, rank] = [value, own];
    }
    return best;
  };
}

export const min_ = extreme(lt);
export const max_ = extreme(gt);

export function sorted_(values, ...given) {
  const [, { key = null, reverse = false }] = parted(given);
  const ranks = Array.from(iterated(values), (value) => [
    key === null ? value : call(key, value),
    value,
  ]);
  const sign = reverse ? -1 : 1;
  ranks.sort(([a], [b]) => sign * (truth(lt(a, b)) ? -1 : truth(lt(b, a)) ? 1 : 0));
  return ranks.map(([, value]) => value);
}

export function next_(values, otherwise) {
  const { value, done } =
    typeof values.next === "function" ? values.next() : values[Symbol.iterator]().next();
  if (!done) return value;
  if (otherwise === undefined) throw new StopIteration();
  return otherwise;
}

export function abs_(value) {
  return typeof value === "number" ? Math.abs(value) : np.abs(value);
}

/** A number is rounded as it is written, to even where it is between two. */
export function round_(value, digits = 0) {
  if (typeof value !== "number") return np.round(value, digits);
  if (!Number.isFinite(value)) return value;
  if (digits > 0) return Number(format(value, `.${digits}f`));
  const unit = 10 ** -digits;
  const rest = value % unit;
  const twice = 2 * Math.abs(rest);
  const odd = Math.abs((value - rest) / unit) % 2 === 1;
  const up = twice > unit || (twice === unit && odd);
  return value - rest + (up ? Math.sign(value) * unit : 0);
}

export function getattr_(value, name, otherwise) {
  if (value !== null && (typeof value !== "object" || name in value)) return attr(value, name);
  if (otherwise === undefined) throw new Error(`there is no ${name}`);
  return otherwise;
}

export function hasattr_(value, name) {
  return value !== null && typeof value === "object" && name in value;
}

export function setattr_(value, name, part) {
  value[name] = part;
}

export function type_(value) {
  if (value === null) return nothing;
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? int_ : float_;
    case "string":
      return str_;
    case "boolean":
      return bool_;
    default:
      return Array.isArray(value) ? tuple_ : value.constructor;
  }
}

const nothing = Object.assign(() => null, { $name: "NoneType" });

export function contains(values, one) {
  if (typeof values === "string") return values.includes(one);
  if (values instanceof Dict || values instanceof PySet) return values.has(one);
  if (values.__contains__) return truth(values.__contains__(one));
  return [...iterated(values)].some((value) => truth(eq(value, one)));
}

/** A tuple between brackets is a key like others. */
function keyAt(at) {
  return at instanceof np.Index ? at.parts : at;
}

export function getitem(of, at) {
  if (of instanceof NDArray) return np.getitem(of, at);
  if (of instanceof Dict) return of.find(keyAt(at));
  if (typeof of === "string" || Array.isArray(of)) {
    if (at instanceof np.Slice) return sliced(of, at);
    const k = at < 0 ? of.length + at : at;
    if (k >= of.length || k < 0) throw Object.assign(new Error("index"), { name: "IndexError" });
    return of[k];
  }
  // A type of certain parts, such as frozenset[str], makes what the type does.
  return typeof of === "function" ? of : of.__getitem__(at);
}

function sliced(of, slice) {
  const { start, step, count } = slice.over(of.length);
  if (step === 1) return of.slice(start, start + count);
  const found = Array.from({ length: count }, (_, k) => of[start + k * step]);
  return typeof of === "string" ? found.join("") : found;
}

export function setitem(of, at, value) {
  if (of instanceof NDArray) np.setitem(of, at, value);
  else if (of instanceof Dict) of.set(keyAt(at), value);
  else if (at instanceof np.Slice) {
    const { start, count } = at.over(of.length);
    of.splice(start, count, ...iterated(value));
  } else of[at < 0 ? of.length + at : at] = value;
}

export function delitem(of, at) {
  if (of instanceof Dict) of.delete(keyAt(at));
  else if (at instanceof np.Slice) {
    const { start, count } = at.over(of.length);
    of.splice(start, count);
  } else of.splice(at < 0 ? of.length + at : at, 1);
}

/** A number as an array has it, so that it answers to the names of one. */
export function nd(value) {
  return typeof value === "number" || typeof value === "boolean" ? np.asarray(value) : value;
}

export { eq, ge, items, le };
