// The decision that was made on rows held out, as the answer to what it was made for.
import { el, hint, number } from "./dom.js";
import { colourClass } from "./style.js";
import { methodName, money, ruleText } from "./words.js";

const TRIVIAL_POINTS = {
  flag_nobody: { fpr: 0, fnr: 1 },
  flag_everybody: { fpr: 1, fnr: 0 },
};
// Relative: a prevalence is counted in another order here and there.
const ROUNDING = 1e-9;
// A recommendation begins with what to do and what that costs.
const ACTION = /^(.*?): [\d.,]+ per 1,000 cases(.*)$/s;
const SENTENCES = /(?<=\.) (?=[A-Z])/;
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
  const { text, model, cost_per_1000: cost } = decision.recommendation;
  const [, action, rest] = ACTION.exec(text) ?? [text, text, ""];
  const [first, ...others] = rest.split(SENTENCES);
  return [
    el("p", { class: "headline" }, ...withName(action, model), "."),
    el(
      "p",
      {},
      "That is expected to cost ",
      el("b", {}, number(cost, money(cost))),
      " per 1,000 cases on rows held out",
      first || ".",
    ),
    ...others.map((sentence) =>
      el("p", { class: sentence.startsWith(COMMITTED) ? null : "hint" }, sentence),
    ),
    hint(
      ...onTheSameRows(report, decision, best.single),
      "More in ",
      el("a", { href: "#h-decision" }, "the decision on rows held out"),
      ".",
    ),
  ];
}

function withName(action, model) {
  const start = `Use ${model}`;
  if (model === null || !action.startsWith(start)) return [action];
  return ["Use ", el("b", { class: "name" }, model), action.slice(start.length)];
}

/** What one threshold seems to cost where it is judged on the rows that it was chosen on. */
function onTheSameRows(report, decision, { i, rule, money: same }) {
  if (i === null) return [];
  const { name } = report.models[i];
  const heldOut = decision.models[name]?.single_rule?.cost_per_1000_held_out;
  return [
    `Chosen and judged on the same rows, one threshold for ${name} (${ruleText(rule)}) seems to cost ${money(same)}`,
    heldOut === undefined ? ". " : `: on rows held out it cost ${money(heldOut)}. `,
  ];
}

/** What is recommended, beside one threshold for each model and the rules that need none. */
export function decidedComparison(report, decision) {
  const { model, method, cost_per_1000: cost } = decision.recommendation;
  const chosen = (name, way) => name === model && way === method;
  const ways = report.models.flatMap(({ name }, i) => {
    const single = decision.models[name]?.single_rule;
    const own = name === model && method !== "single" ? [[method, cost]] : [];
    if (single) own.push(["single", single.cost_per_1000_held_out]);
    return own.map(([way, amount]) => ({
      label: [name, el("small", {}, methodName(way))],
      amount,
      colour: colourClass(i),
      best: chosen(name, way),
    }));
  });
  const trivial = Object.entries(decision.trivial).map(([name, amount]) => ({
    name,
    amount,
    best: chosen(null, name),
  }));
  return { ways, trivial };
}

/** Where the rule works that serves all conditions: the one recommended, or the best if there is one. */
export function decidedPoint(report, decision, { condition }) {
  const { recommendation, evidence, single_points: points } = decision;
  const limited = Object.keys(decision.condition.constraints).length > 0;
  const serving = evidence.ways.filter(
    ({ model, method }) =>
      model === null || method === "single" || (method === "score_fixed" && !limited),
  );
  const best =
    "threshold" in recommendation
      ? recommendation
      : serving.sort((a, b) => a.cost_per_1000 - b.cost_per_1000)[0];
  if (best === undefined) return null;
  const { model, method } = best;
  if (model === null) return { point: TRIVIAL_POINTS[method], of: methodName(method) };
  if (method === "single") {
    const [fpr, fnr] = points[model];
    return { point: { fpr, fnr }, of: `${model} with one threshold, on rows held out` };
  }
  // The page knows no rules that keep to constraints.
  if (limited) return null;
  const i = report.models.findIndex(({ name }) => name === model);
  const { c, prevalence } = condition;
  return {
    point: report.operatingPoint(i, method, { c, prevalence }),
    of: `${model}, ${methodName(method).toLowerCase()}, on all rows`,
  };
}
