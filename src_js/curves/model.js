// One model: its cuts, the corners of its hull, and its ROC curve.

import { bytesOf, floatsOf, totalsOf } from "./decode.js";

export class Model {
  constructor(stored) {
    this.stored = stored;
    this.name = stored.name;
  }

  /** Distinct scores, ascending: all, or those that are kept. */
  get scores() {
    return this.once("_scores", () => floatsOf(this.stored.scores));
  }

  /** False positive rates: where all are flagged, then above each score. */
  get fpr() {
    return this.once("_fpr", () => {
      const { negatives, negatives_total: total, cuts } = this.stored;
      const found = totalsOf(negatives, cuts + 1);
      for (let i = 0; i <= cuts; i++) found[i] = (total - found[i]) / total;
      return found;
    });
  }

  /** False negative rates, likewise. */
  get fnr() {
    return this.once("_fnr", () => {
      const { positives, positives_total: total, cuts } = this.stored;
      const found = totalsOf(positives, cuts + 1);
      for (let i = 0; i <= cuts; i++) found[i] /= total;
      return found;
    });
  }

  /** Which scores have others, left out, between them and the one before; null if none has. */
  get ramps() {
    return this.once("_ramps", () => {
      if (this.stored.complete) return null;
      const bits = bytesOf(this.stored.ramps);
      const found = new Uint8Array(this.stored.cuts);
      for (let i = 0; i < found.length; i++) found[i] = (bits[i >> 3] >> (i & 7)) & 1;
      return found;
    });
  }

  get hull() {
    return this.once("_hull", () => {
      const found = {};
      for (const [name, base64] of Object.entries(this.stored.hull)) found[name] = floatsOf(base64);
      return found;
    });
  }

  /** What is drawn of the ROC curve. */
  get outline() {
    return this.once("_outline", () => {
      const [fpr, tpr] = this.stored.outline.map((base64) => floatsOf(base64, 4));
      return { fpr, tpr };
    });
  }

  once(name, make) {
    if (!(name in this)) this[name] = make();
    return this[name];
  }

  /** A threshold with the first k of the scores at or below it, and none else. */
  cutAfter(k) {
    const { scores } = this;
    if (k === 0) return -Infinity;
    if (k === scores.length) return Infinity;
    const below = scores[k - 1];
    if (this.ramps !== null && this.ramps[k]) return below;
    const middle = below / 2 + scores[k] / 2;
    const found = middle < scores[k] ? middle : below;
    // Above -Infinity it is finite: a threshold of -Infinity flags everybody.
    return found === -Infinity ? -Number.MAX_VALUE : found;
  }
}
