// The strategies of a decision as rows of a picture, and what is drawn with them for reference.
import { distinctIn, isOne, namesOf } from "./alike.js";
import { amountOf, listed, sides } from "../words/figures.js";
import { ruleText } from "../words/words.js";

const TRIVIAL = {
  flag_nobody: "flag nobody",
  flag_everybody: "flag everybody",
  review_everybody: "review everybody",
};

export function strategiesOf(report, decision) {
  const { recommendation, labels, baseline } = decision;
  const isChosen = (one) => isOne(one, recommendation);
  const isInUse = (one) => one.choice === "baseline" && namesOf(one, decision).choices.length === 1;
  const known = inOrder(decision);
  const rows = known
    .filter((one) => isChosen(one) || (looksAtScores(one) && !isInUse(one)))
    .map((one) => rowOf(one, report, decision, isChosen(one)));
  const references = known
    .filter((one) => one.model === null && !isChosen(one))
    .map((one) => referenceOf(one, TRIVIAL[one.choice]));
  if (baseline && baseline.cost_per_1000 !== null && recommendation.choice !== "baseline") {
    references.push(referenceOf(baseline, "rule in use"));
  }
  return { rows, references, labels, decision };
}

/** What is drawn for reference, with its cost as the answer has it. */
function referenceOf(one, name) {
  const { cost_per_1000: money, low, high } = one;
  const said = (currency) => amountOf({ value: money, low, high }, currency);
  return { one, name, money, said };
}

/** Strategies by cost, the recommended first: one of those that do the same. */
export function inOrder(decision) {
  const first = (one) => Number(isOne(one, decision.recommendation));
  return distinctIn(decision)
    .filter(({ cost_per_1000: cost }) => cost !== null)
    .sort((a, b) => first(b) - first(a) || a.cost_per_1000 - b.cost_per_1000);
}

/** Whether a strategy does not flag everybody or nobody, which is drawn for reference. */
export function looksAtScores({ model, same_for_all: same }) {
  return model !== null && !same;
}

/** [names, what they do] of strategies that flag everybody or nobody, which have no row. */
export function flagAllOrNone(decision) {
  const { strategies, recommendation, labels } = decision;
  const does = new Map();
  for (const one of strategies) {
    const { model, choice, rule, same_for_all: same } = one;
    if (!same || model === null || rule === null || choice === "baseline") continue;
    if (isOne(one, recommendation)) continue;
    const said = ruleText(rule);
    does.set(said, [...(does.get(said) ?? []), `${model} (${(labels[choice] ?? choice).toLowerCase()})`]);
  }
  return [...does].map(([said, names]) => [listed(names), said]);
}

function rowOf(one, report, decision, recommended) {
  const { model, rule, cost_per_1000: money, low, high } = one;
  const { models, choices, terms } = namesOf(one, decision);
  const label = choices.join(", ");
  const method = label.toLowerCase();
  return {
    one,
    rule,
    i: model === null ? null : report.models.findIndex(({ name }) => name === model),
    label: model === null ? label : `${models.join(", ")} (${method})`,
    // The parts of that, which stand on lines of their own where there is little room.
    models: models.join(", "),
    method,
    terms: terms.join(", "),
    money,
    low,
    high,
    recommended,
    shown: amountOf({ value: money, low, high }),
    verdict: recommended ? "recommended" : verdictOf(one, decision),
    against: recommended ? "recommended" : againstOf(one, decision),
  };
}

/** Whether the data tell a strategy from the recommended, all comparisons allowed for. */
function verdictOf({ more }, { evidence }) {
  if (!more || evidence === null) return "";
  if (more.p_adjusted === null) return "same model";
  if (!(more.p_adjusted < 1 - evidence.level)) return "not told apart";
  return more.difference < 0 ? "costs less" : "costs more";
}

function againstOf(one, decision) {
  const verdict = verdictOf(one, decision);
  if (!one.more || !(one.more.high > one.more.low)) return verdict;
  return `${verdict}: ${sides(one.more)}`;
}
