// Amounts with their currency and intervals; their digits are those of the package.
import {
  alone_shown,
  amount_shown,
  decimals_for,
  estimate_shown,
  exact_shown,
  listed,
  thresholds_shown,
} from "../words.gen.js";

export const DIGITS = 3;
// Of thresholds in exports: whatever tells them apart.
export const ALL_DIGITS = 17;
const DEFAULT_LEVEL = 0.95;
// Amounts are of so many cases.
export const CASES = 1000;
const MINUS = "\u2212";

export { listed };

/** How to write amounts that stand together, by the largest of them and how wide their interval is. */
export function together(amounts, width = 0) {
  const decimals = decimals_for(amounts, width);
  return (x) => signed(amount_shown(x, decimals));
}

/** Text of an amount with a true minus, and its unit on its line. */
export function signed(text) {
  return text.replace(/^-/, MINUS).replace(/(\d) (?=(?:m|bn|tn)$)/, "$1\u00a0");
}

/** An amount alone, without the zeros at its end. */
export function plainly(x) {
  return signed(alone_shown(x));
}

/** An amount that is known exactly, in full. */
export function exactly(x, currency = "") {
  return priced(signed(exact_shown(x)), currency);
}

/** With the sign or the letters of a currency. */
export function priced(text, currency) {
  if (!currency) return text;
  if (isWord(currency)) return `${text}\u00a0${currency}`;
  return text.startsWith(MINUS) ? MINUS + currency + text.slice(1) : currency + text;
}

const isWord = (currency) => /\p{L}/u.test(currency);

/** Both ends of an interval, "a to b": letters of a currency stand once, behind both. */
function pricedEnds(text, currency) {
  const [low, high] = text.split(" to ").map(signed);
  if (isWord(currency)) return `${low} to ${priced(high, currency)}`;
  return `${priced(low, currency)} to ${priced(high, currency)}`;
}

/** An amount of [value, low, high] and its interval, in the same digits: {value, interval}. */
export function estimated({ value, low, high }, currency = "") {
  if (!(high > low)) return { value: priced(plainly(value), currency), interval: null };
  const [shown, ends] = estimate_shown(value, low, high);
  return { value: priced(signed(shown), currency), interval: pricedEnds(ends, currency) };
}

/** An amount in the digits of its interval; in full where it is known, which a null of `low` says it is not. */
export function amountOf({ value, low, high }, currency = "") {
  return high > low || low === null ? estimated({ value, low, high }, currency).value : exactly(value, currency);
}

/** A difference in words for its side, with its interval in that direction: "12 more (\u221239 to 90)". */
export function sides({ difference, low, high }, currency = "", [more, less] = ["more", "less"]) {
  const [word, ends] = difference < 0 ? [less, { low: -high, high: -low }] : [more, { low, high }];
  const { value, interval } = estimated({ value: Math.abs(difference), ...ends }, currency);
  return interval === null ? `${value} ${word}` : `${value} ${word} (${interval})`;
}

/** The ends of an interval. */
export function spanned({ low, high }, currency = "") {
  return estimated({ value: low, low, high }, currency).interval ?? priced(plainly(low), currency);
}

/** Shares of 100 with their interval, in the same digits. */
export function percents({ value, low, high }) {
  const found = estimated({ value: 100 * value, low: 100 * low, high: 100 * high });
  const interval = found.interval && `${found.interval}\u00a0%`;
  return { value: `${found.value}\u00a0%`, interval };
}

/** A threshold in three digits; in more where it would look like 0 or 1, or like another one. */
export function shortThreshold(value, others = [], digits = DIGITS) {
  return signed(thresholds_shown([value, ...others], digits)[0]);
}

function level(decision) {
  return decision.evidence?.level ?? DEFAULT_LEVEL;
}

/** Whether the data do not tell one from the recommended, all comparisons allowed for. */
export function unsettledIn(decision, { p_adjusted: p }) {
  return p !== null && p >= 1 - level(decision);
}

export function levelOf(decision) {
  return `${Number((100 * level(decision)).toPrecision(4))}\u00a0%`;
}
