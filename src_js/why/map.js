// Which strategy where: a map over the ratio of costs and the prevalence.
import { scaleLinear } from "d3-scale";
import { chartIn, describe, drawAxes, ticksApart } from "../drawing/chart.js";
import { expit, logit } from "../curves/conditions.js";
import { DIGITS, listed, percents, plainly, shortThreshold } from "../words/figures.js";
import { figureIn } from "../drawing/framing.js";
import { BOLD, widthOf } from "../drawing/labels.js";
import { outsideOf, polygon, stripesOf } from "./regions.js";
import { colourClass } from "../drawing/style.js";
import { ruleText } from "../words/words.js";

const RATIOS = [1, 2, 5].flatMap((digit) =>
  Array.from({ length: 17 }, (_, k) => digit * 10 ** (k - 8)),
);
const SHARES = [
  1e-6, 1e-5, 1e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99,
];
// How far around what was asked the map goes, in logarithms.
const AROUND = 1.2;
const APART = 44;
// In pixels, the least size of the frame.
const LEAST = 8;

export function showMap(container, report, state) {
  let view = null;
  const made = figureIn(container, {
    title: "Which strategy where",
    name: "Which strategy where",
    table: () => exported(state.values.decision),
    className: "map",
  });
  let frame = null;
  frame = chartIn(made.place, sizes, (drawn) => view && draw(drawn, report, view));
  const update = () => {
    const { decision, question } = state.values;
    // The map is computed after the answer.
    const known = decision?.short_table && question !== null;
    view = known ? viewOf(report, decision, question) : null;
    container.hidden = view === null || view.inside.length + view.outside.length === 0;
    if (container.hidden) return;
    made.note.textContent = noteOf(view);
    frame.again();
    describe(frame, summaryOf(view));
  };
  state.watch(["decision"], update);
  update();
}

function sizes(full) {
  const margin = { top: 30, right: 12, bottom: 46, left: full < 460 ? 50 : 58 };
  return { margin, height: Math.min(Math.max(0.6 * full, 220), 400) };
}

function viewOf(report, decision, question) {
  const { skew } = decision.condition;
  const net = (wrong, right) => [wrong[0] - right[1], wrong[1] - right[0]];
  const fp = net(question.fp_cost, question.tn_cost);
  const fn = net(question.fn_cost, question.tp_cost);
  const asked = {
    u: [Math.log(fn[0] / fp[1]), Math.log(fn[1] / fp[0])],
    v: question.prevalence.map(logit),
  };
  const limited = Object.keys(question.limits).length > 0;
  return {
    asked,
    limited,
    inside: stripesOf(decision.short_table),
    // Within limits curves do not tell what is best.
    outside: limited ? [] : outsideOf(report.models, [skew.low, skew.high]),
    u: [asked.u[0] - AROUND, asked.u[1] + AROUND],
    v: [asked.v[0] - AROUND, asked.v[1] + AROUND],
  };
}

function noteOf({ limited, inside }) {
  const decided =
    inside.length > 0
      ? "Strong colours: what to use if costs and prevalence are known at each decision; a strategy is kept while it loses at most 1\u00a0% more than the best."
      : "";
  const beyond = limited
    ? ""
    : " Pale: beyond what was asked, by the curves of the rows themselves.";
  return `${decided}${beyond} The frame is what was asked.`.trim();
}

function draw(frame, report, view) {
  const x = scaleLinear(view.u, [0, frame.width]);
  const y = scaleLinear(view.v, [frame.height, 0]);
  drawAxes(
    frame,
    {
      scale: x,
      values: spaced(
        RATIOS.map(Math.log).sort((a, b) => a - b),
        view.u,
        x,
      ),
      text: (u) => ratioText(Math.exp(u)),
      label: "Cost of a false negative, in false positives",
    },
    {
      scale: y,
      values: spaced(SHARES.map(logit), view.v, (v) => -y(v), 26),
      text: (v) => percents({ value: expit(v) }).value,
      label: "Prevalence",
    },
  );
  for (const layer of [frame.plot, frame.over]) layer.selectAll("*").remove();
  drawNames(frame, drawRegions(frame, report, view, { x, y }));
  drawAsked(frame, view.asked, { x, y });
}

