// The rows that a page holds, as `report/stored_rows.py` writes them.
import { held_out_of } from "../decide.gen.js";
import { dict } from "../python/mappings.js";
import { NDArray } from "../python/numpy.js";

const TYPES = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  f4: Float32Array,
  f8: Float64Array,
};

export function heldOutOf({ positive, scores, folds, weight, groups }) {
  const models = Object.entries(scores).map(([name, { distinct, place }]) => {
    const values = numbersOf(distinct);
    return [name, floats(Float64Array.from(numbersOf(place), (k) => values[k]))];
  });
  const labels = Uint8Array.from(numbersOf(positive));
  return held_out_of(
    new NDArray(labels, [labels.length], "b"),
    dict(models),
    folds.map(whole),
    weight && floats(Float64Array.from(numbersOf(weight))),
    groups && whole(groups),
  );
}

const floats = (data) => new NDArray(data, [data.length], "f");

function whole(stored) {
  const data = Float64Array.from(numbersOf(stored));
  return new NDArray(data, [data.length], "i");
}

function numbersOf({ type, base64 }) {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  return new TYPES[type](bytes.buffer);
}
