// What the chart of cost by threshold shows of a decision, in numbers and in words.
import { amountBeside, estimated, levelOf, listed, plainly, priced } from "../words/figures.js";
import {
  amountsOf,
  bestCut,
  moneyAt,
  outcomesAt,
  ratesAt,
  thresholdField,
  thresholdOfRule,
  toldThreshold,
} from "./thresholds.js";
import { stands } from "../drawing/style.js";

// A saving that is seen on a chart, as a share of what is paid without a model.
const WORTH = 0.005;

/** What thresholds do and cost, without a look at all of them; null where costs are those of each case. */
export function thresholdCosts(report, { question, decision }) {
  if (decision === null || question === null) return null;
  const amounts = amountsOf(question);
  const chosen = markOf("recommended", decision.recommendation, report, amounts, question.batch);
  const moved = heldOutBeyondLine({ amounts, chosen }, report);
  return {
    amounts,
    chosen,
    /** What a threshold of a model does on all rows, and costs: as the recommended, but for what differs there. */
    at(i, t) {
      const rates = ratesAt(report.models[i], t);
      // Without a model nothing is chosen on the rows.
      const trivial = rates.fpr + rates.fnr === 1 && (rates.fpr === 0 || rates.fnr === 0);
      const money = moneyAt(amounts, rates) + (trivial ? 0 : moved);
      return { ...rates, ...outcomesAt(amounts.p, rates), money };
    },
  };
}

/** The same, and the best threshold of each model, for the chart; null where that is. */
export function thresholdFacts(report, { question, decision }) {
  const costs = thresholdCosts(report, { question, decision });
  if (costs === null) return null;
  const { amounts, chosen } = costs;
  const best = new Map(
    report.models.map((model) => [model, bestCut(model, amounts, question.limits)]),
  );
  const keeps = decision.recommendation.choice === "baseline";
  const baseline =
    decision.baseline && !keeps
      ? markOf("in-use", decision.baseline, report, amounts, question.batch)
      : null;
  const facts = {
    ...costs,
    decision,
    limits: question.limits,
    best,
    references: { everybody: amounts.everybody, nobody: amounts.nobody },
    referenceIn: (name, currency) => referenceIn(decision, name, amounts[name], currency),
    lines: report.models.map((model, i) => ({ i, model, name: model.name, best: best.get(model) })),
    // Where nothing keeps to the limits nothing is recommended.
    marked: [chosen, baseline].filter((mark) => typeof mark?.money === "number"),
    marks: marksOf(best, chosen, Math.min(amounts.nobody, amounts.everybody)),
  };
  return Object.assign(facts, ways(facts, report));
}

/** What flagging everybody, or nobody, costs, as the answer has it. */
function referenceIn({ strategies, recommendation }, name, value, currency) {
  const own = strategies.find(({ choice }) => choice === `flag_${name}`) ?? {};
  return amountBeside({ value, low: own.low, high: own.high }, recommendation, currency);
}

function markOf(kind, one, report, { p }, batch) {
  const found = report.models.findIndex((model) => model.name === one.model);
  // A column of decisions is no model.
  const i = found < 0 ? null : found;
  const model = report.models[i ?? 0];
  // A queue that is cut in each batch has another threshold in each.
  const anew = one.rule?.by === "share" && batch;
  return {
    kind,
    i,
    t: anew ? null : thresholdOfRule(one.rule, model, p),
    rule: one.rule,
    money: one.cost_per_1000,
    low: one.low,
    high: one.high,
    said: kind === "recommended" ? "Recommended, held-out:" : "The rule in use:",
  };
}

/** Thresholds that have to be told apart: the recommended, and those that save money. */
function marksOf(best, { t }, trivial) {
  const worth = (one) => one !== null && one.money < trivial - WORTH * Math.abs(trivial);
  const found = [...best.values()].filter(worth).map(({ threshold }) => threshold);
  return (t === null ? found : [...found, t]).filter(Number.isFinite);
}

function ways(facts, report) {
  const { amounts, chosen, lines } = facts;
  return {
    /** Where the handle is: where it was put, or at the recommended rule. */
    show(threshold) {
      const i = threshold?.model ?? chosen.i ?? cheapest(lines);
      const model = report.models[i];
      const own = chosen.i === i || chosen.i === null ? chosen.t : null;
      const t = threshold?.at ?? own ?? facts.best.get(model)?.threshold ?? 0;
      facts.shown = { i, t, tried: threshold !== null, ...facts.at(i, t) };
    },
    inWords(currency) {
      const { i, t, flagged, tp, fn, fp, money } = facts.shown;
      return (
        `${report.models[i].name}, threshold ${toldThreshold(report.models[i], t)}: flags ${plainly(flagged)} of 1,000, ` +
        `${plainly(tp)} true positives, ${plainly(fn)} false negatives, ${plainly(fp)} false positives, ` +
        `costs ${priced(plainly(money), currency)}`
      );
    },
    note: (currency) => noteOf(facts, currency),
    summary: (currency) => summaryOf(facts, currency),
    table: () => ({
      head: ["model", "threshold", "false_positive_rate", "false_negative_rate", "cost_per_1000"],
      rows: lines.flatMap(({ model, name }) =>
        Array.from(model.fpr, (fpr, k) => {
          const rates = { fpr, fnr: model.fnr[k] };
          const t = thresholdField(model.cutAfter(k));
          return [name, t, fpr, rates.fnr, moneyAt(amounts, rates)];
        }),
      ),
    }),
  };
}

/** What the recommended rule costs beyond its line, which is not held-out. */
function heldOutBeyondLine({ amounts, chosen }, report) {
  if (chosen.t === null || typeof chosen.money !== "number") return 0;
  return chosen.money - moneyAt(amounts, ratesAt(report.models[chosen.i ?? 0], chosen.t));
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
          `${name} ${priced(plainly(best.money), currency)} at ${thresholdInWords(model, best.threshold)}`,
      ),
  );
}

function thresholdInWords(model, t) {
  if (t === -Infinity) return "its lowest, where everybody is flagged";
  return t === Infinity ? "its highest, where nobody is flagged" : toldThreshold(model, t);
}

function noteOf({ lines, limits, decision, chosen }, currency) {
  const mark = chosen.t === null ? "Band" : "Diamond";
  const broken = Object.keys(limits).length > 0 ? " Where a line is pale, a limit is broken." : "";
  return (
    "Lines: on the same rows that a threshold would be chosen on, so that their lowest points (rings) " +
    `look a little too good. ${mark}: on held-out rows, with its ${levelOf(decision)} interval.${broken} ` +
    `Lowest on each line: ${bestInWords(lines, currency)}.`
  );
}

function summaryOf({ lines, referenceIn, chosen, decision }, currency) {
  const { value, interval } = estimated(
    { value: chosen.money, low: chosen.low, high: chosen.high },
    currency,
  );
  return (
    `Cost per 1,000 cases over the threshold, a line a model. ${decision.recommendation.instruction} ` +
    `The recommended rule costs ${value}${interval ? ` (${interval})` : ""} on held-out rows; ` +
    `flagging nobody ${referenceIn("nobody", currency)}, ` +
    `flagging everybody ${referenceIn("everybody", currency)}. ` +
    `Lowest on each line: ${bestInWords(lines, currency)}. Below are the scores of both classes.`
  );
}
