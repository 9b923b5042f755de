// What a decision comes to in a few words: what to do, how sure that is, and what it saves.
import { el } from "../dom.js";
import { distinctIn, isOne, namesOf } from "../strategies/alike.js";
import { looksAtScores } from "../strategies/strategy_rows.js";
import { CASES, estimated, levelOf, listed, priced, shortThreshold, sides, split, together, unsettledIn } from "../words/figures.js";
import { ruleText, thresholdOf } from "../words/words.js";

// From here on a headline takes a smaller size.
const LONG = 76;
// What stands before the name of a model.
const STARTS = ["Keep the rule in use, ", "If you use a model, use ", "Use "];
// Of names in a headline.
const MOST_NAMED = 2;
export const FLAGGING = { flag_nobody: "flagging nobody", flag_everybody: "flagging everybody" };

export function recommendedIn({ strategies, recommendation }) {
  return strategies.find((one) => isOne(one, recommendation)) ?? null;
}

/** The models with which the same can be done on all rows as what is recommended. */
function ownModels(decision) {
  const own = recommendedIn(decision);
  return own === null ? [] : namesOf(own, decision).models;
}

/** What to do, short and in full, as texts and as the parts of a headline. */
export function instructionOf({ recommendation }) {
  const { rule, model, instruction } = recommendation;
  const exact = instruction.replace(/\.$/, "");
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
  return ` (${model.slice(1)} below ${shortThreshold(-at)})`;
}

/** How sure that is: {kind, title, lines}. */
export function verdictOf(decision, { currency, volume }) {
  const { recommendation, told } = decision;
  const { model, shown, clear, cost_per_1000: cost } = recommendation;
  if (cost === null) {
    return { kind: "unsure", title: "Nothing keeps to the limits", lines: told };
  }
  if (model === null) {
    const lines = [...told, ...besideInUse(decision, currency, volume), ...bestModelIn(decision, currency)];
    return { kind: "unsure", title: "No model is shown to help", lines };
  }
  const rivals = rivalsIn(decision);
  const lines = [
    ...told,
    ...besideInUse(decision, currency, volume),
    ...savedIn(decision, currency),
    ...besideRivals(decision, rivals, currency),
    ...luckIn(decision, currency),
  ];
  if (isCheaper(decision.baseline)) {
    return { kind: "unsure", title: "The rule in use costs less", lines };
  }
  if (shown && clear) return { kind: "clear", title: "The data are clear", lines };
  // One of many comparisons may look clear by chance, but is no rival to name.
  const near = rivals.filter(({ more }) => more.low <= 0 && more.high >= 0);
  const names = shown
    ? [...new Set(near.map((one) => one.model))]
    : leastWithout(decision).map(({ choice }) => FLAGGING[choice]);
  const alike = names.length > MOST_NAMED ? `${names.length} other models` : listed(names);
  const title = alike === "" ? "No clear winner" : `No clear winner: ${alike} may do as well`;
  return { kind: "unsure", title, lines };
}

/** How much of the cost is luck in choosing, or that the cost allows for it. */
function luckIn({ recommendation, choosing }, currency) {
  const { cost_per_1000: value, low, high, without_luck: own } = recommendation;
  const [part, rest] = own === null ? [] : split({ value, low, high }, own.cost_per_1000, currency);
  const whole = estimated({ value, low, high }, currency).value;
  if (rest) return [`The cost of ${whole} is ${part}, and ${rest} for luck in choosing.`];
  return choosing === "" ? [] : [choosing];
}

/** Whether the data show that the rule in use costs less, and it is allowed. */
function isCheaper(baseline) {
  return baseline !== null && baseline.broken.length === 0 && (baseline.more?.high ?? 0) < 0;
}

const byCost = (a, b) => a.cost_per_1000 - b.cost_per_1000;

/** The cheapest of what needs no model and is allowed, if anything is. */
function leastWithout({ strategies }) {
  return strategies.filter(({ model }) => model === null).sort(byCost).slice(0, 1);
}

