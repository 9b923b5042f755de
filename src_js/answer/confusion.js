// The confusion table of the rule that is stated, and how it keeps to limits.
import { FLAGGING, capital, isRecommended, statedIn } from "./decided.js";
import { el, hint, number, onPaper, table } from "../dom.js";
import { estimated, levelOf, percents, plainly, priced, sides } from "../words/figures.js";
import { LIMITS } from "../question.js";
import { withCsv } from "./sharing.js";
import { percent } from "../words/words.js";
import { limit_shown } from "../words.gen.js";

const CELLS = [
  ["flag", "positive", "true positives"],
  ["pass", "positive", "false negatives"],
  ["flag", "negative", "false positives"],
  ["pass", "negative", "true negatives"],
  ["review", "positive", "reviewed positives"],
  ["review", "negative", "reviewed negatives"],
];

/** Of 1,000 cases, how many are of each kind under the rule that is stated. */
export function confusion(decision, currency) {
  const outcomes = statedIn(decision)?.outcomes;
  if (!outcomes) return [hint("Without a rule there is nothing to count.")];
  return [
    withCsv(counted("Of 1,000 cases, right and wrong", outcomes), "confusion", csvOf(outcomes)),
    rates(outcomes, levelOf(decision)),
    ...inUse(decision),
    ...limitsIn(decision, currency),
    ...worthOf(decision, currency),
  ];
}

/** What the rule in use does, beside what is recommended. */
function inUse({ strategies, recommendation }) {
  const used = strategies.find(({ choice }) => choice === "baseline");
  if (!used?.outcomes || recommendation.choice === "baseline") return [];
  const { flag, pass } = used.outcomes;
  const [tp, fp, fn] = [flag.positive, flag.negative, pass.positive].map(({ value }) => value);
  const said = (x) => number(x, plainly(x));
  return [
    el(
      "p",
      { class: "rates" },
      ...["The rule in use flags ", said(tp + fp), ", of them ", said(tp)],
      ...[" positive; false negatives ", said(fn), "."],
    ),
  ];
}

/** The confusion table of such counts by action and class, each {value, low, high}. */
export function counted(caption, outcomes) {
  const actions = outcomes.review
    ? { flag: "Flagged", review: "Reviewed", pass: "Passed" }
    : { flag: "Flagged", pass: "Not flagged" };
  const [heads, classes] = [Object.entries(actions), ["positive", "negative"]];
  return table({
    caption,
    className: "confusion",
    head: [
      el("span", { class: "unseen" }, "Class"),
      ...heads.map(([action, name]) => withTotal(name, classes.map((of) => outcomes[action][of]))),
    ],
    rows: classes.map((of) => [
      withTotal(capital(of), heads.map(([action]) => outcomes[action][of])),
      ...heads.map(([action]) => cellOf(action, of, outcomes)),
    ]),
  });
}

function cellOf(action, of, outcomes) {
  const [, , name] = CELLS.find((cell) => cell[0] === action && cell[1] === of);
  const decided = (action === "flag") === (of === "positive") ? "right" : "wrong";
  return { content: estimate(outcomes[action][of], name), className: action === "review" ? "open" : decided };
}

function withTotal(name, counts) {
  const sum = counts.reduce((total, { value }) => total + value, 0);
  return { content: [name, " ", el("small", {}, number(sum, plainly(sum)))] };
}

function estimate({ value, low = value, high = value }, name) {
  const { value: shown, interval } = estimated({ value, low, high });
  return [
    number(value, shown),
    el("span", { class: "kind" }, name),
    interval ? el("small", {}, interval) : null,
  ];
}

function rates({ precision, recall, review }, level) {
  const said = (one) => {
    const { value, interval } = percents(one);
    return [number(one.value, value), interval ? ` (${interval})` : ""];
  };
  return el(
    "p",
    { class: "rates" },
    "On held-out rows: recall ",
    ...said(recall),
    `, the share of positives that are flagged${review ? " without a review" : ""}; `,
    ...(precision
      ? ["precision ", ...said(precision), ", the share of flagged cases that are positive. "]
      : ["no case is flagged. "]),
    ...([precision, recall].some((one) => one && one.high > one.low)
      ? [el("span", { class: "hint" }, `In brackets: ${level} intervals.`)]
      : []),
  );
}

/** How each limit is kept, which is found after the answer. */
function limitsIn(decision, currency) {
  const { limits, limits_kept: found } = decision;
  if (found) return found.map((limit) => kept(limit, whoseIn(decision), currency));
  const pending = Object.keys(limits).length > 0;
  return pending ? [onPaper("How limits are kept had not been found yet when this was printed.")] : [];
}

/** What a limit costs is told of what is recommended, all else of the rule that is stated. */
function whoseIn(decision) {
  return isRecommended(decision) ? "" : `for ${FLAGGING[decision.recommendation.choice]} `;
}

/** How a limit is kept, and what it costs. */
function kept({ name, limit, prevalence, by_prevalence, status, ...rest }, whose, currency) {
  const { reached, reached_low: low, reached_high: high, ...costs } = rest;
  const ends = low === null ? null : [low, high];
  const how = limit_shown(name, status, reached, ends, by_prevalence ? prevalence : null);
  const text = `Limit, ${LIMITS[name]} ${percent(limit)}: ${how}${priceOf(costs, whose, currency)}.`;
  return el("p", { class: status === "broken" ? "caution" : "rates" }, text);
}

/** What longer batches, and more places in each, would save in the queue that is recommended. */
function worthOf({ places_worth: worth, recommendation }, currency) {
  const own = worth?.[recommendation.model];
  if (!own || recommendation.choice !== "queue") return [];
  const saves = (x) => `would ${x < 0 ? "cost" : "save"} ${priced(plainly(Math.abs(x)), currency)}`;
  const text =
    `Per 1,000 cases, batches twice as long ${saves(own.twice_the_batch)}, one more place in each ` +
    `${saves(own.one_more_place)}, one queue of all cases ${saves(own.one_queue)}.`;
  return [el("p", { class: "rates" }, text)];
}

/** What a limit costs, and whether the data show that. */
function priceOf({ costs, costs_low: low, costs_high: high }, whose, currency) {
  if (costs === null) return "";
  if (costs === 0) return `; ${whose}the limit costs nothing`;
  const side = costs < 0 ? "saved" : "lost";
  if (low === null) return `; ${whose}by the limit ${priced(plainly(Math.abs(costs)), currency)} ${side} per 1,000 cases`;
  if (low > 0) {
    const { value, interval } = estimated({ value: costs, low, high }, currency);
    return `; ${whose}per 1,000 cases the limit costs ${value} (${interval})`;
  }
  const within = sides({ difference: costs, low, high }, currency, ["lost", "saved"]);
  return `; ${whose}the limit is not shown to cost anything: ${within} per 1,000 cases`;
}

function csvOf(outcomes) {
  const rates = ["precision", "recall"].flatMap((name) =>
    outcomes[name] ? [[name, ...threeOf(outcomes[name])]] : [],
  );
  const cells = CELLS.filter(([action]) => action in outcomes).map(([action, of, name]) => [
    `${name} per 1,000 cases`,
    ...threeOf(outcomes[action][of]),
  ]);
  return { head: ["what", "value", "low", "high"], rows: [...cells, ...rates] };
}

const threeOf = ({ value, low, high }) => [value, low, high];
