// The numbers of the page, from what it stores: pure functions, the same under node.
//
// Conditions are c, the cost proportion, with a prevalence, or x on an axis: "cost", "skew" or
// "pc", which is 1 less the skew. Curves on the last two are those of balanced classes, as the
// library draws them, so no prevalence moves them.

import { countUpTo, expit, logit, LOGIT_LIMITS } from "./engine/conditions.js";
import { floatsOf } from "./engine/decode.js";
import { Known } from "./engine/laws.js";
import { Model } from "./engine/model.js";
import { money } from "./engine/money.js";
import { integral, lossAt, pointAt, polyline } from "./engine/paths.js";

const BALANCED = 0.5;
const CASES = 1000;
// Knots that brush ends snap to: steps of 1/2000, and of 1/200 in the decimal logarithm of the odds.
const LINEAR_STEPS = 2000;
const STEPS_A_FACTOR = 200;
const FACTORS = 6;
const COLUMNS = 450;
const ROC_DOTS = 1000;
// Laws asked for before that are kept.
const KEPT_LAWS = 8;

export function open(contents) {
  return new Report(contents);
}

class Report {
  constructor(contents) {
    this.choices = contents.choices;
    this.optimal = this.choices.find(({ path }) => path === "hull");
    this.models = contents.models.map((stored) => new Model(stored, contents.prevalence));
    this.laws = new Map();
  }

  /** Whether a threshold choice makes sense for the scores of a model. */
  available(i, choice) {
    return this.models[i].available(choice);
  }

  /** Where a choice works at a cost proportion and a prevalence, and the rule that takes it there. */
  operatingPoint(i, choice, { c, prevalence }) {
    const model = this.models[i];
    if (!model.available(choice)) return null;
    const point = pointAt(model.path(choice, prevalence), c);
    return { ...point, rule: model.rule(choice, c, prevalence) };
  }

  lossAt(i, choice, axis, x, prevalence) {
    const path = this.pathOn(i, choice, axis, prevalence);
    return path === null ? null : lossAt(path, axis === "pc" ? 1 - x : x);
  }

  /** The loss on a scale, "linear" or "logit", as a line to draw, jumps as vertical pairs. */
  curve(i, choice, axis, prevalence, scale = "linear") {
    const path = this.pathOn(i, choice, axis, prevalence);
    if (path === null) return null;
    const [low, high] = scale === "logit" ? LOGIT_LIMITS : [0, 1];
    const [start, end] = scale === "logit" ? LOGIT_LIMITS.map(logit) : [low, high];
    const place = (share) => {
      const at = start + (end - start) * share;
      return scale === "logit" ? expit(at) : at;
    };
    const { x, y } = polyline(path, low, high, COLUMNS, place);
    return axis === "pc" ? { x: x.map((z) => 1 - z).reverse(), y: y.reverse() } : { x, y };
  }

  /** Ascending conditions that ends of ranges snap to. */
  knots(scale = "linear") {
    return KNOTS[scale];
  }

  /** The knots nearest to two conditions, ascending and never the same. */
  snapped(low, high, scale = "linear") {
    return snapped(KNOTS[scale], low, high).map((k) => KNOTS[scale][k]);
  }

  /** The mean loss over a range of conditions, its ends moved to the nearest knots. */
  meanLoss(i, choice, axis, low, high, prevalence, scale = "linear") {
    const knots = KNOTS[scale];
    const path = this.pathOn(i, choice, axis, prevalence);
    if (path === null) return null;
    let [first, last] = snapped(knots, low, high);
    const found = { low: knots[first], high: knots[last] };
    if (axis === "pc") [first, last] = [knots.length - 1 - last, knots.length - 1 - first];
    const stored = this.storedIntegrals(i, choice, axis, prevalence, scale);
    let total = 0;
    if (stored === null) total = integral(path, knots[first], knots[last]);
    else for (let k = first; k < last; k++) total += stored[k];
    return { ...found, value: total / (knots[last] - knots[first]) };
  }

  /** The library's integrals from knot to knot, where the page has them: of cuts left out. */
  storedIntegrals(i, choice, axis, prevalence, scale) {
    const model = this.models[i];
    const { integrals } = model.stored;
    const on = axis === "cost" ? "cost" : "skew";
    if (!integrals || (on === "cost" && prevalence !== integrals.prevalence)) return null;
    const base64 = integrals[on][choice.name]?.[scale];
    return base64 ? model.once(`_${on} ${choice.name} ${scale}`, () => floatsOf(base64, 4)) : null;
  }

  /** Expected money per 1,000 cases; costs and prevalence are [low, high], equal for a value. */
  money(i, choice, known) {
    const model = this.models[i];
    return model.available(choice) ? money(model, choice, this.law(known)) : null;
  }

  /** The same of flagging nobody and everybody. */
  trivialMoney(known) {
    const { meanA, meanB, meanP, meanQ } = this.law(known);
    return { nobody: CASES * meanP * meanB, everybody: CASES * meanQ * meanA };
  }

