// Numbers and names as people read them.
import { format } from "d3-format";

const NONE = "\u2013";
const WHOLE = format(",.0f");

export const METHODS = {
  optimal: ["Optimal", "the threshold that loses least on these cases at each condition"],
  score_driven: [
    "Score-driven",
    "trusts scores as probabilities, corrected for the prevalence: flag where acting pays",
  ],
  score_driven_uncorrected: [
    "Score-driven, uncorrected",
    "trusts scores as probabilities as they are, whatever the prevalence",
  ],
  rate_driven: ["Rate-driven", "flags a share of the cases that the condition sets"],
  score_fixed: ["Fixed at 0.5", "flags scores above 0.5, whatever the condition"],
  score_uniform: [
    "Score-uniform",
    "a threshold drawn at random, evenly over the scores\u2019 scale",
  ],
  rate_uniform: ["Rate-uniform", "a share flagged that is drawn at random, evenly"],
  flag_nobody: ["Flag nobody", ""],
  flag_everybody: ["Flag everybody", ""],
  single: ["One threshold", ""],
  per_case: ["A threshold for each case", ""],
};

export const METRICS = {
  auc: ["AUC", "up"],
  auc_hull: ["AUC of the convex hull", "up"],
  brier: ["Brier score", "down"],
  macro_brier: ["Brier score, classes balanced", "down"],
  mae: ["Mean absolute error", "down"],
  macro_mae: ["Mean absolute error, classes balanced", "down"],
  miscalibration: ["Miscalibration", "down"],
  refinement_loss: ["Refinement loss", "down"],
  h_measure: ["H-measure", "up"],
  voros: ["VOROS", "up"],
};

export const AXES = {
  cost: ["Cost proportion", "cost of a false positive \u00f7 both costs", "Loss"],
  skew: ["Skew", "cost proportion, with the prevalence taken in", "Loss"],
  pc: ["PC(+)", "probability cost, 1 \u2212 skew", "Normalised expected cost"],
};

/** Names of methods in the order in which they are shown. */
export function inOrder(methods) {
  return Object.keys(METHODS).filter((name) => methods.includes(name));
}

export function methodName(name) {
  return METHODS[name]?.[0] ?? name;
}

/** Money in five digits, thousands apart. */
export function money(amount) {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return NONE;
  if (Math.abs(amount) < 5e-7) return "0";
  const decimals = Math.min(Math.max(4 - Math.floor(Math.log10(Math.abs(amount))), 0), 6);
  return trimmed(format(`,.${decimals}f`)(amount));
}

/** How to show amounts that stand below each other: with as many decimals as the least needs. */
export function moneyAlike(amounts) {
  const sizes = amounts.map(Math.abs).filter((size) => Number.isFinite(size) && size >= 5e-7);
  const least = sizes.length > 0 ? Math.min(...sizes) : 1;
  const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(least)), 0), 6);
  const shown = format(`,.${decimals}f`);
  return (amount) => (amount === null || !Number.isFinite(amount) ? NONE : shown(amount));
}

/** A loss, rate or metric in six decimals. */
export function exact(value) {
  return value === null || value === undefined || !Number.isFinite(value)
    ? NONE
    : plain(value.toFixed(6));
}

/** A share or a condition in four significant digits. */
export function brief(value) {
  if (!Number.isFinite(value)) return NONE;
  if (value === 0) return "0";
  // Close to 1 it is the distance from 1 that counts.
  const room = value > 0.5 && value < 1 ? 1 - value : Math.abs(value);
  const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(room)), 0), 9);
  return trimmed(plain(value.toFixed(decimals)));
}

/** How many of 1,000 cases. */
export function cases(value) {
  if (value >= 9.95 || value === 0) return WHOLE(value);
  return value < 0.005 ? "under 0.01" : trimmed(value.toFixed(value < 0.95 ? 2 : 1));
}

export function count(value) {
  return WHOLE(value);
}

export function percent(value) {
  const share = 100 * value;
  const decimals = share === 0 ? 0 : Math.min(Math.max(2 - Math.floor(Math.log10(share)), 0), 6);
  return `${trimmed(share.toFixed(decimals))}\u00a0%`;
}

/** A threshold in six significant digits. */
export function thresholdText(value) {
  if (value === Infinity) return "+\u221e";
  if (value === -Infinity) return "\u2212\u221e";
  return plain(trimmed(Number(value.toPrecision(6)).toString()));
}

/** What a rule does, in words; null has no threshold of its own. */
export function ruleText(rule) {
  if (rule === null || rule === undefined) return "draws a threshold at random";
  const first = oneRule(rule.threshold);
  const mix = rule.mix ?? 1;
  if (rule.threshold2 === null || rule.threshold2 === undefined || mix === 1) return first;
  if (mix === 0) return oneRule(rule.threshold2);
  const second =
    rule.threshold === -Infinity ? "all others" : `those above ${thresholdText(rule.threshold)}`;
  return rule.threshold2 === Infinity
    ? `flag ${rule.threshold === -Infinity ? "every score" : `scores above ${thresholdText(rule.threshold)}`} with probability ${brief(mix)}`
    : `${oneRule(rule.threshold2)}, and ${second} with probability ${brief(mix)}`;
}

function oneRule(threshold) {
  if (threshold === Infinity) return "flag nobody";
  if (threshold === -Infinity) return "flag everybody";
  return `flag scores above ${thresholdText(threshold)}`;
}

/** A range of shares or conditions as its two ends, or the one value. */
export function between([low, high]) {
  return low === high ? brief(low) : `${brief(low)} to ${brief(high)}`;
}

function plain(text) {
  return text.replace(/^-/, "\u2212");
}

function trimmed(text) {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}
