// One model: its cuts, and where each threshold choice works on it.

import { costFromSkew, countUpTo, skewFromCost } from "./conditions.js";
import { bytesOf, floatsOf, totalsOf } from "./decode.js";
import { drawn, over } from "./rule.js";

const MEAN_STEPS = 255;
// Paths at conditions asked for before that are kept.
const KEPT = 24;

export class Model {
  /** `own` is the prevalence that the scores are calibrated to. */
  constructor(stored, own) {
    this.stored = stored;
    this.name = stored.name;
    this.own = own;
    this.paths = new Map();
  }

  /** Distinct scores, ascending: all, or those that are kept. */
  get scores() {
    return this.once("_scores", () => floatsOf(this.stored.scores, this.stored.score_bytes));
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

  /** How shares bend on ramps: along + bend along (1 - along), of each class. */
  get bends() {
    return this.once("_bends", () => {
      if (this.ramps === null) return null;
      return this.stored.means.map((base64) => {
        const found = new Float64Array(bytesOf(base64));
        for (let i = 0; i < found.length; i++) found[i] = 6 * (0.5 - found[i] / MEAN_STEPS);
        return found;
      });
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

  available(choice) {
    return this.stored.probabilities || !choice.on_probabilities;
  }

  /** The path through ROC space of a choice, by cost proportions at a prevalence. */
  path(choice, p) {
    const key = `${choice.name} ${p}`;
    let found = this.paths.get(key);
    if (found === undefined) {
      if (this.paths.size >= KEPT) this.paths.clear();
      found = this.makePath(choice, p);
      this.paths.set(key, found);
    }
    return found;
  }

  makePath(choice, p) {
    switch (choice.path) {
      case "point":
        return constant(...this.stored.points[choice.name], p);
      case "every share": {
        const misranked = 1 - this.stored.auc;
        return constant((1 - p) / 2 + p * misranked, p / 2 + (1 - p) * misranked, p);
      }
      case "hull": {
        const { breaks, fpr, fnr } = this.hull;
        return { kind: "steps", p, x: breaks.map((z) => costFromSkew(z, p)), fpr, fnr, ramps: null };
      }
      case "share":
        return {
          kind: "line",
          p,
          x: this.rates(p),
          fpr: this.fpr,
          fnr: this.fnr,
          ramps: null,
          bends: this.bendsByRate(p),
        };
      case "score": {
        const { fpr, fnr, ramps, bends, scores } = this;
        const x = scores.map((s) => this.switchAt(choice, s, p));
        const scoreAt = (c) => this.thresholdAt(choice, c, p);
        return { kind: "steps", p, x, fpr, fnr, ramps, bends, scores, scoreAt };
      }
    }
  }

  /** The cost proportion up to which a score-driven threshold flags a score. */
  switchAt(choice, score, p) {
    if (!choice.through_skew) return score;
    return costFromSkew(skewFromCost(score, this.own), p);
  }

  /** The score-driven threshold at a cost proportion. */
  thresholdAt(choice, c, p) {
    if (!choice.through_skew) return c;
    return costFromSkew(skewFromCost(c, p), this.own);
  }

  /** The share predicted negative at each cut. */
  rates(p) {
    const { fpr, fnr } = this;
    const last = fpr.length - 1;
    return fpr.map((x, k) => (k === 0 ? 0 : k === last ? 1 : (1 - p) * (1 - x) + p * fnr[k]));
  }

  /** How shares bend over the share predicted negative: to first order classes are as far apart. */
  bendsByRate(p) {
    if (this.ramps === null) return null;
    const { fpr, fnr, ramps, bends } = this;
    const found = bends.map((bend) => new Float64Array(bend.length));
    for (let k = 0; k < ramps.length; k++) {
      if (!ramps[k]) continue;
      const zero = (1 - p) * (fpr[k] - fpr[k + 1]);
      const one = p * (fnr[k + 1] - fnr[k]);
      const apart = (bends[0][k] - bends[1][k]) / (zero + one);
      found[0][k] = one * apart;
      found[1][k] = -zero * apart;
    }
    return found;
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

  /** The rule at a cost proportion; null where a choice draws its threshold from many. */
  rule(choice, c, p) {
    switch (choice.path) {
      case "every share":
        return null;
      case "point":
        return choice.threshold === null ? null : over(choice.threshold);
      case "hull":
        return over(this.hull.thresholds[countUpTo(this.path(choice, p).x, c)]);
      case "share":
        return this.ruleByShare(choice, c, p);
      case "score": {
        const k = countUpTo(this.path(choice, p).x, c);
        const inside = k > 0 && k < this.scores.length;
        return over(inside && this.ramps !== null ? this.thresholdAt(choice, c, p) : this.cutAfter(k));
      }
    }
  }

  ruleByShare(choice, c, p) {
    const { x } = this.path(choice, p);
    const k = Math.min(countUpTo(x, c), x.length - 1) - 1;
    const width = x[k + 1] - x[k];
    const along = width > 0 ? (c - x[k]) / width : 0;
    if (this.ramps !== null && this.ramps[k]) {
      return over(this.scores[k - 1] + along * (this.scores[k] - this.scores[k - 1]));
    }
    const first = this.cutAfter(k);
    const second = this.cutAfter(k + 1);
    return first === second ? over(first) : drawn(over(first), over(second), 1 - along);
  }
}

const constant = (fpr, fnr, p) => ({
  kind: "steps",
  p,
  x: new Float64Array(0),
  fpr: Float64Array.of(fpr),
  fnr: Float64Array.of(fnr),
  ramps: null,
});
