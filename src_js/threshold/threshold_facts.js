// What the chart of cost by threshold shows of a decision, in numbers and in words.
import { amountOf, estimated, levelOf, listed, plainly, priced } from "../words/figures.js";
import { countUpTo } from "../curves/conditions.js";
import { pairsOf, toldRule } from "./pairs.js";
import {
  amountsOf,
  bestCut,
  moneyAt,
  moneyOf,
  outcomesAt,
  ratesAt,
  stepsOf,
  thresholdField,
  thresholdsOfRule,
  toldThreshold,
} from "./thresholds.js";
import { stands } from "../drawing/style.js";

// A saving that is seen on a chart, as a share of what is paid without a model.
const WORTH = 0.005;

/** What thresholds do and cost, without a look at all of them; null where costs are those of each case. */
export function thresholdCosts(report, { question, decision }) {
  if (decision === null || question === null) return null;
  const amounts = amountsOf(question);
  // Where no review pays there is none to try.
  const reviews = "review_everybody" in decision.trivial;
  const steps = stepsOf(question, reviews);
  const marking = { report, p: amounts.p, steps: steps.length, batch: question.batch };
  const chosen = markOf("recommended", decision.recommendation, marking);
  const moved = heldOutBeyondLine({ steps, chosen }, report);
  return {
    amounts,
    steps,
    reviews,
    chosen,
    marking,
    /** What thresholds of a model do on all rows, and cost: as the recommended, but for what differs there. */
    at(i, thresholds) {
      const rates = thresholds.map((t) => ratesAt(report.models[i], t));
      // Without a model nothing is chosen on the rows.
      const trivial = rates.every(({ fpr, fnr }) => fpr + fnr === 1 && (fpr === 0 || fnr === 0));
      const money = moneyOf(steps, rates) + (trivial ? 0 : moved);
      return { ...outcomesAt(amounts.p, rates), money };
    },
  };
}

/** The same, and the best threshold of each model, for the chart; null where that is. */
export function thresholdFacts(report, { question, decision }) {
  const costs = thresholdCosts(report, { question, decision });
  if (costs === null) return null;
  const { amounts, steps, chosen, marking, reviews } = costs;
  const { limits } = question;
  const pairs = reviews ? new Map(report.models.map((model) => [model, pairsOf(model, steps, limits)])) : null;
  const bestOf = (model) => (reviews ? bestPair(model, pairs.get(model)) : bestCut(model, amounts, limits));
  const best = new Map(report.models.map((model) => [model, bestOf(model)]));
  const keeps = decision.recommendation.choice === "baseline";
  const baseline = decision.baseline && !keeps ? markOf("in-use", decision.baseline, marking) : null;
  const facts = {
    ...costs,
    decision,
    limits,
    best,
    pairs,
    references: {
      everybody: amounts.everybody,
      nobody: amounts.nobody,
      ...(reviews ? { reviewed: decision.trivial.review_everybody } : {}),
    },
    referenceIn: (name, currency) => referenceIn(decision, name, facts.references[name], currency),
    lines: report.models.map((model, i) => ({ i, model, name: model.name, best: best.get(model) })),
    // Where nothing keeps to the limits nothing is recommended.
    marked: [chosen, baseline].filter((mark) => typeof mark?.money === "number"),
    marks: marksOf(best, chosen, Math.min(amounts.nobody, amounts.everybody)),
  };
  return Object.assign(facts, ways(facts, report));
}

/** The pair of thresholds of a model that costs least, of those that keep to the limits; null if none does. */
function bestPair(model, { money, partners, best }) {
  if (best === null) return null;
  return { money: money[best], thresholds: partners[best].map((k) => model.cutAfter(k)) };
}

/** What flagging everybody, or nobody, costs, or reviewing everybody, as the answer has it. */
function referenceIn({ strategies }, name, value, currency) {
  const named = name === "reviewed" ? "review_everybody" : `flag_${name}`;
  const own = strategies.find(({ choice }) => choice === named) ?? {};
  return amountOf({ value, low: own.low, high: own.high }, currency);
}

function markOf(kind, one, { report, p, steps, batch }) {
  const found = report.models.findIndex((model) => model.name === one.model);
  // A column of decisions is no model.
  const i = found < 0 ? null : found;
  const model = report.models[i ?? 0];
  // A queue that is cut in each batch has another threshold in each.
  const anew = one.rule?.by === "share" && batch;
  return {
    kind,
    i,
    thresholds: anew ? null : thresholdsOfRule(one.rule, model, p, steps),
    rule: one.rule,
    money: one.cost_per_1000,
    low: one.low,
    high: one.high,
    said: kind === "recommended" ? "Recommended, held-out:" : "The rule in use:",
  };
}

/** Thresholds that have to be told apart: the recommended, and those that save money. */
function marksOf(best, chosen, trivial) {
  const worth = (one) => one !== null && one.money < trivial - WORTH * Math.abs(trivial);
  const found = [...best.values()].filter(worth).flatMap(({ thresholds }) => thresholds);
  return [...found, ...(chosen.thresholds ?? [])].filter(Number.isFinite);
}

