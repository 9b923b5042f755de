// What stands between brackets after an array: numbers, slices, lists of places, masks.
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { fancy, mismatch, partsOf, placeOf } from "./places.js";
import { Index, Slice } from "./slices.js";
import { scratch, spend } from "./spare.js";
import { lone, operand, sameShape, storage, stored } from "./storage.js";
import { broadcast, fitted, positions, write } from "./ufunc.js";
import { settle, strided, strides } from "./views.js";

export function getitem(a, index) {
  if (typeof index === "number" && a.shape.length === 1) return a.at(placeOf(index, a.size, 0));
  if (isListed(a, index)) {
    const found = index.kind === "b" ? masked(a, index) : gathered(a, index);
    if (index.spare) spend(index);
    return found;
  }
  if (index instanceof Slice && a.shape.length === 1) {
    const { start, step, count: n } = index.over(a.size);
    return strided(a, start, [n], [step]);
  }
  if (index instanceof Index && a.shape.length === 2 && index.parts.length === 2) {
    const [i, j] = index.parts;
    if (typeof i === "number" && typeof j === "number") {
      const [n, m] = a.shape;
      return a.at(placeOf(i, n, 0) * m + placeOf(j, m, 1));
    }
  }
  const parts = partsOf(a, index);
  if (!parts.some((part) => part instanceof NDArray)) return lone(basic(a, parts));
  const { at, shape } = fancy(a, parts);
  const data = storage(a.kind, at.length);
  for (let k = 0; k < at.length; k++) data[k] = a.data[at[k]];
  return lone(new NDArray(data, shape, a.kind));
}

export function setitem(a, index, value) {
  if (typeof index === "number" && a.shape.length === 1) {
    const element = value instanceof NDArray && value.size === 1 ? value.at(0) : value;
    a.data[placeOf(index, a.size, 0)] = stored(a, element);
    if (a.origin !== null) settle(a);
    return;
  }
  if (index instanceof NDArray && index.kind === "b" && typeof value === "number") {
    if (sameShape(index.shape, a.shape)) {
      fillMasked(a, index.data, value);
      return;
    }
  }
  if (isListed(a, index) && a.kind === "f" && setListed(a, index, value)) {
    if (index.spare) spend(index);
    return;
  }
  const parts = partsOf(a, index);
  if (!parts.some((part) => part instanceof NDArray)) {
    setBasic(a, parts, value);
    return;
  }
  const { at, shape } = fancy(a, parts);
  const given = fitted(a, element(a, value));
  const { data } = a;
  if (given.size === 1) {
    for (let k = 0; k < at.length; k++) data[at[k]] = given.data[0];
  } else {
    const from = positions(shrunk(given, shape), shape);
    for (let k = 0; k < at.length; k++) data[at[k]] = given.data[from[k]];
  }
  if (a.origin !== null) settle(a);
}

const isListed = (a, index) =>
  index instanceof NDArray && a.shape.length === 1 && index.shape.length === 1;

/** Floats at places of a list or a mask, without a list of places; false where that is not so. */
function setListed(a, index, value) {
  const lone = typeof value === "number";
  if (!lone && !(value instanceof NDArray && value.shape.length === 1)) return false;
  if (!lone && (value.kind === "U" || value.kind === "O")) return false;
  const [to, at, from] = [a.data, index.data, value.data];
  if (index.kind === "b") {
    let many = 0;
    for (let k = 0; k < at.length; k++) many += at[k];
    if (at.length !== to.length || (!lone && from.length !== many)) return false;
    for (let k = 0, next = 0; k < at.length; k++) if (at[k]) to[k] = lone ? value : from[next++];
  } else {
    if (!lone && from.length !== at.length) return false;
    for (let k = 0; k < at.length; k++) {
      to[placeOf(at[k], to.length, 0)] = lone ? value : from[k];
    }
  }
  if (a.origin !== null) settle(a);
  return true;
}

function fillMasked(a, flags, value) {
  const given = stored(a, value);
  const { data } = a;
  for (let k = 0; k < data.length; k++) if (flags[k]) data[k] = given;
  if (a.origin !== null) settle(a);
}

/** A value for elements of an array: where those are of any kind, a lone one is not taken apart. */
const element = (a, value) =>
  a.kind === "O" && !(value instanceof NDArray) && !Array.isArray(value)
    ? new NDArray([value], [], "O")
    : operand(value);

function setBasic(a, parts, value) {
  if (a.kind === "O" && parts.length === a.ndim && parts.every((p) => typeof p === "number")) {
    const place = (at, part, axis) => at * a.shape[axis] + placeOf(part, a.shape[axis], axis);
    a.data[parts.reduce(place, 0)] = value;
    settle(a);
    return;
  }
  const target = basic(a, parts);
  write(target, shrunk(element(a, value), target.shape));
}

/** A value as an assignment takes it: without leading axes of length 1 that the place lacks. */
function shrunk(value, shape) {
  let given = value;
  while (given.shape.length > shape.length && given.shape[0] === 1) {
    given = new NDArray(given.data, given.shape.slice(1), given.kind);
  }
  if (!sameShape(broadcast(given.shape, shape), shape)) {
    throw valueError(
      `could not broadcast input array from shape (${given.shape}) into shape (${shape})`,
    );
  }
  return given;
}

function masked(a, mask) {
  const flags = mask.data;
  const n = flags.length;
  if (n !== a.size) mismatch(n, a.size, 0);
  let many = 0;
  for (let k = 0; k < n; k++) many += flags[k];
  const data = storage(a.kind, many);
  for (let k = 0, to = 0; to < many; k++) if (flags[k]) data[to++] = a.data[k];
  return new NDArray(data, [many], a.kind);
}

function gathered(a, index) {
  const places = index.data;
  const n = places.length;
  const data = a.kind === "f" || a.kind === "i" ? scratch(n) : storage(a.kind, n);
  const from = a.data;
  const { size } = a;
  for (let k = 0; k < n; k++) {
    const at = places[k] | 0;
    data[k] = from[at === places[k] && at >= 0 && at < size ? at : placeOf(places[k], size, 0)];
  }
  return new NDArray(data, [n], a.kind);
}

function basic(a, parts) {
  const own = strides(a.shape);
  const shape = [];
  const steps = [];
  let offset = 0;
  let axis = 0;
  for (const part of parts) {
    if (part === null) {
      shape.push(1);
      steps.push(0);
      continue;
    }
    if (part instanceof Slice) {
      const { start, step, count: n } = part.over(a.shape[axis]);
      offset += start * own[axis];
      shape.push(n);
      steps.push(step * own[axis]);
    } else {
      offset += placeOf(part, a.shape[axis], axis) * own[axis];
    }
    axis += 1;
  }
  return strided(a, offset, shape, steps);
}