/** The stripes of every strategy; returns their names and corners. */
function drawRegions(frame, report, view, { x, y }) {
  const kinds = [
    ...view.outside.map((one) => [one, "outside"]),
    ...view.inside.map((one) => [one, "inside"]),
  ];
  return kinds.flatMap(([stripe, kind]) => {
    const corners = polygon(stripe, view).map(([u, v]) => [x(u), y(v)]);
    if (corners.length < 3) return [];
    frame.plot
      .append("path")
      .attr("class", `region ${kind} ${classOf(report, stripe)}`)
      .attr("d", `M${corners.join("L")}Z`);
    return [{ corners, name: stripe.name }];
  });
}

/** The frame of what was asked, wide enough to be seen where that is one value. */
function drawAsked(frame, { u, v }, { x, y }) {
  const [[left, right], [bottom, top]] = [u.map(x), v.map(y)];
  const [wide, high] = [Math.max(right - left, LEAST), Math.max(bottom - top, LEAST)];
  frame.over
    .append("rect")
    .attr("class", "question-frame")
    .attr("x", (left + right - wide) / 2)
    .attr("y", (top + bottom - high) / 2)
    .attr("width", wide)
    .attr("height", high);
}

function spaced(values, [low, high], at, gap = APART) {
  const inside = values.filter((value) => value >= low && value <= high);
  return ticksApart(inside, at, gap);
}

const ratioText = (ratio) => (ratio >= 1 ? plainly(ratio) : `1/${plainly(1 / ratio)}`);

function classOf(report, { model }) {
  const i = report.models.findIndex(({ name }) => name === model);
  return i < 0 ? "trivial-region" : colourClass(i);
}

/** The name of each strategy in the largest of its stripes that it fits. */
function drawNames(frame, regions) {
  const largest = new Map();
  for (const { corners, name } of regions) {
    const area = areaOf(corners);
    if (area > (largest.get(name)?.area ?? 0)) largest.set(name, { corners, area });
  }
  for (const [name, { corners, area }] of largest) {
    const wide = widthOf(name, BOLD);
    if (area < 22 * wide) continue;
    const [px, py] = [0, 1].map((axis) => middle(corners.map((corner) => corner[axis])));
    frame.over
      .append("text")
      .attr("class", "region-name")
      .attr("text-anchor", "middle")
      .attr("x", Math.min(Math.max(px, wide / 2 + 4), frame.width - wide / 2 - 4))
      .attr("y", py + 4)
      .text(name);
  }
}

const middle = (values) => values.reduce((a, b) => a + b, 0) / values.length;

function areaOf(corners) {
  const sum = corners.reduce((total, [x0, y0], k) => {
    const [x1, y1] = corners[(k + 1) % corners.length];
    return total + x0 * y1 - x1 * y0;
  }, 0);
  return Math.abs(sum) / 2;
}

function summaryOf({ inside, outside }) {
  const names = [...new Set([...inside, ...outside].map(({ name }) => name))];
  const order = inside.map(
    ({ name, low, high }) => `${name} from skew ${shortThreshold(low)} to ${shortThreshold(high)}`,
  );
  return (
    `Map of the best strategy over the cost of a false negative in false positives and the prevalence: ${listed(names)}. ` +
    (order.length > 0 ? `In what was asked: ${order.slice(0, 8).join("; ")}.` : "")
  );
}

function rulesOf({ rule, rule_at_high: last }) {
  const texts = [rule, last ?? rule].map((one) => ruleText(one, DIGITS));
  return texts[0] === texts[1] ? texts[0] : `${texts[0]}; at its end ${texts[1]}`;
}

function exported({ short_table: rows }) {
  return {
    head: ["skew_low", "skew_high", "prevalence_low", "prevalence_high", "model", "choice", "rule"],
    rows: rows.map((row) => [
      row.skew_low,
      row.skew_high,
      row.prevalence_low,
      row.prevalence_high,
      row.model,
      row.choice,
      rulesOf(row),
    ]),
  };
}
