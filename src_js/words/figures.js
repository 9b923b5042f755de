// Amounts with their currency and intervals; their digits are those of the package.
import { alone_shown, amount_shown, decimals_for, known_beside, listed, thresholds_shown } from "../words.gen.js";

export const DIGITS = 3;
// Of thresholds in exports: whatever tells them apart.
export const ALL_DIGITS = 17;
const DEFAULT_LEVEL = 0.95;
// Amounts are of so many cases.
export const CASES = 1000;

export { listed };

/** How to write amounts that stand together, by the largest of them and how wide their interval is. */
export function together(amounts, width = 0) {
  const decimals = decimals_for(amounts, width);
  return (x) => signed(amount_shown(x, decimals));
}

export function signed(text) {
  return text.replace(/^-/, "\u2212");
}

/** An amount alone, without the zeros at its end. */
export function plainly(x) {
  return signed(alone_shown(x));
}

/** With the sign or the letters of a currency. */
export function priced(text, currency) {
  if (!currency) return text;
  if (/\p{L}/u.test(currency)) return `${text}\u00a0${currency}`;
  return text.startsWith("\u2212") ? `\u2212${currency}${text.slice(1)}` : currency + text;
}

/** An amount of [value, low, high] and its interval, in the same digits: {value, interval}. */
export function estimated({ value, low, high }, currency = "") {
  const open = !(high > low);
  const width = open ? 0 : high - low;
  const shown = together(open ? [value] : [value, low, high], width);
  return {
    value: priced(open ? plainly(value) : shown(value), currency),
    interval: open ? null : `${priced(shown(low), currency)} to ${priced(shown(high), currency)}`,
  };
}

/** An amount without an interval, as fine as one of [low, high] beside it. */
export function knownBeside(value, { low, high }, currency = "") {
  return priced(signed(known_beside(value, low, high)), currency);
}

/** An amount in the digits of its own interval; where it has none, as fine as another beside it. */
export function amountBeside({ value, low, high }, beside, currency = "") {
  return high > low ? estimated({ value, low, high }, currency).value : knownBeside(value, beside, currency);
}

/** A difference in words for its sides, such as "54 less to 96 more". */
export function sides({ low, high }, currency = "", [more, less] = ["more", "less"]) {
  const shown = together([low, high], high - low);
  const said = (x) => priced(shown(Math.abs(x)), currency);
  if (low < 0 && high > 0) return `${said(low)} ${less} to ${said(high)} ${more}`;
  if (!(high > low)) return `${priced(plainly(Math.abs(low)), currency)} ${low < 0 ? less : more}`;
  const [near, far] = low < 0 ? [high, low] : [low, high];
  return `${said(near)} to ${said(far)} ${low < 0 ? less : more}`;
}

/** The ends of an interval. */
export function spanned({ low, high }, currency = "") {
  const shown = together([low, high], high - low);
  return high > low
    ? `${priced(shown(low), currency)} to ${priced(shown(high), currency)}`
    : priced(plainly(low), currency);
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
