// What stands between brackets after an array: numbers, slices, lists of places, masks.
import { NDArray } from "./array.js";
import { indexError, valueError } from "./errors.js";
import { Ellipsis, Index, Slice } from "./slices.js";
import { count, lone, operand, sameShape, storage, stored } from "./storage.js";
import { broadcast, fitted, positions, write } from "./ufunc.js";
import { settle, strided, strides, walk } from "./views.js";

export function getitem(a, index) {
  if (typeof index === "number" && a.shape.length === 1) return a.at(placeOf(index, a.size, 0));
  if (index instanceof NDArray && a.shape.length === 1 && index.shape.length === 1) {
    return index.kind === "b" ? masked(a, index) : gathered(a, index);
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
    const steps = strides(a.shape);
    const at = parts.reduce((sum, p, axis) => sum + placeOf(p, a.shape[axis], axis) * steps[axis], 0);
    a.data[at] = value;
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

function placeOf(index, n, axis) {
  const at = index < 0 ? index + n : index;
  if (at >= 0 && at < n && Number.isInteger(at)) return at;
  if (!Number.isInteger(index)) {
    throw indexError("only integers, slices, ellipsis, None and arrays of integers are indices");
  }
  throw indexError(`index ${index} is out of bounds for axis ${axis} with size ${n}`);
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
  const data = storage(a.kind, n);
  const from = a.data;
  const { size } = a;
  for (let k = 0; k < n; k++) {
    const at = places[k] | 0;
    data[k] = from[at === places[k] && at >= 0 && at < size ? at : placeOf(places[k], size, 0)];
  }
  return new NDArray(data, [n], a.kind);
}

function mismatch(has, wants, axis) {
  throw indexError(
    `boolean index did not match indexed array along axis ${axis}; size of axis is ${wants} but ` +
      `size of corresponding boolean axis is ${has}`,
  );
}

/** The index's parts, one for each axis beside new ones: numbers, slices, nulls, whole numbers. */
function partsOf(a, index) {
  const given = (index instanceof Index ? index.parts : [index]).map((part) =>
    isPlain(part) ? part : operand(part),
  );
  let used = 0;
  for (const part of given) {
    if (part instanceof NDArray) used += part.kind === "b" ? part.ndim : 1;
    else if (part !== null && part !== Ellipsis) used += 1;
  }
  const missing = a.shape.length - used;
  if (missing < 0) {
    throw indexError(
      `too many indices for array: array is ${a.ndim}-dimensional, but ${used} were indexed`,
    );
  }
  if (!given.includes(Ellipsis)) given.push(Ellipsis);
  const parts = [];
  let axis = 0;
  for (const part of given) {
    if (part === Ellipsis) {
      for (let k = 0; k < missing; k++) parts.push(WHOLE);
      axis += missing;
    } else if (part instanceof NDArray) {
      const places = placesOf(part, a, axis);
      parts.push(...places);
      axis += places.length;
    } else {
      parts.push(part);
      if (part !== null) axis += 1;
    }
  }
  return parts;
}

const isPlain = (part) =>
  typeof part === "number" || part === null || part === Ellipsis || part instanceof Slice;

const WHOLE = /* @__PURE__ */ new Slice();

/** An array of places, or of a mask those along each of its axes. */
function placesOf(places, a, axis) {
  if (places.kind === "b") {
    places.shape.forEach((n, k) => {
      if (n !== a.shape[axis + k]) mismatch(n, a.shape[axis + k], axis + k);
    });
    return truePlaces(places);
  }
  if (places.kind !== "i" && places.kind !== "f") {
    throw indexError("arrays used as indices must be of integer (or boolean) type");
  }
  return places.shape.length === 0 ? [places.at(0)] : [places];
}

/** Where a mask is true: an array for each of its axes. */
export function truePlaces(mask) {
  const { data, shape } = mask;
  let many = 0;
  for (let k = 0; k < data.length; k++) if (data[k]) many += 1;
  const found = shape.map(() => new Float64Array(many));
  if (shape.length === 1) {
    for (let k = 0, to = 0; to < many; k++) if (data[k]) found[0][to++] = k;
  } else {
    for (let k = 0, to = 0; to < many; k++) {
      if (!data[k]) continue;
      let rest = k;
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        found[axis][to] = rest % shape[axis];
        rest = Math.floor(rest / shape[axis]);
      }
      to += 1;
    }
  }
  return found.map((places) => new NDArray(places, [many], "i"));
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

/** Where the elements are that lists of places ask for, beside slices or not, and their shape. */
function fancy(a, parts) {
  const own = strides(a.shape);
  let shape = [];
  let offset = 0;
  let axis = 0;
  const before = { shape: [], steps: [] };
  const after = { shape: [], steps: [] };
  const lists = [];
  let runs = 0;
  let within = false;
  for (const part of parts) {
    if (part instanceof NDArray || typeof part === "number") {
      if (!within) runs += 1;
      within = true;
      if (typeof part === "number") {
        offset += placeOf(part, a.shape[axis], axis) * own[axis];
      } else {
        lists.push([part, axis]);
        shape = together(shape, part.shape);
      }
      axis += 1;
      continue;
    }
    within = false;
    const side = runs === 0 ? before : after;
    if (part === null) {
      side.shape.push(1);
      side.steps.push(0);
      continue;
    }
    const { start, step, count: n } = part.over(a.shape[axis]);
    offset += start * own[axis];
    side.shape.push(n);
    side.steps.push(step * own[axis]);
    axis += 1;
  }
  // Lists that something stands between come first of all.
  if (runs > 1) {
    after.shape.unshift(...before.shape.splice(0));
    after.steps.unshift(...before.steps.splice(0));
  }
  const listed = new Int32Array(count(shape));
  for (const [part, along] of lists) {
    const from = positions(part, shape);
    const n = a.shape[along];
    for (let k = 0; k < listed.length; k++) {
      const place = part.data[from[k]];
      const plain = place >= 0 && place < n && (place | 0) === place;
      listed[k] += (plain ? place : placeOf(place, n, along)) * own[along];
    }
  }
  const [ahead, behind] = [placesIn(before), placesIn(after)];
  const at = new Int32Array(ahead.length * listed.length * behind.length);
  let k = 0;
  for (let i = 0; i < ahead.length; i++) {
    const one = offset + ahead[i];
    if (behind.length === 1) {
      for (let l = 0; l < listed.length; l++) at[k++] = one + listed[l] + behind[0];
      continue;
    }
    for (let l = 0; l < listed.length; l++) {
      const two = one + listed[l];
      for (let j = 0; j < behind.length; j++) at[k++] = two + behind[j];
    }
  }
  return { at, shape: [...before.shape, ...shape, ...after.shape] };
}

function together(one, two) {
  try {
    return broadcast(one, two);
  } catch (error) {
    throw indexError(`shape mismatch: indexing arrays: ${error.message}`);
  }
}

function placesIn({ shape, steps }) {
  const at = new Int32Array(count(shape));
  if (at.length === 0) return at;
  walk(0, shape, steps, (from, step, k, n) => {
    for (let end = k + n; k < end; k++, from += step) at[k] = from;
  });
  return at;
}
