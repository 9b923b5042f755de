// Cost space in money: what each model costs, its threshold set to the condition, over all conditions.
import { chartIn, describe, onPoint } from "./chart.js";
import { drawLooked, drawSpace } from "./cost_panel.js";
import { exportedCurves, horizontal, spaceOf } from "./cost_space.js";
import { el } from "./dom.js";
import { listed, plainly, priced, shortThreshold } from "./figures.js";
import { figureIn, onAnswer, pick } from "./framing.js";
import { cornerAt, lossAt } from "./linked.js";
import { stands } from "./style.js";

export function showCost(container, report, state, link) {
  let axis = "skew";
  let wide = "asked";
  let space = null;
  const made = figureIn(container, {
    title: "Cost space, in money",
    name: "Cost space",
    table: () => exportedCurves(report, space),
    className: "cost-space",
  });
  const which = pick("Axis", [["skew", "skew"], ["cost", "cost proportion"]], axis, (value) => {
    axis = value;
    update();
  });
  const range = pick("Show", [["asked", "what was asked"], ["all", "everything"]], wide, (value) => {
    wide = value;
    update();
  });
  made.controls.prepend(which.element, range.element);
  const slider = el("input", { type: "range", min: 0, max: 1000, "aria-label": "Condition looked at" });
  const said = el("p", { class: "hint readout" });
  const look = el("label", { class: "slide screen" }, "Look at ", slider);
  container.append(look, said);
  let frame = null;
  frame = chartIn(made.place, sizes, () => draw());
  onPoint(frame, (at) => link.set({ skew: at === null ? null : skewAt(at[0]), point: null }));
  slider.addEventListener("input", () =>
    link.set({ skew: skewAt((Number(slider.value) / 1000) * frame.width), point: null }),
  );
  const skewAt = (pixel) => space.invert(Math.min(Math.max(pixel, 0), frame.width));

  function draw() {
    if (!frame?.width || space === null) return;
    space = { ...space, ...horizontal(space.view, frame.width) };
    drawSpace(frame, report, space, state.values.currency);
    follow();
  }

  function follow() {
    if (!frame?.width || space === null) return;
    const looked = drawLooked(frame, report, space, link);
    const shown = inWords(looked, space.view, state.values.currency);
    said.textContent = shown;
    slider.value = String(Math.round((1000 * space.at(link.skew ?? space.mean)) / frame.width));
    slider.setAttribute("aria-valuetext", shown);
  }

  const update = () => {
    const { decision } = state.values;
    container.hidden = decision === null;
    if (container.hidden) return;
    space = spaceOf(state.values, report, { axis, wide });
    made.note.textContent =
      "Curves: each model with its threshold set to the condition, on the rows that it would be chosen " +
      "on; bands: 95\u00a0% intervals of such a threshold, rows independent. Shaded: what was asked about, " +
      "with marks at tenths of what is at stake. A straight line is a rule that stays as it is: its " +
      "height at the mean is its expected cost.";
    frame.again();
    describe(frame, summaryOf(report, space, state.values.currency));
  };
  onAnswer(state, update);
  link.watch(follow);
  update();
}

function sizes(full) {
  return {
    margin: { top: 30, right: 12, bottom: 46, left: full < 460 ? 46 : 58 },
    height: Math.min(Math.max(full * 0.62, 220), 400),
  };
}

function inWords({ found, z, isMean }, { axis, value }, currency) {
  const amounts = found
    .filter(({ i }) => stands(i))
    .sort((a, b) => a.money - b.money)
    .map(({ name, money }) => `${name} ${priced(plainly(money), currency)}`);
  const name = axis === "cost" ? "cost proportion" : "skew";
  return `At ${isMean ? "the mean, " : ""}${name} ${shortThreshold(value(z))}: ${listed(amounts)}.`;
}

function summaryOf(report, { stake, constant, mean, ends }, currency) {
  const amounts = report.models
    .map((model, i) => ({ i, name: model.name, money: constant + stake * lossAt(mean, cornerAt(model.hull, mean)) }))
    .filter(({ i }) => stands(i))
    .map(({ name, money }) => `${name} ${priced(plainly(money), currency)}`);
  return (
    "Cost per 1,000 cases of each model over the skew, thresholds set to it, with flagging nobody and " +
    `everybody for reference. Asked about: skews from ${ends.map((z) => shortThreshold(z)).join(" to ")}. ` +
    `At their mean, ${shortThreshold(mean)}: ${listed(amounts)}.`
  );
}
