// Cost by threshold: a line a model, the recommended rule, and the scores of both classes.
import { chartIn, describe } from "../drawing/chart.js";
import { byId } from "../dom.js";
import { figureIn, onAnswer, pick } from "../drawing/framing.js";
import { nearestOf, readValues } from "../drawing/reading.js";
import { drawScores, tallyAt } from "./histogram.js";
import { knobsIn } from "./knob.js";
import { drawMoney } from "./money_panel.js";
import { bestScale, SCALES, scalesFor, thresholdAxis } from "./scales.js";
import { followColours } from "../drawing/style.js";
import { thresholdFacts } from "./threshold_facts.js";
import { showTrying } from "./trying.js";

// In pixels: the two panels and what is between them.
const [HIGH, HIGH_NARROW, GAP, SCORES] = [290, 240, 34, 104];
// What the bars of scores are shares of.
const BARS = { cases: "of all cases", class: "of each class" };
// What handles move, by how many there are.
const KNOBS = { 1: ["Threshold"], 2: ["Threshold of review", "Threshold of flagging"] };

export function showThreshold(report, contents, state) {
  followColours(report, state);
  const container = byId("threshold-chart");
  const chart = { report, state, container, facts: null, axis: null, asked: "auto", bars: "cases", frame: null };
  const made = figureIn(container, {
    title: "Cost by threshold",
    name: "Cost by threshold",
    table: () => chart.facts.table(),
    className: "threshold",
    level: "h2",
  });
  chart.note = made.note;
  chart.scale = scalePick(chart);
  const bars = pick("Bars", Object.entries(BARS), chart.bars, (kind) => {
    chart.bars = kind;
    follow(chart);
  });
  made.controls.prepend(chart.scale.element, bars.element);
  chart.frame = chartIn(made.place, sizes, () => draw(chart));
  chart.knobs = knobsIn(made.place, chart.frame, {
    most: 2,
    names: () => KNOBS[chart.facts.steps.length],
    at: (k) => chart.axis.at(chart.facts.shown.i, chart.facts.shown.thresholds[k]),
    move: (k, pixel) => put(chart, k, chart.axis.invert(chart.facts.shown.i, pixel)),
    words: (k) => chart.facts.inWords(state.values.currency, k),
  });
  readValues(chart.frame, (at) => valueAt(chart, at));
  const facts = () => chart.facts;
  chart.trying = showTrying(container, report, state, facts, () => chart.frame);
  onAnswer(state, () => update(chart));
  state.watch(["threshold"], () => {
    if (chart.facts === null) return;
    follow(chart);
    chart.trying();
  });
  state.watch(["volume"], () => chart.trying());
  update(chart);
}

/** Puts one of the thresholds somewhere; what is moved pushes the other along. */
function put({ state, facts }, step, t) {
  const { i, thresholds } = facts.shown;
  const at = thresholds.map((own, k) => (k < step ? Math.min(own, t) : k > step ? Math.max(own, t) : t));
  state.set({ threshold: { model: i, at } });
}

/** What the nearest line costs at a place, or how many scores are there, below the lines. */
function valueAt(chart, [x, y]) {
  const { frame, facts, axis, tallies, bars, state } = chart;
  if (!(x >= 0 && x <= frame.width)) return null;
  if (y > frame.money) return tallyAt(tallies, x, frame.money + GAP + SCORES / 2, bars === "class");
  const { currency } = state.values;
  return nearestOf(facts.lines.map(({ i }) => {
    const t = axis.invert(i, x);
    const [money, text] = facts.read(i, t, currency);
    return { x, y: frame.moneyAt(money), text };
  }), [x, y]);
}

/** The choice of a scale of scores, automatic unless the reader knows better. */
function scalePick(chart) {
  const { models } = chart.report;
  const kinds = scalesFor(models).map((kind) => [kind, SCALES[kind]]);
  return pick("Scale", [["auto", "automatic"], ...kinds], "auto", (kind) => {
    chart.asked = kind;
    draw(chart);
  });
}

const scaleOf = ({ report, facts, asked }) =>
  asked === "auto" ? bestScale(report.models, facts.marks) : asked;

function update(chart) {
  const { report, state, container, frame, scale } = chart;
  const { currency, threshold } = state.values;
  chart.facts = thresholdFacts(report, state.values);
  container.hidden = chart.facts === null;
  if (chart.facts === null) return;
  chart.facts.show(threshold);
  const best = bestScale(report.models, chart.facts.marks);
  scale.select.options[0].textContent = `automatic: ${SCALES[best]}`;
  chart.note.textContent = chart.facts.note(currency);
  draw(chart);
  describe(frame, chart.facts.summary(currency));
  chart.trying();
}

function draw(chart) {
  const { report, state, frame, facts } = chart;
  if (!frame?.width || facts === null) return;
  facts.show(state.values.threshold);
  chart.axis = thresholdAxis(scaleOf(chart), report.models, {
    width: frame.width,
    p: facts.amounts.p,
    marks: facts.marks,
    reviews: facts.reviews,
  });
  frame.money = frame.height - GAP - SCORES;
  drawMoney(frame, chart.axis, facts, state.values.currency);
  follow(chart);
}

function follow(chart) {
  const { state, frame, facts, axis, knobs, bars } = chart;
  if (!frame.width) return;
  facts.show(state.values.threshold);
  chart.tallies = drawScores(frame, axis, facts, { top: frame.money + GAP, height: SCORES, within: bars === "class" });
  knobs.place();
}

function sizes(full) {
  const money = full < 460 ? HIGH_NARROW : HIGH;
  return {
    margin: { top: 30, right: 20, bottom: 46, left: full < 460 ? 56 : 62 },
    height: money + GAP + SCORES,
  };
}
