// What one threshold for all conditions costs and does, on all rows: pure functions.
import { ALL_DIGITS, CASES, DIGITS, shortThreshold } from "../words/figures.js";
import { countUpTo } from "../curves/conditions.js";

// What rounding may move a rate by that is on a limit.
export const ROUNDING = 1e-12;

/** The money of a question per 1,000 cases, by where one works in ROC space. */
export function amountsOf({ prevalence, ...costs }) {
  return per1000(meanPrevalence(prevalence), meansOf(costs));
}

function meansOf({ fp_cost: fp, fn_cost: fn, tp_cost: tp, tn_cost: tn }) {
  return { fp: meanCost(fp), fn: meanCost(fn), tp: middle(tp), tn: middle(tn) };
}

function per1000(p, { fp, fn, tp, tn }) {
  return {
    p,
    nobody: CASES * (p * fn + (1 - p) * tn),
    everybody: CASES * (p * tp + (1 - p) * fp),
    // The cost if all decisions are correct.
    constant: CASES * (p * tp + (1 - p) * tn),
  };
}

/**
 * The money of each decision between neighbouring actions, whose sum is what all of them cost: that
 * between passing and reviewing, and that between reviewing and flagging, as `Review.steps` has them.
 */
export function stepsOf({ prevalence, review, ...costs }, reviews) {
  const p = meanPrevalence(prevalence);
  const { fp, fn, tp, tn } = meansOf(costs);
  if (!reviews) return [per1000(p, { fp, fn, tp, tn })];
  const d = meanCost(review.cost);
  const [se, sp] = [review.sensitivity, review.specificity].map(middle);
  return [
    per1000(p, { fp: (1 - sp) * fp + d, fn: se * fn - d, tp: se * tp, tn: (1 - sp) * tn }),
    per1000(p, { fp: sp * fp - d, fn: (1 - se) * fn + d, tp: (1 - se) * tp, tn: sp * tn }),
  ];
}

/** The mean of what is uniform between two bounds. */
const middle = ([low, high]) => (low + high) / 2;

/** The mean of what is log-uniform between two bounds. */
function meanCost([low, high]) {
  // Near to each other the logarithm of their ratio loses its digits.
  const ratio = Math.log1p((high - low) / low);
  return ratio > 1e-8 ? (high - low) / ratio : (low + high) / 2;
}

/** The mean of what is uniform in log-odds between two bounds. */
function meanPrevalence([low, high]) {
  const odds = (x) => Math.log(x) - Math.log1p(-x);
  const across = odds(high) - odds(low);
  return across > 1e-8 ? (Math.log1p(-low) - Math.log1p(-high)) / across : (low + high) / 2;
}

export function moneyAt({ nobody, everybody, constant }, { fpr, fnr }) {
  return constant + (everybody - constant) * fpr + (nobody - constant) * fnr;
}

/** What thresholds of each step cost, by where each of them works. */
export function moneyOf(steps, rates) {
  return steps.reduce((sum, amounts, k) => sum + moneyAt(amounts, rates[k]), 0);
}

/** Of 1,000 cases, how many are of each kind, by where the thresholds of each step work. */
export function outcomesAt(p, rates) {
  const [{ fpr, fnr }, { fnr: missed, fpr: more }] = [rates.at(-1), rates[0]];
  const [tp, fp] = [CASES * p * (1 - fnr), CASES * (1 - p) * fpr];
  const [found, looked] = [CASES * p * (fnr - missed), CASES * (1 - p) * (more - fpr)];
  return { flagged: tp + fp, tp, fn: CASES * p * missed, fp, reviewed: found + looked, found };
}

/** Whether rates keep to limits at a prevalence. */
export function keepsTo(limits, p, { fpr, fnr }) {
  const flagged = p * (1 - fnr) + (1 - p) * fpr;
  const passed = 1 - flagged;
  const within = (rate, most) => rate <= most + ROUNDING;
  const {
    capacity,
    min_precision: precision,
    min_recall: recall,
    min_npv: npv,
    max_fpr: most,
  } = limits;
  return (
    (capacity === undefined || within(flagged, capacity)) &&
    (precision === undefined || within(precision * flagged, p * (1 - fnr))) &&
    (recall === undefined || within(recall, 1 - fnr)) &&
    (npv === undefined || within(npv * passed, (1 - p) * (1 - fpr))) &&
    (most === undefined || within(fpr, most))
  );
}

