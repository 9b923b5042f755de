// The decision that was made on rows held out, as the answer to what it was made for.
import { el, hint } from "./dom.js";
import { colourClass } from "./style.js";
import { money, ruleText } from "./words.js";

// Relative: a prevalence is counted in another order here and there.
const ROUNDING = 1e-9;
// How a sentence begins that is as much an instruction as the first.
const COMMITTED = "If one threshold must do";

/** Whether there is a decision for what is typed in, among all the models shown. */
export function isDecided(decision, { values, shownModels }) {
  if (!decision?.known || decision.recommendation.cost_per_1000 === null) return false;
  const { fp_cost: fpCost, fn_cost: fnCost, prevalence } = decision.known;
  return (
    shownModels().length === values.models.length &&
    alike(values.fpCost, fpCost) &&
    alike(values.fnCost, fnCost) &&
    alike(values.prevalence, prevalence)
  );
}

function alike(typed, decided) {
  return typed.every((x, k) => Math.abs(x - decided[k]) <= ROUNDING * decided[k]);
}

export function decidedAnswer(report, decision, { best }) {
  const [first, ...others] = decision.sentences;
  return [
    el("p", { class: "headline" }, ...withName(first, decision.recommendation.model)),
    ...others.map((sentence, k) =>
      el("p", { class: k === 0 || sentence.startsWith(COMMITTED) ? null : "hint" }, sentence),
    ),
    hint(
      ...onTheSameRows(report, decision, best.single),
      "More in ",
      el("a", { href: "#h-decision" }, "the decision on rows held out"),
      ".",
    ),
  ];
}

function withName(sentence, model) {
  const start = `Use ${model}`;
  if (model === null || !sentence.startsWith(start)) return [sentence];
  return ["Use ", el("b", { class: "name" }, model), sentence.slice(start.length)];
}

/** What one threshold seems to cost where it is judged on the rows that it was chosen on. */
function onTheSameRows(report, decision, { i, rule, money: same }) {
  if (i === null) return [];
  const { name } = report.models[i];
  const heldOut = committedOf(decision, name)?.cost_per_1000;
  return [
    `Chosen and judged on the same rows, one threshold for ${name} (${ruleText(rule)}) seems to cost ${money(same)}`,
    heldOut === undefined ? ". " : `: on rows held out it cost ${money(heldOut)}. `,
  ];
}

/** What is known of one threshold for all conditions of a model, if one keeps to the constraints. */
export function committedOf({ strategies }, name) {
  return strategies.find(({ model, committed }) => committed && model === name);
}

/** What is recommended, beside one threshold for each model and the rules that need none. */
export function decidedComparison(report, decision) {
  const isChosen = chosenIn(decision);
  const strategies = report.models.flatMap(({ name }, i) =>
    comparedOf(decision.strategies, name, isChosen).map((one) => ({
      label: [name, el("small", {}, decision.labels[one.choice])],
      amount: one.cost_per_1000,
      colour: colourClass(i),
      best: isChosen(one),
    })),
  );
  const trivial = Object.entries(decision.trivial).map(([choice, amount]) => ({
    label: decision.labels[choice],
    amount,
    best: isChosen({ model: null, choice }),
  }));
  return { strategies, trivial };
}

/** What is recommended of a model and its one threshold, or its cheapest if there is neither. */
function comparedOf(strategies, name, isChosen) {
  const ofModel = strategies.filter(({ model }) => model === name);
  const compared = ofModel.filter((one) => one.committed || isChosen(one));
  if (compared.length === 0) return ofModel.sort(byCost).slice(0, 1);
  return compared.sort((a, b) => a.committed - b.committed);
}

const byCost = (a, b) => a.cost_per_1000 - b.cost_per_1000;

/** Where the rule works that serves all conditions: the one recommended, or the best if there is one. */
export function decidedPoint({ strategies, ...decision }) {
  const serving = strategies.filter(({ point }) => point !== null);
  const best = serving.find(chosenIn(decision)) ?? serving.sort(byCost)[0];
  if (best === undefined) return null;
  const { model, choice, committed, point } = best;
  const label = decision.labels[choice];
  if (model === null) return { point, of: label };
  const of = committed
    ? `${model} with one threshold, on rows held out`
    : `${model}, ${label}, on all rows`;
  return { point, of };
}

/** Whether a strategy is the one recommended. */
function chosenIn({ recommendation }) {
  return ({ model, choice }) =>
    model === recommendation.model && choice === recommendation.choice;
}
