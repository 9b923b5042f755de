// The rows that a page holds, or what it holds of many, as `report/stored_rows.py` writes them.
import { counts_of, held_out_of, JointRows } from "../decide.gen.js";
import { dict } from "../python/mappings.js";
import { NDArray } from "../python/numpy.js";

const TYPES = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  f8: Float64Array,
};

export function heldOutOf(stored) {
  return stored.counts ? ofCounts(stored) : ofRows(stored);
}

function ofRows({ models, positive, scores, folds, weight, groups }) {
  const ofModels = byName(models, scores, ({ distinct, place }) => {
    const values = numbersOf(distinct);
    return array(Float64Array.from(numbersOf(place), (k) => values[k]), "f");
  });
  return held_out_of(
    truths(positive),
    ofModels,
    folds.map(whole),
    weight && floats(weight),
    groups && whole(groups),
  );
}

function ofCounts({ models, folds, counts, positive, fold, cells }) {
  return counts_of(
    folds,
    byName(models, counts, ({ lowest }) => floats(lowest)),
    byName(models, counts, ({ highest }) => floats(highest)),
    byName(models, counts, (one) => whole(one.counts)),
    new JointRows(whole(fold), truths(positive), byName(models, cells, whole), null),
  );
}

const byName = (models, stored, read) => dict(models.map((name) => [name, read(stored[name])]));
const array = (data, kind) => new NDArray(data, [data.length], kind);
const truths = (stored) => array(Uint8Array.from(numbersOf(stored)), "b");
const floats = (stored) => array(Float64Array.from(numbersOf(stored)), "f");
const whole = (stored) => array(Float64Array.from(numbersOf(stored)), "i");

function numbersOf({ type, base64 }) {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  return new TYPES[type](bytes.buffer);
}
