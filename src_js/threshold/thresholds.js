// What one threshold for all conditions costs and does, on all rows: pure functions.
import { ALL_DIGITS, CASES, DIGITS, shortThreshold } from "../words/figures.js";
import { countUpTo } from "../curves/conditions.js";

// What rounding may move a rate by that is on a limit.
const ROUNDING = 1e-12;

/** The money of a question per 1,000 cases, by where one works in ROC space. */
export function amountsOf({ fp_cost: fp, fn_cost: fn, tp_cost: tp, tn_cost: tn, prevalence }) {
  const p = meanPrevalence(prevalence);
  const [right, passed] = [tp, tn].map(([low, high]) => (low + high) / 2);
  return {
    p,
    nobody: CASES * (p * meanCost(fn) + (1 - p) * passed),
    everybody: CASES * (p * right + (1 - p) * meanCost(fp)),
    // The cost if all decisions are correct.
    constant: CASES * (p * right + (1 - p) * passed),
  };
}

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

/** Of 1,000 cases, how many are of each kind. */
export function outcomesAt(p, { fpr, fnr }) {
  const [tp, fp] = [CASES * p * (1 - fnr), CASES * (1 - p) * fpr];
  return { flagged: tp + fp, tp, fn: CASES * p * fnr, fp };
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
  return { money: moneyAt(amounts, rates), threshold: model.cutAfter(best), ...rates };
}

/** The threshold that a rule of a decision sets on the scores of a model; null if it sets none. */
export function thresholdOfRule(rule, model, p) {
  if (rule === null || rule.chance !== undefined) return null;
  const { by, cuts, actions } = rule;
  if (cuts.length === 0) return actions[0] === "flag" ? -Infinity : Infinity;
  if (cuts.length > 1 || !actions.includes("flag") || !actions.includes("pass")) return null;
  if (by === "score") return actions[0] === "pass" ? cuts[0] : null;
  const flagged = sharesFlagged(model, p);
  const k = flagged.findIndex((share) => share <= cuts[0] + ROUNDING);
  return model.cutAfter(k);
}

/** A threshold in the fewest digits, three at least, that flag whom it flags. */
export function toldThreshold({ scores }, t) {
  const k = countUpTo(scores, t);
  let digits = DIGITS;
  while (digits < ALL_DIGITS && countUpTo(scores, Number(t.toPrecision(digits))) !== k) digits += 1;
  return shortThreshold(t, [], digits);
}

/** A threshold in an exported table, which has no numbers for infinite ones. */
export function thresholdField(t) {
  if (Number.isFinite(t)) return t;
  return t > 0 ? "flags nobody" : "flags everybody";
}
