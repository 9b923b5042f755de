// Cost space in money: what each model costs, its threshold set to the condition, over all conditions.
import { chartIn, describe, onPoint } from "../drawing/chart.js";
import { drawLooked, drawSpace, EVERYBODY, NOBODY } from "./cost_panel.js";
import { exportedCurves, horizontal, spaceOf, timesInWords } from "./cost_space.js";
import { el } from "../dom.js";
import { listed, plainly, priced, shortThreshold } from "../words/figures.js";
import { figureIn, onAnswer, pick } from "../drawing/framing.js";
import { nearestOf, readValues } from "../drawing/reading.js";
import { cornerAt, lossAt } from "./linked.js";
import { stands } from "../drawing/style.js";

const STEPS = 1000;
const NAMES = { skew: "skew", cost: "cost proportion" };
const NOTE =
  "Curves: each model with its threshold set to the condition, on the rows that it would be chosen " +
  "on; bands: 95\u00a0% intervals of such a threshold, rows independent. Shaded: what was asked about, " +
  "with marks at tenths of what is at stake. A straight line is a rule that stays as it is: its " +
  "height at the mean is its expected cost.";

export function showCost(container, report, state, link) {
  const chart = { report, state, link, container, axis: "times", wide: "asked", space: null };
  const made = figureIn(container, {
    title: "Cost space",
    name: "Cost space",
    table: () => exportedCurves(report, chart.space),
    className: "cost-space",
  });
  made.controls.prepend(...views(chart));
  chart.note = made.note;
  const name = "Condition looked at";
  chart.slider = el("input", { type: "range", min: 0, max: STEPS, "aria-label": name });
  chart.said = el("p", { class: "hint readout" });
  container.append(el("label", { class: "slide screen" }, "Look at ", chart.slider), chart.said);
  chart.frame = chartIn(made.place, sizes, () => draw(chart));
  const skewAt = (pixel) => chart.space.invert(Math.min(Math.max(pixel, 0), chart.frame.width));
  const look = (pixel) => link.set({ skew: pixel === null ? null : skewAt(pixel), point: null });
  onPoint(chart.frame, (at) => look(at && at[0]));
  chart.slider.addEventListener("input", () =>
    look((Number(chart.slider.value) / STEPS) * chart.frame.width),
  );
  readValues(chart.frame, (at) => valueAt(chart, at));
  onAnswer(state, () => update(chart));
  link.watch(() => follow(chart));
  update(chart);
}

/** What the nearest line costs at a place. */
function valueAt({ report, frame, space, state }, [x, y]) {
  if (!(x >= 0 && x <= frame.width)) return null;
  const z = space.invert(x);
  const lines = [
    ...report.models.map(({ name, hull }) => [name, cornerAt(hull, z)]),
    ["flag nobody", NOBODY],
    ["flag everybody", EVERYBODY],
    ...(space.chosen ? [["recommended rule", space.chosen]] : []),
  ];
  const found = lines.map(([name, point]) => {
    const money = space.constant + space.stake * lossAt(z, point);
    const text = `${name}: ${priced(plainly(money), state.values.currency)}, ${conditionIn(z, space.view)}`;
    return { x, y: space.y(money), text };
  });
  return nearestOf(found, [x, y]);
}

/** What is shown across: which conditions, and how many of them. */
function views(chart) {
  const picked = (name) => (value) => update(Object.assign(chart, { [name]: value }));
  const axes = Object.entries({ times: "what a miss costs", skew: "skew", cost: "cost proportion" });
  const ranges = Object.entries({ asked: "what was asked", all: "everything" });
  return [
    pick("Axis", axes, chart.axis, picked("axis")).element,
    pick("Show", ranges, chart.wide, picked("wide")).element,
  ];
}

function update(chart) {
  const { report, state, container, frame, axis, wide } = chart;
  const { decision, currency } = state.values;
  container.hidden = decision === null;
  if (container.hidden) return;
  chart.space = spaceOf(state.values, report, { axis, wide });
  // What is reviewed is at two conditions at once.
  chart.note.textContent = "review_everybody" in decision.trivial ? `${NOTE} All without a review.` : NOTE;
  frame.again();
  describe(frame, summaryOf(report, chart.space, currency));
}

function draw(chart) {
  const { report, state, frame, space } = chart;
  if (!frame?.width || space === null) return;
  chart.space = { ...space, ...horizontal(space.view, frame.width) };
  drawSpace(frame, report, chart.space, state.values.currency);
  follow(chart);
}

function follow({ report, state, link, frame, space, said, slider }) {
  if (!frame?.width || space === null) return;
  const looked = drawLooked(frame, report, space, link);
  const shown = inWords(looked, space.view, state.values.currency);
  said.textContent = shown;
  slider.value = String(Math.round((STEPS * space.at(link.skew ?? space.mean)) / frame.width));
  slider.setAttribute("aria-valuetext", shown);
}

function sizes(full) {
  return {
    margin: { top: 30, right: 20, bottom: 46, left: full < 460 ? 56 : 62 },
    height: Math.min(Math.max(full * 0.62, 220), 400),
  };
}

function inWords({ found, z, isMean }, { axis, value }, currency) {
  const amounts = found
    .filter(({ i }) => stands(i))
    .sort((a, b) => a.money - b.money)
    .map(({ name, money }) => `${name} ${priced(plainly(money), currency)}`);
  const told = conditionIn(z, { axis, value });
  const [where, mean] = axis === "times" ? ["Where ", "At the mean, where "] : ["At ", "At the mean, "];
  return `${isMean ? mean : where}${told}: ${listed(amounts)}.`;
}

function conditionIn(z, { axis, value }) {
  return axis === "times" ? timesInWords(value(z)) : `${NAMES[axis]} ${shortThreshold(value(z))}`;
}

function summaryOf(report, { stake, constant, mean, ends }, currency) {
  const amounts = report.models
    .map((model, i) => ({
      i,
      name: model.name,
      money: constant + stake * lossAt(mean, cornerAt(model.hull, mean)),
    }))
    .filter(({ i }) => stands(i))
    .map(({ name, money }) => `${name} ${priced(plainly(money), currency)}`);
  return (
    "Cost per 1,000 cases of each model over the skew, thresholds set to it, with flagging nobody and " +
    `everybody for reference. Asked about: skews from ${ends.map((z) => shortThreshold(z)).join(" to ")}. ` +
    `At their mean, ${shortThreshold(mean)}: ${listed(amounts)}.`
  );
}
