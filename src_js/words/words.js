// Numbers and names as people read them.
import { format } from "d3-format";
import { given } from "../engine/plain.js";
import { rule_said, threshold_of } from "../words.gen.js";
import { ALL_DIGITS, priced, signed } from "./figures.js";

const NONE = "\u2013";
/** In place of a rule that is another at other conditions. */
export const VARIES = "varies";
const WHOLE = format(",.0f");
const MOST_DECIMALS = 6;

/** A loss, rate or metric in six decimals. */
export function exact(value) {
  return value === null || value === undefined || !Number.isFinite(value)
    ? NONE
    : signed(value.toFixed(6));
}

/** A share or a condition in four significant digits. */
export function brief(value) {
  if (!Number.isFinite(value)) return NONE;
  if (value === 0) return "0";
  // Close to 1 it is the distance from 1 that counts.
  const room = value > 0.5 && value < 1 ? 1 - value : Math.abs(value);
  const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(room)), 0), 9);
  return trimmed(signed(value.toFixed(decimals)));
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

/** What a rule does, in words, its thresholds in full or in so many digits; null has none of its own. */
export function ruleText(rule, digits = ALL_DIGITS) {
  return rule === null ? "draws a threshold at random" : rule_said(given(rule), digits);
}

/** The score above which a rule flags, without the other; null if it does more than that. */
export function thresholdOf(rule) {
  return threshold_of(given(rule));
}

/** An amount that somebody gave, as far as six digits tell it. */
export function amount(value, currency = "") {
  const text = Number(value.toPrecision(6));
  const shown = Math.abs(text) >= 1e15 || (text !== 0 && Math.abs(text) < 1e-6) ? String(text) : format(",")(text);
  return priced(signed(shown), currency);
}

function trimmed(text) {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}
