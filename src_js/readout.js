// What the charts show at the condition looked at, as a table, and the ROC point pointed at.
import { skewFromCost, toAxis } from "./condition.js";
import { byId, el, left, number, table } from "./dom.js";
import { modelLabel } from "./style.js";
import { AXES, brief, exact, ruleText, thresholdText } from "./words.js";

export function showReadout(report, state) {
  const update = () => {
    byId("readout").replaceChildren(title(state), points(report, state));
    byId("look-back").disabled = byId("look-use").disabled = state.values.kept === null;
  };
  state.watch(["condition", "models", "choices", "axis", "pointed", "kept"], update);
  const pointed = () => byId("roc-pointed").replaceChildren(rocPoint(report, state));
  state.watch(["rocPoint"], pointed);
  update();
  pointed();
}

function title(state) {
  const p = state.condition.prevalence;
  const c = state.shown;
  return el(
    "p",
    { class: "at" },
    el("b", {}, state.looking ? "Looking at" : "At your costs"),
    ` cost proportion ${brief(c)}, skew ${brief(skewFromCost(c, p))}, prevalence ${brief(p)}`,
  );
}

function points(report, state) {
  const { axis, choices } = state.values;
  const p = state.condition.prevalence;
  const at = toAxis(axis, state.shown, p);
  const rows = [];
  for (const i of state.shownModels()) {
    for (const choice of choices) {
      if (!report.available(i, choice)) continue;
      const point = report.operatingPoint(i, choice, { c: state.shown, prevalence: p });
      const loss = report.lossAt(i, choice, axis, at, p);
      rows.push({ i, choice, point, loss });
    }
  }
  const least = Math.min(...rows.map(({ loss }) => loss));
  return table({
    caption: "Each model at the condition looked at",
    head: ["Model", left("Threshold set by"), left("Rule"), "FPR", "TPR", AXES[axis][2]],
    rows: rows.map(({ i, choice, point, loss }) => [
      modelLabel(i, report.models[i].name),
      left(choice.label),
      { content: ruleText(point.rule), className: "text rule" },
      number(point.fpr, exact(point.fpr)),
      number(1 - point.fnr, exact(1 - point.fnr)),
      { content: number(loss, exact(loss)), className: loss <= least + 1e-12 ? "best" : null },
    ]),
  });
}

function rocPoint(report, state) {
  const point = state.values.rocPoint;
  if (point === null) return "Point at a curve: its cost line lights up in cost space.";
  const { name } = report.models[point.model];
  return `${name}: FPR ${brief(point.fpr)}, TPR ${brief(1 - point.fnr)}, threshold ${thresholdText(point.threshold)}`;
}
