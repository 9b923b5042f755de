// The decision that was made on rows held out, as the answer to what it was made for.
import { el, hint } from "./dom.js";
import { colourClass } from "./style.js";
import { money, ruleText } from "./words.js";

// Relative: a prevalence is counted in another order here and there.
const ROUNDING = 1e-9;
// How the sentence begins that says the money: what comes before it is as plain to see.
const MONEY = "It costs";

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
  const { sentences, recommendation } = decision;
  const plain = sentences.findIndex((sentence) => sentence.startsWith(MONEY));
  const classOf = (k) => (k === 0 ? "headline" : k <= plain ? null : "hint");
  return [
    ...sentences.map((sentence, k) =>
      el("p", { class: classOf(k) }, ...withName(sentence, recommendation.model)),
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
  const { held_out: heldOut } = decision.single[name] ?? {};
  return [
    `Chosen and judged on the same rows, one threshold for ${name} (${ruleText(rule)}) seems to cost ${money(same)}`,
    heldOut === undefined ? ". " : `: on rows held out it cost ${money(heldOut)}. `,
  ];
}

/** What is recommended, beside the cheapest of each other model and the rules that need none. */
export function decidedComparison(report, decision) {
  const isChosen = chosenIn(decision);
  const strategies = report.models.flatMap(({ name }, i) => {
    const ofModel = decision.strategies.filter(({ model }) => model === name);
    const one = ofModel.find(isChosen) ?? ofModel.sort(byCost)[0];
    if (one === undefined) return [];
    return {
      label: [name, el("small", {}, decision.labels[one.choice])],
      amount: one.cost_per_1000,
      colour: colourClass(i),
      best: isChosen(one),
    };
  });
  const trivial = Object.entries(decision.trivial).map(([choice, amount]) => ({
    label: decision.labels[choice],
    amount,
    best: isChosen({ model: null, choice }),
  }));
  return { strategies, trivial };
}

const byCost = (a, b) => a.cost_per_1000 - b.cost_per_1000;

/** Where the rule works that serves all conditions: the one recommended, or the best if there is one. */
export function decidedPoint({ strategies, ...decision }) {
  const serving = strategies.filter(({ point }) => point !== null);
  const best = serving.find(chosenIn(decision)) ?? serving.sort(byCost)[0];
  if (best === undefined) return null;
  const { model, choice, point } = best;
  const label = decision.labels[choice];
  return { point, of: model === null ? label : `${model}, ${label}, on rows held out` };
}

/** Whether a strategy is the one recommended. */
function chosenIn({ recommendation }) {
  return ({ model, choice }) =>
    model === recommendation.model && choice === recommendation.choice;
}
