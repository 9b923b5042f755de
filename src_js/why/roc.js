// ROC space: each model's curve, where it works at the condition looked at, and what is pointed at.
import { scaleLinear } from "d3-scale";
import { chartIn, describe, drawAxes, labelled, onPoint } from "../drawing/chart.js";
import { el } from "../dom.js";
import { toldThreshold } from "../threshold/thresholds.js";
import { listed, percents, plainly, priced, shortThreshold } from "../words/figures.js";
import { figureIn, onAnswer, pick } from "../drawing/framing.js";
import { readValues } from "../drawing/reading.js";
import { placeNames } from "../drawing/labels.js";
import { lineThrough } from "../drawing/paths.js";
import { cornerAt, lossAt } from "./linked.js";
import { colourClass, marker, stands } from "../drawing/style.js";
import { thresholdField } from "../threshold/thresholds.js";

// How far from a curve, in pixels, a pointer still points at it.
const REACH = 28;
const NOTE =
  "Markers: where each model works at the condition looked at in cost space; the straight line joins " +
  "points that cost as much there as the best. Point at a curve, and its cost line shows in cost space.";

export function showRoc(container, report, state, link) {
  const chart = { report, state, link, scales: null };
  const made = figureIn(container, {
    title: "ROC space",
    name: "ROC space",
    table: () => exported(report),
    className: "roc-space",
  });
  made.note.textContent = NOTE;
  chart.said = el("p", { class: "hint readout" });
  container.append(walk(chart), chart.said);
  chart.frame = chartIn(made.place, sizes, () => draw(chart));
  onPoint(chart.frame, (at) => {
    const found = at === null ? null : nearest(report, chart.scales, at);
    if (found !== link.point) link.set({ point: found });
  });
  readValues(chart.frame, (at) => {
    const point = nearest(report, chart.scales, at);
    if (point === null) return null;
    const { x, y } = chart.scales;
    return { x: x(point.fpr), y: y(1 - point.fnr), text: inWords(report, point, { decision: null }) };
  });
  const update = () => {
    draw(chart);
    describe(chart.frame, summaryOf(report));
  };
  onAnswer(state, update);
  link.watch(() => follow(chart));
  update();
}

/** A model and a position on its curve: what a pointer does, by keyboard. */
function walk({ report, state, link }) {
  const name = "Position on the ROC curve";
  const slider = el("input", { type: "range", min: 0, value: 0, "aria-label": name });
  const names = report.models.map((model, i) => [String(i), model.name]);
  const put = () => {
    const i = Number(walked.select.value);
    const last = report.rocLine(i).fpr.length - 1;
    slider.max = String(last);
    const point = pointOn(report, i, Math.min(Number(slider.value), last));
    slider.setAttribute("aria-valuetext", inWords(report, point, state.values));
    link.set({ point });
  };
  const walked = pick("Show a threshold of", names, "0", put);
  slider.addEventListener("input", put);
  return el("div", { class: "slide screen" }, walked.element, slider);
}

function draw(chart) {
  const { report, frame } = chart;
  if (!frame?.width) return;
  chart.scales = {
    x: scaleLinear([0, 1], [0, frame.width]),
    y: scaleLinear([0, 1], [frame.height, 0]),
  };
  drawCurves(frame, report, chart.scales);
  follow(chart);
}

function follow({ report, state, link, frame, scales, said }) {
  if (!frame?.width) return;
  drawPoints(frame, report, scales, { decision: state.values.decision, link });
  said.textContent = link.point === null ? "" : inWords(report, link.point, state.values);
}

function sizes(full) {
  const margin = { top: 30, right: 20, bottom: 46, left: full < 460 ? 56 : 62 };
  return { margin, height: Math.min(full - margin.left - margin.right, 400) };
}

function drawCurves(frame, report, { x, y }) {
  const percent = x.tickFormat(5, "%");
  drawAxes(
    frame,
    { scale: x, label: "False positive rate: negatives that are flagged", text: percent },
    { scale: y, label: "True positive rate: positives that are flagged", text: percent },
  );
  frame.plot.selectAll("*").remove();
  frame.over.selectAll("*").remove();
  const diagonal = {
    points: [
      [x(0), y(0)],
      [x(1), y(1)],
    ],
  };
  frame.plot.append("path").attr("class", "reference").attr("d", lineThrough(diagonal.points));
  const curves = report.models
    .map((_, i) => ({ i, ...report.rocOutline(i) }))
    .sort((a, b) => Number(stands(a.i)) - Number(stands(b.i)));
  const path = ({ fpr, tpr }) => lineThrough(Array.from(fpr, (rate, k) => [x(rate), y(tpr[k])]));
  for (const curve of curves) {
    frame.plot
      .append("path")
      .attr("class", `curve ${colourClass(curve.i)}`)
      .attr("d", path(curve));
  }
  const others = curves.filter(({ i }) => !stands(i));
  const lines = curves.map((curve) => ({
    name: colourClass(curve.i),
    text: stands(curve.i) ? report.models[curve.i].name : nameOfOthers(others, curve),
    points: Array.from(curve.fpr, (rate, k) => [x(rate), y(curve.tpr[k])]).sort(
      (a, b) => a[0] - b[0] || b[1] - a[1],
    ),
  }));
  for (const { line: own, text, x: at, y: base } of placeNames([...lines.reverse(), diagonal], frame)) {
    labelled(frame.over, text, at, base)
      .attr("class", `line-name ${own.name}`)
      .attr("text-anchor", "start");
  }
}

