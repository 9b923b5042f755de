// What a decision comes to in a few words: what to do, how sure that is, and what it saves.
import { el } from "../dom.js";
import { isOne, namesOf } from "../strategies/alike.js";
import { looksAtScores } from "../strategies/strategy_rows.js";
import { ALL_DIGITS, CASES, estimated, levelOf, listed, priced, shortThreshold, sides, signed, together, unsettledIn } from "../words/figures.js";
import { ruleText, thresholdOf } from "../words/words.js";

// From here on a headline takes a smaller size.
const LONG = 76;
// What stands before the name of a model.
const STARTS = [
  "Keep the rule in use, ",
  "If you use a model, keep the rule in use, ",
  "If you use a model, use ",
  "Use ",
];
export const FLAGGING = {
  flag_nobody: "flagging nobody",
  flag_everybody: "flagging everybody",
  review_everybody: "reviewing everybody",
};

export function recommendedIn({ strategies, recommendation }) {
  return strategies.find((one) => isOne(one, recommendation)) ?? null;
}

/** The strategy that the answer is of: what is recommended, or the best model where none is. */
export function statedIn({ strategies, recommendation: { stated } }) {
  return stated === null ? null : (strategies.find((one) => isOne(one, stated)) ?? null);
}

/** Whether that is what is recommended. */
export function isRecommended({ recommendation }) {
  return recommendation.stated === null || isOne(recommendation, recommendation.stated);
}

/** The models with which the same can be done on all rows as what is recommended. */
function ownModels(decision) {
  const own = recommendedIn(decision);
  return own === null ? [] : namesOf(own, decision).models;
}

/** What to do, short and in full, as texts and as the parts of a headline. */
export function instructionOf(decision) {
  const { rule = null, model = null } = recommendedIn(decision) ?? {};
  const exact = decision.heading.replace(/\.$/, "");
  if (model === null) return { parts: [exact], text: exact, exact, long: false };
  const start = STARTS.find((one) => exact.startsWith(one));
  const end =
    rule === null ? exact.slice(start.length + model.length) : `: ${ruleText(rule)}`;
  const said = end + ofColumn(model, rule);
  const text = start + model + said;
  return {
    parts: [start, el("bdi", { class: "name" }, model), said],
    text,
    exact,
    long: text.length > LONG,
  };
}

/** What a rule says of the column whose sign was changed, as the name of a model says. */
function ofColumn(model, rule) {
  const at = rule === null || rule.chance !== undefined ? null : thresholdOf(rule);
  if (!model.startsWith("-") || at === null || !Number.isFinite(at)) return "";
  return ` (${model.slice(1)} below ${shortThreshold(-at, [], ALL_DIGITS)})`;
}

/** What it saves, how sure that is, and what is told of it besides: {saving, kind, sure, lines}. */
export function verdictOf(decision, values) {
  const { recommendation, told, not_shown: notShown, settling } = decision;
  const { clear, text: sure } = decision.sure;
  if (recommendation.cost_per_1000 === null) return { kind: "unsure", saving: null, sure, lines: told };
  const { currency } = values;
  const rivals = rivalsIn(decision);
  const [saving, ...others] = [
    ...(notShown === "" ? [] : [notShown]),
    ...besideInUse(decision, values),
    ...savedIn(decision, values),
    ...costIn(decision, values),
  ];
  const lines = [
    ...(isRecommended(decision) ? [] : [recommendation.instruction]),
    ...told,
    ...others,
    ...overRanges(recommendation.saving_range, currency),
    ...decision.reviews.map((one) => withCurrency(one, currency)),
    ...besideRivals(decision, rivals, currency),
    ...(settling === "" ? [] : [settling]),
    ...marginIn(decision, currency),
  ];
  return { saving, kind: clear ? "clear" : "unsure", sure, lines };
}

/** That costs include a margin, with its currency. */
function marginIn({ choosing }, currency) {
  return choosing === "" ? [] : [withCurrency(choosing, currency)];
}

/** A sentence whose every number is an amount. */
function withCurrency(sentence, currency) {
  return sentence.replace(/[\d.,]*\d(?: (?:m|bn|tn)\b)?/g, (amount) => priced(signed(amount), currency));
}

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

const byCost = (a, b) => a.cost_per_1000 - b.cost_per_1000;

/** The cheapest of what needs no model and is allowed, if anything is. */
function leastWithout({ strategies }) {
  return strategies.filter(({ model }) => model === null).sort(byCost).slice(0, 1);
}

/** The rule in use, where it is not recommended, and is told from what is. */
function againstToday({ baseline, recommendation }) {
  return recommendation.choice !== "baseline" && baseline?.more ? baseline : null;
}