  /** The same of staying at one operating point, whatever the condition. */
  pointMoney({ fpr, fnr }, known) {
    const { nobody, everybody } = this.trivialMoney(known);
    return everybody * fpr + nobody * fnr;
  }

  /** The skew at which the optimal rule is the best single one for all conditions. */
  meanSkew(known) {
    const { nobody, everybody } = this.trivialMoney(known);
    return everybody / (everybody + nobody);
  }

  law(known) {
    const key = JSON.stringify([known.fpCost, known.fnCost, known.prevalence]);
    if (!this.laws.has(key)) {
      if (this.laws.size >= KEPT_LAWS) this.laws.clear();
      this.laws.set(key, new Known(known));
    }
    return this.laws.get(key);
  }

  /** Of 1,000 cases, how many are of each kind. */
  confusion({ fpr, fnr }, prevalence) {
    const positives = CASES * prevalence;
    const negatives = CASES * (1 - prevalence);
    return {
      tp: positives * (1 - fnr),
      fp: negatives * fpr,
      fn: positives * fnr,
      tn: negatives * (1 - fpr),
    };
  }

  /** The ROC curve to draw, from flagging nobody to everybody, with a threshold of each point. */
  rocLine(i) {
    const model = this.models[i];
    return model.once("_roc", () => thinnedRoc(model));
  }

  /** The same without the points that a picture does not tell from a straight line. */
  rocOutline(i) {
    return this.models[i].outline;
  }

  /** The corners of the ROC hull, from flagging everybody to nobody. */
  hull(i) {
    const { fpr, fnr, thresholds } = this.models[i].hull;
    return { fpr, tpr: fnr.map((x) => 1 - x), thresholds };
  }

  /** The ends, in ROC space, of the line of points that lose as much as one at a skew. */
  isometric({ skew }, { fpr, fnr }) {
    const tpr = 1 - fnr;
    if (skew === 0) return { fpr: [0, 1], tpr: [tpr, tpr] };
    if (skew === 1) return { fpr: [fpr, fpr], tpr: [0, 1] };
    const slope = skew / (1 - skew);
    const inside = (x) => Math.min(Math.max(x, 0), 1);
    const ends = [inside(fpr - tpr / slope), inside(fpr + (1 - tpr) / slope)];
    return { fpr: ends, tpr: ends.map((x) => inside(tpr + slope * (x - fpr))) };
  }

  /** The path that an axis shows, over cost proportions or, of balanced classes, skews. */
  pathOn(i, choice, axis, prevalence) {
    const model = this.models[i];
    if (!model.available(choice)) return null;
    return model.path(choice, axis === "cost" ? prevalence : BALANCED);
  }
}

const KNOTS = {
  linear: Float64Array.from({ length: LINEAR_STEPS + 1 }, (_, k) => k / LINEAR_STEPS),
  logit: Float64Array.from({ length: 2 * FACTORS * STEPS_A_FACTOR + 1 }, (_, k) => {
    const factor = 10 ** (Math.abs(k - FACTORS * STEPS_A_FACTOR) / STEPS_A_FACTOR);
    return (k < FACTORS * STEPS_A_FACTOR ? 1 : factor) / (1 + factor);
  }),
};

/** Which knots are nearest to two conditions, ascending and never the same. */
function snapped(knots, low, high) {
  const first = nearest(knots, Math.min(low, high));
  const last = nearest(knots, Math.max(low, high));
  if (first < last) return [first, last];
  return last < knots.length - 1 ? [first, last + 1] : [first - 1, last];
}

function nearest(knots, x) {
  const k = Math.min(Math.max(countUpTo(knots, x), 1), knots.length - 1);
  return x - knots[k - 1] <= knots[k] - x ? k - 1 : k;
}

/** Points that a picture tells apart, the corners of the hull among them. */
function thinnedRoc(model) {
  const { fpr, fnr, hull } = model;
  const dot = (x) => Math.floor(x * ROC_DOTS);
  const last = fpr.length - 1;
  const all = fpr.length <= 2 * ROC_DOTS;
  const kept = [];
  let corner = hull.fpr.length - 1;
  let [across, up] = [-1, -1];
  for (let k = last; k >= 0; k--) {
    const isCorner = fpr[k] === hull.fpr[corner] && fnr[k] === hull.fnr[corner];
    if (isCorner) corner--;
    const [x, y] = [dot(fpr[k]), dot(fnr[k])];
    if (all || isCorner || k === 0 || x !== across || y !== up) kept.push(k);
    [across, up] = [x, y];
  }
  return {
    fpr: Float64Array.from(kept, (k) => fpr[k]),
    tpr: Float64Array.from(kept, (k) => 1 - fnr[k]),
    thresholds: Float64Array.from(kept, (k) => model.cutAfter(k)),
  };
}