/** The rates of a model at the threshold t, above which scores are flagged. */
export function ratesAt({ scores, fpr, fnr, ramps }, t) {
  const k = countUpTo(scores, t);
  if (ramps === null || k === 0 || k === scores.length || !ramps[k]) {
    return { fpr: fpr[k], fnr: fnr[k] };
  }
  // Scores that are left out lie evenly between those that are kept.
  const along = (t - scores[k - 1]) / (scores[k] - scores[k - 1]);
  const between = (rates) => rates[k] + along * (rates[k + 1] - rates[k]);
  return { fpr: between(fpr), fnr: between(fnr) };
}

/** The share of cases that a model flags at each of its cuts, at a prevalence: descending. */
export function sharesFlagged(model, p) {
  const { fpr, fnr } = model;
  return Float64Array.from(fpr, (rate, k) => (1 - p) * rate + p * (1 - fnr[k]));
}

/** The cut of a model that costs least, of those that keep to the limits; null if none does. */
export function bestCut(model, amounts, limits) {
  const { fpr, fnr } = model;
  const { nobody, everybody, constant, p } = amounts;
  const [fpCost, fnCost] = [everybody - constant, nobody - constant];
  const limited = Object.keys(limits).length > 0;
  let best = -1;
  let least = Infinity;
  // Without objects: there may be tens of thousands of cuts, each time that something is typed.
  for (let k = 0; k < fpr.length; k += 1) {
    const money = fpCost * fpr[k] + fnCost * fnr[k];
    if (money < least && (!limited || keepsTo(limits, p, { fpr: fpr[k], fnr: fnr[k] }))) {
      best = k;
      least = money;
    }
  }
  if (best < 0) return null;
  const rates = { fpr: fpr[best], fnr: fnr[best] };
  return { money: moneyAt(amounts, rates), thresholds: [model.cutAfter(best)] };
}

/** What can be done, from passing to flagging. */
export const ORDER = ["pass", "review", "flag"];

/**
 * The thresholds that a rule of a decision sets on the scores of a model, one for each of so many
 * steps: above the first nobody is passed, above the last all are flagged. Null if it sets none.
 */
export function thresholdsOfRule(rule, model, p, steps) {
  if (rule === null || rule.chance !== undefined) return null;
  const queued = rule.by === "share";
  const cuts = queued ? rule.cuts.map((cut) => scoreOfShare(cut, model, p)).reverse() : rule.cuts;
  const actions = queued ? [...rule.actions].reverse() : rule.actions;
  const ranks = actions.map((action) => ORDER.indexOf(action));
  if (ranks.some((rank, k) => rank < 0 || (k > 0 && rank < ranks[k - 1]))) return null;
  /** Above which score what is done is at least so much. */
  const above = (least) => {
    const k = ranks.findIndex((rank) => rank >= least);
    return k < 0 ? Infinity : (cuts[k - 1] ?? -Infinity);
  };
  return steps === 1 ? [above(2)] : [above(1), above(2)];
}

function scoreOfShare(cut, model, p) {
  return model.cutAfter(sharesFlagged(model, p).findIndex((share) => share <= cut + ROUNDING));
}

/** A threshold in the fewest digits, three at least, that flag whom it flags. */
export function toldThreshold(model, t) {
  return shortThreshold(t, [], digitsOf(model, t));
}

/** In how many digits a threshold flags whom it flags, three at least. */
export function digitsOf({ scores }, t) {
  const k = countUpTo(scores, t);
  let digits = DIGITS;
  while (digits < ALL_DIGITS && countUpTo(scores, Number(t.toPrecision(digits))) !== k) digits += 1;
  return digits;
}

/** A threshold in an exported table, which has no numbers for infinite ones. */
export function thresholdField(t) {
  if (Number.isFinite(t)) return t;
  return t > 0 ? "flags nobody" : "flags everybody";
}