/** What it saves against the better of what needs no model, where the data show it. */
function savedIn(decision, values) {
  return leastWithout(decision).flatMap(({ choice, more }) =>
    decision.recommendation.shown && more !== null
      ? [`It saves ${saved(more, values)} against ${FLAGGING[choice]}.`]
      : [],
  );
}

/** What it saves against the rule in use. */
function besideInUse(decision, values) {
  const more = againstToday(decision)?.more ?? null;
  if (more === null) return [];
  if (isNone(more)) return ["The rule in use does the same."];
  const { low, high } = more;
  const use = isRecommended(decision) ? "It" : capital(FLAGGING[decision.recommendation.choice]);
  if (low <= 0 && high >= 0) {
    const apart = sides(timesOf(more, values), values.currency, ["saved", "lost"]);
    return [`${use} is not shown to save money against the rule in use: ${apart} ${perOf(values)}.`];
  }
  const [does, than] = low > 0 ? ["saves", "against"] : ["costs", "more than"];
  const unclear = low > 0 && unsettledIn(decision, more) ? "; not clear after correction" : "";
  return [`${use} ${does} ${saved(more, values)} ${than} the rule in use${unclear}.`];
}

/** What it costs, where nothing is told of what it saves. */
function costIn(decision, values) {
  const { cost_per_1000: value, low, high } = recommendedIn(decision);
  const { value: cost, interval } = estimated(timesOf({ value, low, high }, values), values.currency);
  return [`It costs ${cost} ${perOf(values)}${interval === null ? "" : ` (${interval})`}.`];
}

/** What it saves against the rule in use where conditions suit it least, and best. */
function overRanges(range, currency) {
  if (range === null) return [];
  const shown = together(range);
  const [least, most] = range.map((money) => priced(shown(money), currency));
  return [`Over the ranges given the saving against the rule in use goes from ${least} to ${most} per 1,000 cases.`];
}

/** Of what answers are told: of a year where a volume is known. */
export const perOf = ({ volume }) => (volume === null ? "per 1,000 cases" : "a year");

/** An amount of 1,000 cases, with its interval, for a year where a volume is known. */
export function timesOf(one, { volume }) {
  if (volume === null) return one;
  const numbers = Object.entries(one).filter(([, x]) => typeof x === "number");
  return Object.fromEntries(numbers.map(([name, x]) => [name, (x * volume) / CASES]));
}

/** The size of a difference, `per` what, with its interval. */
function saved(more, values) {
  const { difference, low, high } = timesOf(more, values);
  const ends = [low, high].map(Math.abs).sort((a, b) => a - b);
  const size = { value: Math.abs(difference), low: ends[0], high: ends[1] };
  const { value, interval } = estimated(size, values.currency);
  return `${value} ${perOf(values)}${interval === null ? "" : ` (${interval})`}`;
}

/** Strategies of other models: also those that do the same as another of the recommended's models. */
function ofOthers(decision) {
  const own = ownModels(decision);
  return decision.strategies.filter(
    (one) => looksAtScores(one) && !own.includes(one.model) && one.choice !== "baseline",
  );
}

/** Those that the data do not tell from the recommended, by cost. */
function rivalsIn(decision) {
  return ofOthers(decision)
    .filter(({ more }) => more !== null && !isNone(more) && isUnsettled(decision, more))
    .sort(byCost);
}

/** What does the same as a rule of the recommended's model is not tested against that. */
function isUnsettled(decision, more) {
  return more.p_adjusted === null ? more.low !== null : unsettledIn(decision, more);
}

/** How far other models are from the recommended. */
function besideRivals(decision, rivals, currency) {
  const [use, own] = [decision.recommendation.model, ownModels(decision)];
  if (use === null) return [];
  const others = ofOthers(decision);
  const same = own.filter((model) => model !== use);
  const do_ = same.length === 1 ? "does" : "do";
  const lines = same.length > 0 ? [`${listed(same)} ${do_} the same on all rows.`] : [];
  if (rivals.length > 0) {
    const [{ model, more }] = rivals;
    const apart = `${sides(more, currency)} per 1,000 cases`;
    // One of many comparisons may look clear by chance.
    const all = more.low > 0 || more.high < 0 ? " all comparisons allowed for," : "";
    return [...lines, `${model} costs ${apart}:${all} the data do not tell the two apart.`];
  }
  const costMore = others.length > 0 && others.every(({ more }) => more !== null && more.low > 0);
  return costMore ? [...lines, "The other models are shown to cost more."] : lines;
}

/** Whether there is no difference at all: both make the same decisions. */
function isNone(more) {
  return more !== null && more.difference === 0 && more.se === 0;
}
