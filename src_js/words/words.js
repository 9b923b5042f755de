// Numbers and names as people read them.
import { format } from "d3-format";
import { thresholdOf } from "../curves/rule.js";
import { priced } from "./figures.js";

const NONE = "\u2013";
const WHOLE = format(",.0f");
const MOST_DECIMALS = 6;

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

export function count(value) {
  return WHOLE(value);
}

export function percent(value) {
  const share = 100 * value;
  const decimals = share === 0 ? 0 : Math.max(2 - Math.floor(Math.log10(share)), 0);
  // Of a share that is next to nothing its size counts.
  const text = decimals > MOST_DECIMALS ? share.toExponential(1) : trimmed(share.toFixed(decimals));
  return `${text}\u00a0%`;
}

/** A threshold in six significant digits. */
function thresholdText(value) {
  if (value === Infinity) return "+\u221e";
  if (value === -Infinity) return "\u2212\u221e";
  return plain(trimmed(Number(value.toPrecision(6)).toString()));
}

/** What a rule does, in words; null has no threshold of its own. `shown` writes thresholds. */
export function ruleText(rule, shown = thresholdText) {
  if (rule === null) return "draws a threshold at random";
  const { chance, otherwise } = rule;
  if (otherwise === undefined) return oneRule(rule, shown);
  const thresholds = [thresholdOf(rule), thresholdOf(otherwise)];
  if (thresholds.includes(null)) {
    return `${oneRule(rule, shown)} with probability ${brief(chance)}, else ${ruleText(otherwise, shown)}`;
  }
  const low = Math.min(...thresholds);
  const high = Math.max(...thresholds);
  const probability = brief(thresholds[0] === low ? chance : 1 - chance);
  if (high === Infinity) {
    const some = low === -Infinity ? "everybody" : `scores above ${shown(low)}`;
    return `flag ${some} with probability ${probability}`;
  }
  const others = low === -Infinity ? "all others" : `those above ${shown(low, [high])}`;
  return `flag scores above ${shown(high, [low])}, and ${others} with probability ${probability}`;
}

/** What a rule does, in words, without the other that chance may apply. */
function oneRule({ by, cuts, actions }, shown) {
  if (cuts.length === 0) {
    return { flag: "flag everybody", pass: "flag nobody" }[actions[0]] ?? `${actions[0]} everybody`;
  }
  const shares = by === "share";
  // From the highest scores to the lowest, as a queue has them.
  const [values, done] = shares ? [cuts, actions] : [cuts, actions].map((x) => [...x].reverse());
  const stretches = values.map((cut, k) => {
    if (!shares) return `${done[k]} ${k === 0 ? "scores" : "those"} above ${shown(cut, cuts)}`;
    return `${done[k]} the ${k === 0 ? `top ${percent(cut)} of the queue` : `next to ${percent(cut)}`}`;
  });
  const rest = done[cuts.length];
  const plain = cuts.length === 1 && actions.includes("flag") && actions.includes("pass");
  return [...stretches, ...(plain ? [] : [`${rest} the rest`])].join(", ");
}

/** An amount that somebody gave, as far as six digits tell it. */
export function amount(value, currency = "") {
  const text = Number(value.toPrecision(6));
  const shown = Math.abs(text) >= 1e15 || (text !== 0 && Math.abs(text) < 1e-6) ? String(text) : format(",")(text);
  return priced(plain(shown), currency);
}

function plain(text) {
  return text.replace(/^-/, "\u2212");
}

function trimmed(text) {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}