const nameOfOthers = (others, curve) => (curve === others[0] ? `${others.length} others` : null);

function drawPoints(frame, report, { x, y }, { decision, link }) {
  frame.over.selectAll(".looked").remove();
  const layer = frame.over.append("g").attr("class", "looked");
  if (decision !== null) {
    const z = link.skew ?? decision.condition.skew.by_stake.mean;
    const found = report.models.map((model, i) => ({ i, ...cornerAt(model.hull, z) }));
    const best = found.reduce((a, b) => (lossAt(z, b) < lossAt(z, a) ? b : a));
    const ends = isometric(z, best);
    layer
      .append("path")
      .attr("class", "isometric")
      .attr("clip-path", frame.plot.attr("clip-path"))
      .attr("d", `M${x(ends[0][0])},${y(ends[0][1])}L${x(ends[1][0])},${y(ends[1][1])}`);
    for (const { i, fpr, fnr } of found.filter(({ i: model }) => stands(model))) {
      const { d, transform, class: name } = marker(i, x(fpr), y(1 - fnr), 64);
      layer.append("path").attr("class", name).attr("d", d).attr("transform", transform);
    }
  }
  if (link.point !== null) {
    layer
      .append("circle")
      .attr("class", `pointed ${colourClass(link.point.i)}`)
      .attr("r", 7)
      .attr("cx", x(link.point.fpr))
      .attr("cy", y(1 - link.point.fnr));
  }
}

/** Two points of the line through one along which the loss at a skew stays the same. */
function isometric(z, { fpr, fnr }) {
  const slope = z / (1 - z);
  const tpr = 1 - fnr;
  if (!Number.isFinite(slope) || slope > 1) {
    // Steep lines by their ends below and above.
    return [0, 1].map((end) => [fpr + ((end - tpr) * (1 - z)) / z, end]);
  }
  return [0, 1].map((end) => [end, tpr + slope * (end - fpr)]);
}

function nearest(report, { x, y }, [px, py]) {
  let found = null;
  let least = REACH ** 2;
  for (const i of report.models.keys()) {
    const { fpr, tpr } = report.rocLine(i);
    for (let k = 0; k < fpr.length; k += 1) {
      const far = (x(fpr[k]) - px) ** 2 + (y(tpr[k]) - py) ** 2;
      if (far < least) [found, least] = [[i, k], far];
    }
  }
  return found && pointOn(report, ...found);
}

function pointOn(report, i, k) {
  const { fpr, tpr, thresholds } = report.rocLine(i);
  return { i, fpr: fpr[k], fnr: 1 - tpr[k], threshold: thresholds[k] };
}

function inWords(report, { i, fpr, fnr, threshold }, { decision, currency }) {
  const share = (value) => percents({ value }).value;
  const where = Number.isFinite(threshold)
    ? toldThreshold(report.models[i], threshold)
    : threshold > 0
      ? "the highest"
      : "the lowest";
  const rates = `finds ${share(1 - fnr)} of the positives, flags ${share(fpr)} of the negatives`;
  const name = `${report.models[i].name}, threshold ${where}: ${rates}`;
  if (decision === null) return `${name}.`;
  const { stake_per_1000: stake, skew } = decision.condition;
  return `${name}; costs ${priced(plainly(stake * lossAt(skew.by_stake.mean, { fpr, fnr })), currency)}.`;
}

function summaryOf(report) {
  const areas = report.models.map(({ name, stored }) => `${name} ${shortThreshold(stored.auc)}`);
  return `ROC curves: positives found over negatives flagged. Areas under them: ${listed(areas)}.`;
}

function exported(report) {
  return {
    head: ["model", "threshold", "false_positive_rate", "true_positive_rate"],
    rows: report.models.flatMap(({ name }, i) => {
      const { fpr, tpr, thresholds } = report.rocLine(i);
      return Array.from(fpr, (rate, k) => [name, thresholdField(thresholds[k]), rate, tpr[k]]);
    }),
  };
}
