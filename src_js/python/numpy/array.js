// The array: numbers in one typed array, row by row. What NumPy has as methods calls its functions.
import { ofKind } from "./dtypes.js";
import { typeError } from "./errors.js";
import { clip } from "./elementwise.js";
import { stored } from "./storage.js";
import * as cumulating from "./cumulating.js";
import * as extremes from "./extremes.js";
import * as integers from "./integers.js";
import * as making from "./making.js";
import * as reducing from "./reducing.js";
import * as searching from "./searching.js";
import * as selecting from "./selecting.js";
import * as shapes from "./shapes.js";
import * as sorting from "./sorting.js";
import { row, settle } from "./views.js";
import { named } from "./named.js";

export class NDArray {
  /** `origin` says of a view what it shows, so that what is written to it arrives there. */
  constructor(data, shape, kind, origin = null) {
    this.data = data;
    this.shape = shape;
    this.kind = kind;
    this.origin = origin;
    this.spare = false;
  }

  get size() {
    return this.data.length;
  }

  get ndim() {
    return this.shape.length;
  }

  get length() {
    if (this.shape.length === 0) throw typeError("len() of unsized object");
    return this.shape[0];
  }

  get dtype() {
    return ofKind(this.kind);
  }

  get itemsize() {
    return this.dtype.itemsize;
  }

  get base() {
    return this.origin === null ? null : this.origin.base;
  }

  get T() {
    return shapes.transpose(this);
  }

  get flat() {
    return shapes.ravel(this);
  }

  /** The element of that place, counted through all rows. */
  at(k) {
    return this.kind === "b" ? this.data[k] === 1 : this.data[k];
  }

  item(...place) {
    if (place.length === 0 && this.size !== 1) {
      throw typeError("can only convert an array of size 1 to a Python scalar");
    }
    if (place.length < 2) return this.at((place[0] ?? 0) + (place[0] < 0 ? this.size : 0));
    return this.at(place.reduce((k, x, axis) => k * this.shape[axis] + x, 0));
  }

  *[Symbol.iterator]() {
    const n = this.length;
    const flat = this.shape.length === 1;
    for (let k = 0; k < n; k++) yield flat ? this.at(k) : row(this, k);
  }

  tolist() {
    if (this.shape.length === 0) return this.at(0);
    if (this.shape.length > 1) return Array.from(this, (part) => part.tolist());
    return this.kind === "b" ? Array.from(this.data, (x) => x === 1) : Array.from(this.data);
  }

  is_integer() {
    return Number.isInteger(this.item());
  }

  valueOf() {
    return this.size === 1 ? this.at(0) : this;
  }

  astype(...args) {
    const names = ["dtype", "order", "casting", "subok", "copy"];
    const { dtype: kind, copy = true } = named(args, names);
    return making.cast(this, kind, copy);
  }

  copy() {
    return new NDArray(this.data.slice(), this.shape.slice(), this.kind);
  }

  fill(value) {
    this.data.fill(stored(this, value));
    settle(this);
    return null;
  }

  view(...args) {
    return making.viewed(this, ...args);
  }

  reshape(...args) {
    return shapes.reshape(this, ...shapes.shapeAsArgument(args));
  }

  transpose(...args) {
    return shapes.transpose(this, ...(args.length > 1 ? [args] : args));
  }

  ravel() {
    return shapes.ravel(this);
  }

  repeat(...args) {
    return making.repeat(this, ...args);
  }

  take(...args) {
    return selecting.take(this, ...args);
  }

  compress(condition, ...args) {
    return selecting.compress(condition, this, ...args);
  }

  nonzero() {
    return selecting.nonzero(this);
  }

  sort(...args) {
    return sorting.sortInPlace(this, ...args);
  }

  argsort(...args) {
    return sorting.argsort(this, ...args);
  }

  searchsorted(...args) {
    return searching.searchsorted(this, ...args);
  }

  sum(...args) {
    return reducing.sum(this, ...args);
  }

  prod(...args) {
    return reducing.prod(this, ...args);
  }

  mean(...args) {
    return reducing.mean(this, ...args);
  }

  any(...args) {
    return reducing.any(this, ...args);
  }

  all(...args) {
    return reducing.all(this, ...args);
  }

  min(...args) {
    return extremes.min(this, ...args);
  }

  max(...args) {
    return extremes.max(this, ...args);
  }

  ptp(...args) {
    return extremes.ptp(this, ...args);
  }

  argmin(...args) {
    return extremes.argmin(this, ...args);
  }

  argmax(...args) {
    return extremes.argmax(this, ...args);
  }

  cumsum(...args) {
    return cumulating.cumsum(this, ...args);
  }

  clip(...args) {
    return clip(this, ...args);
  }

  round(...args) {
    return integers.round(this, ...args);
  }

  toString() {
    return `array(${JSON.stringify(this.tolist())})`;
  }
}

export const ndarray = NDArray;
export const size = (a) => (a instanceof NDArray ? a.size : making.asarray(a).size);
export const shape = (a) => (a instanceof NDArray ? a.shape : making.asarray(a).shape);
export const ndim = (a) => shape(a).length;
