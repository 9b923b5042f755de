// Which elements an index asks for.
import { NDArray } from "./array.js";
import { indexError } from "./errors.js";
import { Ellipsis, Index, Slice } from "./slices.js";
import { count, operand } from "./storage.js";
import { broadcast, positions } from "./ufunc.js";
import { strides, walk } from "./views.js";

export function placeOf(index, n, axis) {
  const at = index < 0 ? index + n : index;
  if (at >= 0 && at < n && Number.isInteger(at)) return at;
  if (!Number.isInteger(index)) {
    throw indexError("only integers, slices, ellipsis, None and arrays of integers are indices");
  }
  throw indexError(`index ${index} is out of bounds for axis ${axis} with size ${n}`);
}

export function mismatch(has, wants, axis) {
  throw indexError(
    `boolean index did not match indexed array along axis ${axis}; size of axis is ${wants} but ` +
      `size of corresponding boolean axis is ${has}`,
  );
}

/** The index's parts, one for each axis except new ones: numbers, slices, nulls, whole numbers. */
export function partsOf(a, index) {
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

/** Where the elements are that lists of places ask for, with or without slices, and their shape. */
export function fancy(a, parts) {
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
