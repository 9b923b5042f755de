// What people type: numbers with their signs for thousands and decimals, shares, and ranges of these.

const SPACES = /[\s\u00a0\u2009\u202f']/g;
const CURRENCIES = /[\u20ac$\u00a3\u00a5]/g;
const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const GROUPED = /^[+-]?\d{1,3}(,\d{3}){2,}(\.\d+)?$|^[+-]?\d{1,3}(,\d{3})+\.\d+$/;
const GROUPED_BY_POINTS = /^[+-]?\d{1,3}(\.\d{3}){2,}(,\d+)?$|^[+-]?\d{1,3}(\.\d{3})+,\d+$/;
const DECIMAL_COMMA = /^[+-]?\d*,\d+$/;
// Thousands or three decimals: nobody can tell.
const EITHER = /^[+-]?[1-9]\d{0,2}(,\d{3}|\.000)$/;
// Of cases there are no parts.
const THOUSANDS = /^\+?[1-9]\d{0,2}((,\d{3})+|(\.\d{3})+)$/;
// A number of cases, where a share is of a batch; 0 is both.
const COUNTED = /^\s*\+?[1-9]\d*\s*$/;
const FRACTION = /^(\d+)\s*(?:\/|in)\s*([\d\s.,]+)$/i;
// A hyphen stands between two numbers only after a digit, so neither signs nor exponents are taken.
const SEPARATED = [/^(.+?)\s*(?::|\u2013|\u2014|\u2026|\.\.)\s*(.+)$/, /^(.+?)\s+to\s+(.+)$/i, /^(.*[\d%])\s*-\s*([\d.,].*)$/];

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
  const bare = text.replace(SPACES, "").replace(CURRENCIES, "").replace("%", "").replace("\u2212", "-");
  if (EITHER.test(bare) && kind.unit !== "count") {
    const [thousands, decimals] = ["", "."].map((sign) => Number(bare.replace(/[.,]/, sign)));
    return { problem: `\u201c${text}\u201d may be ${thousands} or ${decimals}: type one of these.` };
  }
  const written = normal(bare, kind);
  if (!PLAIN.test(written)) return notOne(text, kind);
  const value = Number(written) / (percent ? 100 : 1);
  return Number.isFinite(value) ? { value } : notOne(text, kind);
}

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

// Products of two costs stay finite up to here, as in the library.
const LARGEST = 1e50;

export const COST = {
  unit: "amount",
  ranged: true,
  holds: (x) => x > 0 && x <= LARGEST,
  wanted: "a cost above 0",
  example: "a cost, such as 5, or a range, such as 5:50",
};
export const CORRECT_COST = {
  unit: "amount",
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
  holds: (x) => x > 0 && x <= 1e15,
  wanted: "a number of cases",
  example: "how many, such as 20 000",
};

/** Text without what has no sign of its own, and may turn the digits beside it around. */
export function printable(text) {
  return text.replace(/\p{C}/gu, "");
}