function ways(facts, report) {
  const { amounts, steps, chosen, lines } = facts;
  return {
    /** Where the handles are: where they were put, or at the recommended rule. */
    show(threshold) {
      const i = threshold?.model ?? chosen.i ?? cheapest(lines);
      const own = chosen.i === i || chosen.i === null ? chosen.thresholds : null;
      const thresholds = threshold?.at ?? own ?? facts.usual(i);
      facts.shown = { i, thresholds, tried: threshold !== null, ...facts.at(i, thresholds) };
    },
    /** What the line of a model costs at a threshold, and the words of that. */
    read(i, t, currency) {
      const model = report.models[i];
      const pair = facts.pairs?.get(model);
      const k = countUpTo(model.scores, t);
      const money = pair ? pair.money[k] : moneyOf(steps, [ratesAt(model, t)]);
      const where = pair ? toldRule(model, pair.partners[k].map((cut) => model.cutAfter(cut))) : `above ${toldThreshold(model, t)}`;
      return [money, `${model.name}, ${where}: ${priced(plainly(money), currency)}`];
    },
    /** The thresholds of a model that cost least. */
    usual: (i) => facts.best.get(report.models[i])?.thresholds ?? steps.map(() => 0),
    /** What is shown, at one of its thresholds. */
    inWords(currency, step) {
      const { i, thresholds, flagged, reviewed, tp, fn, fp, money } = facts.shown;
      const reviews = facts.reviews ? `reviews ${plainly(reviewed)}, ` : "";
      return (
        `${report.models[i].name}, threshold ${toldThreshold(report.models[i], thresholds[step])}: ` +
        `flags ${plainly(flagged)} of 1,000, ${reviews}` +
        `${plainly(tp)} true positives, ${plainly(fn)} false negatives, ${plainly(fp)} false positives, ` +
        `costs ${priced(plainly(money), currency)}`
      );
    },
    note: (currency) => noteOf(facts, currency),
    summary: (currency) => summaryOf(facts, currency),
    table: () => ({
      head: [
        ...["model", "threshold", "false_positive_rate", "false_negative_rate", "cost_per_1000"],
        ...(facts.reviews ? ["review_above", "flag_above"] : []),
      ],
      rows: lines.flatMap(({ model, name }) => {
        const cut = (k) => thresholdField(model.cutAfter(k));
        const pairs = facts.pairs?.get(model);
        return Array.from(model.fpr, (fpr, k) => {
          const rates = { fpr, fnr: model.fnr[k] };
          const costs = pairs ? [pairs.money[k], ...pairs.partners[k].map(cut)] : [moneyAt(amounts, rates)];
          return [name, cut(k), fpr, rates.fnr, ...costs];
        });
      }),
    }),
  };
}

/** What the recommended rule costs beyond its line, which is not held-out. */
function heldOutBeyondLine({ steps, chosen }, report) {
  if (chosen.thresholds === null || typeof chosen.money !== "number") return 0;
  const model = report.models[chosen.i ?? 0];
  return chosen.money - moneyOf(steps, chosen.thresholds.map((t) => ratesAt(model, t)));
}

function cheapest(lines) {
  const amount = ({ best }) => best?.money ?? Infinity;
  return lines.reduce((a, b) => (amount(b) < amount(a) ? b : a)).i;
}

function bestInWords(lines, currency) {
  return listed(
    lines
      .filter(({ i, best }) => best !== null && stands(i))
      .map(
        ({ model, name, best }) =>
          `${name} ${priced(plainly(best.money), currency)} at ${thresholdsInWords(model, best.thresholds)}`,
      ),
  );
}

function thresholdsInWords(model, thresholds) {
  if (thresholds.length > 1) return `\u201c${toldRule(model, thresholds)}\u201d`;
  const [t] = thresholds;
  if (t === -Infinity) return "its lowest, where everybody is flagged";
  return t === Infinity ? "its highest, where nobody is flagged" : toldThreshold(model, t);
}

function noteOf({ lines, limits, decision, chosen, steps }, currency) {
  const mark = chosen.thresholds === null ? "Band" : steps.length > 1 ? "Diamonds" : "Diamond";
  const pairs =
    steps.length > 1
      ? "Each line has one of the two thresholds here, and the other where it costs least. "
      : "";
  const broken = Object.keys(limits).length > 0 ? " Where a line is pale, a limit is broken." : "";
  return (
    `${pairs}Lines: on the same rows that a threshold would be chosen on, so that their lowest points (rings) ` +
    `look a little too good. ${mark}: on held-out rows, with its ${levelOf(decision)} interval.${broken} ` +
    `Lowest on each line: ${bestInWords(lines, currency)}.`
  );
}

function summaryOf({ lines, reviews, referenceIn, chosen, decision }, currency) {
  const reviewed = reviews ? `, reviewing everybody ${referenceIn("reviewed", currency)}` : "";
  const { value, interval } = estimated(
    { value: chosen.money, low: chosen.low, high: chosen.high },
    currency,
  );
  return (
    `Cost per 1,000 cases over the threshold, a line a model. ${decision.recommendation.instruction} ` +
    `The recommended rule costs ${value}${interval ? ` (${interval})` : ""} on held-out rows; ` +
    `flagging nobody ${referenceIn("nobody", currency)}, ` +
    `flagging everybody ${referenceIn("everybody", currency)}${reviewed}. ` +
    `Lowest on each line: ${bestInWords(lines, currency)}. Below are the scores of both classes.`
  );
}