/** What it saves against the better of what needs no model, where the data show it. */
function savedIn(decision, currency) {
  return leastWithout(decision).flatMap(({ choice, more }) =>
    decision.recommendation.shown && more !== null
      ? [`It saves ${saved(more, 1, currency)} per 1,000 cases against ${FLAGGING[choice]}.`]
      : [],
  );
}

/** What it saves against the rule in use, a year where a volume is known. */
function besideInUse(decision, currency, volume) {
  const { baseline, recommendation } = decision;
  const more = recommendation.choice === "baseline" ? null : (baseline?.more ?? null);
  if (more === null) return [];
  if (isNone(more)) return ["The rule in use does the same."];
  const { low, high } = more;
  const { alone } = baseline;
  const yearly = (one) =>
    volume === null ? "" : `, ${saved(one, volume / CASES, currency)} a year`;
  const shows = (one) => one !== null && one.low > 0 && !unsettledIn(decision, one);
  const apart = `${sides(more, currency, ["saved", "lost"])} per 1,000 cases`;
  const across = overRanges(recommendation.saving_range, currency);
  if (high >= 0 && shows(alone) && !shows(more)) {
    const saves = `${saved(alone, 1, currency)} per 1,000 cases against the rule in use`;
    const allowing = `allowing for luck in choosing among the models, ${apart}`;
    return [`${recommendation.model} alone saves ${saves}${yearly(alone)}; ${allowing}.`, ...across];
  }
  if (low <= 0 && high >= 0) {
    return [`It is not shown to save money against the rule in use: ${apart}.`, ...across];
  }
  const [does, than] = low > 0 ? ["saves", "against"] : ["costs", "more than"];
  const amount = `${saved(more, 1, currency)} per 1,000 cases`;
  const unclear = low > 0 && unsettledIn(decision, more) ? "; not clear after correction" : "";
  return [`It ${does} ${amount} ${than} the rule in use${yearly(more)}${unclear}.`, ...across];
}

/** What it saves against the rule in use where conditions suit it least, and best. */
function overRanges(range, currency) {
  if (range === null) return [];
  const shown = together(range);
  const [least, most] = range.map((money) => priced(shown(money), currency));
  return [`Over the ranges given the saving goes from ${least} to ${most} per 1,000 cases.`];
}

/** The size of a difference so many times, with its interval. */
function saved({ difference, low, high }, times, currency) {
  const ends = [low, high].map((end) => Math.abs(end) * times).sort((a, b) => a - b);
  const size = { value: Math.abs(difference) * times, low: ends[0], high: ends[1] };
  const { value, interval } = estimated(size, currency);
  return interval === null ? value : `${value} (${interval})`;
}

/** Strategies of other models that the data do not tell from the recommended, by cost. */
function rivalsIn(decision) {
  const own = ownModels(decision);
  return distinctIn(decision)
    .filter((one) => looksAtScores(one) && !own.includes(one.model) && one.choice !== "baseline")
    .filter(({ more }) => more !== null && !isNone(more) && unsettledIn(decision, more))
    .sort(byCost);
}

/** What the cheapest model costs more, where none is recommended. */
function bestModelIn({ strategies }, currency) {
  return strategies
    .filter((one) => looksAtScores(one) && one.choice !== "baseline" && one.more !== null)
    .sort(byCost)
    .slice(0, 1)
    .map(({ model, more }) => `The best model, ${model}, costs ${sides(more, currency)} per 1,000 cases.`);
}

/** How far other models are from the recommended. */
function besideRivals(decision, rivals, currency) {
  const [use, own] = [decision.recommendation.model, ownModels(decision)];
  const others = distinctIn(decision).filter(
    ({ model, choice }) => model !== null && !own.includes(model) && choice !== "baseline",
  );
  const same = own.filter((model) => model !== use);
  const do_ = same.length === 1 ? "does" : "do";
  const lines = same.length > 0 ? [`${listed(same)} ${do_} the same on all rows.`] : [];
  if (rivals.length > 0) {
    const [{ model, more }] = rivals;
    const apart = `${sides(more, currency)} per 1,000 cases (${levelOf(decision)} interval)`;
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
