// What people type: numbers with their signs for thousands and decimals, shares, and ranges of these.

const SPACES = /[\s\u00a0\u2009\u202f']/g;
// Signs of currencies and codes that are in wide use: three other letters may mean anything, as "MIO" does.
const SIGNS = { "\u20ac": "EUR", $: "USD", "\u00a3": "GBP", "\u00a5": "JPY" };
const CODES = "EUR USD GBP JPY CHF SEK NOK DKK PLN CZK HUF CAD AUD NZD CNY INR BRL MXN ZAR KRW SGD HKD TRY ILS".split(" ");
const BESIDE = /^(\p{L}+\.?|\p{Sc})?\s*(.*?)\s*(\p{L}+\.?|\p{Sc})?$/su;
const UNITS = { k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, million: 1e6, bn: 1e9, billion: 1e9 };
const SCALED = /^(.*\d)\s*(k|thousand|mn?|million|bn|billion)$/is;
const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const GROUPED = /^[+-]?\d{1,3}(,\d{3}){2,}(\.\d+)?$|^[+-]?\d{1,3}(,\d{3})+\.\d+$/;
const GROUPED_BY_POINTS = /^[+-]?\d{1,3}(\.\d{3}){2,}(,\d+)?$|^[+-]?\d{1,3}(\.\d{3})+,\d+$/;
const DECIMAL_COMMA = /^[+-]?\d*,\d+$/;
// Thousands or three decimals: nobody can tell.
const EITHER = /^[+-]?[1-9]\d{0,2}(,\d{3}|\.\d00)$/;
// Of cases there are no parts.
const THOUSANDS = /^\+?[1-9]\d{0,2}((,\d{3})+|(\.\d{3})+)$/;
// A number of cases, where a share is of a batch; 0 is both.
const COUNTED = /^\s*\+?[1-9]\d*\s*$/;
const FRACTION = /^(\d+)\s*(?:\/|in)\s*([\d\s.,]+)$/i;
// A hyphen stands between two numbers only after a digit, so neither signs nor exponents are taken.
const SEPARATED = [/^(.+?)\s*(?::|;|\u2013|\u2014|\u2026|\.\.)\s*(.+)$/, /^(.+?)\s+to\s+(.+)$/i, /^(.*[\d%](?:\s?(?:k|mn?|bn))?)\s*-\s*([\d.,].*)$/i];

/**
 * The two ends that a text means, or why it means none: {ends} or {problem}.
 *
 * `kind` is {unit: "share" | "amount" | "count", holds(x), wanted, example}, and {batch} where the
 * share may be a number of the cases of a batch.
 */
export function ends(text, kind) {
  const typed = text.trim();
  if (typed === "") return { problem: `Type ${kind.example}.` };
  const apart = SEPARATED.map((pattern) => pattern.exec(typed)).find(Boolean);
  let parts = apart ? [apart[1], apart[2]] : [typed];
  // "5 - 10 %" means both.
  if (apart && parts[1].includes("%") && !parts[0].includes("%")) parts[0] += "%";
  const unit = kind.scaled ? SCALED.exec(withoutCurrency(parts.at(-1), kind).text)?.[2] : undefined;
  if (apart && unit !== undefined && !SCALED.test(withoutCurrency(parts[0], kind).text)) {
    const [low, high] = parts;
    return { problem: `\u201c${typed}\u201d may begin at ${low} or ${low} ${unit}: type ${low} ${unit}:${high}, or both in full.` };
  }
  parts = parts.map((part) => one(part, kind));
  const failed = parts.find(({ problem }) => problem !== undefined);
  if (failed) return failed;
  const [low, high = low] = parts.map(({ value }) => value);
  if (low > high) {
    return { problem: `The first number is above the second: type ${typedRange(parts, kind)}.` };
  }
  return { ends: [low, high] };
}

/** The one number that a text means: {value} or {problem}. */
export function one(text, kind) {
  const found = number(text.trim(), kind);
  if (found.problem !== undefined) return found;
  if (kind.batch && COUNTED.test(text)) return ofBatch(found.value, text.trim(), kind);
  return kind.holds(found.value) ? found : { problem: refused(found.value, text, kind) };
}

/** The share of a batch that a number of its cases is. */
function ofBatch(cases, text, { batch }) {
  if (cases === 1) {
    return { problem: `\u201c1\u201d may be one case or all of them: type 1/${batch} or 100%.` };
  }
  if (cases <= batch) return { value: cases / batch };
  return { problem: `\u201c${text}\u201d is more cases than a batch has, ${batch}.` };
}

function number(text, kind) {
  const fraction = kind.unit === "share" ? FRACTION.exec(text) : null;
  if (fraction) {
    const [above, below] = [fraction[1], fraction[2]].map((part) => number(part, COUNTS));
    return below.value > 0 ? { value: above.value / below.value } : notOne(text, kind);
  }
  const percent = text.includes("%");
  if (percent && kind.unit !== "share") {
    return { problem: `\u201c${text}\u201d is a share, and this is not: type ${kind.example}.` };
  }
  const { text: amount, currency } = withoutCurrency(text, kind);
  if (currency && kind.currency && codeOf(currency) !== codeOf(kind.currency)) {
    return { problem: `\u201c${text}\u201d is in ${currency}, and amounts here are in ${kind.currency}: type the amount in that.` };
  }
  const [, scaled, unit] = (kind.scaled && SCALED.exec(amount)) || [null, amount, ""];
  const times = UNITS[unit.toLowerCase()] ?? 1;
  const bare = scaled.replace(SPACES, "").replace("%", "").replace("\u2212", "-");
  if (EITHER.test(bare) && (kind.unit !== "count" || times > 1)) {
    const [thousands, decimals] = ["", "."].map((sign) => times * Number(bare.replace(/[.,]/, sign)));
    return { problem: `\u201c${text}\u201d may be ${thousands} or ${decimals}: type one of these.` };
  }
  const written = normal(bare, kind);
  if (!PLAIN.test(written)) return notOne(text, kind);
  // As one number: 1.1 times a thousand is not 1100 in binary digits.
  const value = times > 1 ? Number(`${Number(written)}e${Math.log10(times)}`) : Number(written) / (percent ? 100 : 1);
  return Number.isFinite(value) ? { value } : notOne(text, kind);
}

/** An amount without its currency, and that, if it has one: {text, currency}. */
function withoutCurrency(text, kind) {
  if (!kind.money) return { text };
  const [, before, amount, after] = BESIDE.exec(text.trim());
  const known = (one) => one && (one in SIGNS || CODES.includes(one.toUpperCase()) || one === kind.currency);
  if (known(before) && !after) return { text: amount, currency: before };
  if (known(after) && !before) return { text: amount, currency: after };
  // "5k EUR" has both a unit and a currency, "EUR 5k" too.
  if (known(before)) return { text: `${amount}${after}`, currency: before };
  return { text };
}

const codeOf = (currency) => SIGNS[currency] ?? currency.toUpperCase();

/** With a point for decimals, and nothing between thousands. */
function normal(bare, { unit }) {
  if (unit === "count" && THOUSANDS.test(bare)) return bare.replace(/[.,]/g, "");
  if (GROUPED.test(bare)) return bare.replace(/,/g, "");
  if (GROUPED_BY_POINTS.test(bare)) return bare.replace(/\./g, "").replace(",", ".");
  return DECIMAL_COMMA.test(bare) ? bare.replace(",", ".") : bare;
}

function notOne(text, { example }) {
  return { problem: `\u201c${text}\u201d is not a number: type ${example}.` };
}

function refused(value, text, { unit, wanted, holds, example }) {
  if (unit === "share" && value >= 1 && !text.includes("%") && holds(value / 100)) {
    const share = Number((value / 100).toPrecision(6));
    return `\u201c${text.trim()}\u201d is more than all cases: for ${value} % type ${value}% or ${share}.`;
  }
  return `\u201c${text.trim()}\u201d is not ${wanted}: type ${example}.`;
}

function typedRange([first, second], { unit }) {
  return [second, first]
    .map(({ value }) => (unit === "share" ? `${Number((100 * value).toPrecision(6))}%` : Number(value.toPrecision(6))))
    .join(":");
}

const COUNTS = { unit: "count", holds: (x) => x > 0 };

/** A kind of amounts that are in the currency of a page. */
export function moneyOf(state, kind) {
  return {
    ...kind,
    get currency() {
      return state.values.currency;
    },
  };
}

// Products of two costs stay finite up to here, as in the library.
const LARGEST = 1e50;

export const COST = {
  unit: "amount",
  money: true,
  scaled: true,
  ranged: true,
  holds: (x) => x > 0 && x <= LARGEST,
  wanted: "a cost above 0",
  example: "a cost, such as 5, or a range, such as 5:50",
};
export const CORRECT_COST = {
  unit: "amount",
  money: true,
  scaled: true,
  ranged: true,
  holds: (x) => Math.abs(x) <= LARGEST,
  wanted: "an amount",
  example: "a cost, such as 2, or a range, such as 1:3",
};
export const PREVALENCE = {
  unit: "share",
  ranged: true,
  holds: (x) => x > 0 && x < 1,
  wanted: "a share between 0 and 100 %",
  example: "a share, such as 5%, or a range, such as 5%:10%",
};
export const RATE = {
  unit: "share",
  ranged: true,
  holds: (x) => x >= 0 && x <= 1,
  wanted: "a share from 0 to 100 %",
  example: "a share, such as 95%, or a range, such as 90%:98%",
};
export const LIMIT = {
  unit: "share",
  holds: (x) => x >= 0 && x <= 1,
  wanted: "a share from 0 to 100 %",
  example: "a share, such as 10%",
};
export const BATCH = {
  unit: "count",
  holds: (x) => Number.isInteger(x) && x >= 1 && x <= 1e9,
  wanted: "a whole number of cases",
  example: "how many cases a batch has, such as 200",
};
export const THRESHOLD = {
  unit: "amount",
  holds: () => true,
  wanted: "a threshold",
  example: "a threshold, such as 0.5",
};
export const VOLUME = {
  unit: "count",
  scaled: true,
  holds: (x) => x > 0 && x <= 1e15,
  wanted: "a number of cases",
  example: "how many, such as 20 000",
};

/** Text without what has no sign of its own, and may turn the digits beside it around. */
export function printable(text) {
  return text.replace(/\p{C}/gu, "");
}
