// What a page is asked: costs, prevalence, what is known, limits, and the rule in use.
import { amount, percent } from "./words/words.js";

export const LIMITS = {
  capacity: "flag at most",
  min_precision: "precision at least",
  min_recall: "recall at least",
  min_npv: "negative predictive value at least",
  max_fpr: "false positive rate at most",
  review_capacity: "review at most",
};
export const RANGES = ["fp_cost", "fn_cost", "tp_cost", "tn_cost", "prevalence"];
// Parts of a review: without a cost there is none.
export const REVIEW = ["cost", "sensitivity", "specificity"];

/** A question with so many false positives for a false negative, all else as in the data. */
export function firstQuestion(contents, missed) {
  return {
    fp_cost: [1, 1],
    fn_cost: missed,
    tp_cost: [0, 0],
    tn_cost: [0, 0],
    review: null,
    prevalence: contents.initial.prevalence,
    estimated: contents.initial.estimated,
    known: [],
    limits: {},
    batch: null,
    baseline: null,
  };
}

export function same(a, b) {
  return a === b || (a !== null && b !== null && keyOf(a) === keyOf(b));
}

function keyOf(question) {
  const { review, estimated, known, limits, batch = null, baseline } = question;
  const ordered = Object.keys(LIMITS).map((name) => limits[name] ?? null);
  const rule = baseline && [baseline.model, baseline.threshold];
  const amounts = RANGES.map((name) => question[name]);
  const looks = review ? REVIEW.map((name) => review[name]) : null;
  return JSON.stringify([amounts, looks, estimated, [...known].sort(), ordered, batch, rule]);
}

/** What a question takes for granted, phrase by phrase. */
export function phrases(question, currency) {
  const { fp_cost: fp, fn_cost: fn, tp_cost: tp, tn_cost: tn, known, limits, baseline } = question;
  const money = (range) => span(range, (x) => amount(x, currency));
  const gains = ([low, high]) =>
    low < 0 ? `gains ${money([-high, -low].map((x) => x + 0))}` : `costs ${money([low, high])}`;
  return [
    `a false positive costs ${money(fp)}`,
    `a false negative costs ${money(fn)}`,
    `${span(question.prevalence, percent)} of cases are positive${question.estimated ? ", as in these rows" : ""}`,
    ...(isNothing(tp) ? [] : [`a true positive ${gains(tp)}`]),
    ...(isNothing(tn) ? [] : [`a true negative ${gains(tn)}`]),
    ...(question.review ? reviewIn(question.review, money) : []),
    ...(known.length > 0
      ? [`${[...known].sort().join(" and ")} ${plural(known)} known at each decision`]
      : []),
    ...Object.keys(LIMITS)
      .filter((name) => name in limits)
      .map((name) => `${LIMITS[name]} ${percent(limits[name])}${inBatches(name, question.batch)}`),
    ...(baseline ? [inUse(baseline)] : []),
  ];
}

/** What a review costs, and which of its decisions are right, if not all. */
function reviewIn({ cost, ...rates }, money) {
  const errs = ["sensitivity", "specificity"].filter((name) => rates[name].some((x) => x !== 1));
  const told = errs.map((name) => `${name} ${span(rates[name], percent)}`);
  return [`a review costs ${money(cost)}${told.length > 0 ? `, with ${told.join(" and ")}` : ""}`];
}

/** What a capacity is of, if not of all cases at once. */
export function inBatches(name, batch) {
  if (!isCapacity(name) || !batch) return "";
  const sizes = [batch].flat();
  const ends = [...new Set([sizes[0], sizes.at(-1)])].map((size) => size.toLocaleString("en"));
  return `, in batches of ${ends.join(" to ")}`;
}

/** Whether a limit is of so many places. */
export const isCapacity = (name) => name.endsWith("capacity");

function inUse({ model, threshold }) {
  const rule = threshold === null ? `is column ${model}` : `flags ${model} above ${threshold}`;
  return `the rule in use ${rule}`;
}

function plural(known) {
  return known.length === 1 && known[0] === "prevalence" ? "is" : "are";
}

const isNothing = ([low, high]) => low === 0 && high === 0;

export function span([low, high], shown) {
  return low === high ? shown(low) : `${shown(low)} to ${shown(high)}`;
}
