// Whether scores are the probabilities that they claim to be: one small picture a model.
import { scaleLinear } from "d3-scale";
import { chartIn, describe, drawAxes, ticksApart } from "../drawing/chart.js";
import { el, hint, named } from "../dom.js";
import { expit, logit } from "../curves/conditions.js";
import { tickText } from "../threshold/scales.js";
import { percents, shortThreshold } from "../words/figures.js";
import { percent } from "../words/words.js";
import { figureIn, onAnswer } from "../drawing/framing.js";
import { nearestOf, readValues } from "../drawing/reading.js";
import { colourClass, stands, swatch } from "../drawing/style.js";

const TICKS = [1e-5, 1e-4, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1 - 1e-4, 1 - 1e-5];
// Where half of all scores are below this or above its complement, log-odds tell more.
const NEAR = 0.05;
const SMALLEST = 1e-6;
// A model that takes less than this part of the scale of all has one of its own.
const CORNER = 0.5;
// What a tick takes of either axis, in pixels.
const [WIDE, HIGH] = [52, 16];
const NONE = "The scores are no probabilities, so that there is nothing to be calibrated.";
const NOTE =
  "Dots: cases of like scores, by their mean score and the share of them that is positive, with 95\u00a0% " +
  "intervals. Above the diagonal the score claims too little, below it too much.";

export function showCalibration(container, report, state) {
  const known = report.models
    .map(({ name, stored }, i) => ({ i, name, bins: stored.calibration }))
    .filter(({ bins }) => bins);
  if (known.length === 0) {
    container.append(hint(NONE));
    return;
  }
  const shared = scaleOf(known);
  const grid = el("div", { class: "small-multiples" });
  const others = el("div", { class: "small-multiples" });
  const rest = el("details", {}, el("summary", {}, "The other models"), others);
  container.append(grid, rest, hint(NOTE));
  const pictures = known.map((one) => pictureOf(grid, one, scaleFor(one, shared)));
  const update = () => {
    for (const { i, figure, redraw } of pictures) {
      (stands(i) ? grid : others).append(figure);
      redraw();
    }
    rest.hidden = others.childElementCount === 0;
  };
  onAnswer(state, update);
  update();
}

/** The picture of one model: {i, figure, redraw}. */
function pictureOf(place, one, scale) {
  const title = el("span", { class: "model" }, swatch(one.i), named(one.name));
  const {
    figure,
    place: inside,
    note,
  } = figureIn(place, {
    title,
    name: `Calibration of ${one.name}`,
    table: () => exported(one.bins),
    className: "calibration",
  });
  note.remove();
  const frame = chartIn(inside, sizes, (drawn) => draw(drawn, one, scale));
  describe(frame, inWords(one));
  const points = () => pointsOf(frame, one, scale);
  readValues(frame, (at) => nearestOf(points(), at), points);
  const redraw = () => {
    // Its colour may be another now.
    title.firstChild.replaceWith(swatch(one.i));
    if (frame.width) draw(frame, one, scale);
  };
  return { i: one.i, figure, redraw };
}

/** Each bin where it is drawn, with its words. */
function pointsOf(frame, { bins }, scale) {
  const { at, up } = placesIn(frame, scale);
  return bins.mean.map((mean, k) => {
    const { value, interval } = percents({ value: bins.share[k], low: bins.low[k], high: bins.high[k] });
    const near = `${percent(bins.cases[k])} of cases score near ${shortThreshold(mean)}`;
    const text = `${near}: of them ${value}${interval === null ? "" : ` (${interval})`} positive`;
    return { x: at(mean), y: up(bins.share[k]), text };
  });
}

/** Where scores and shares are, in pixels; what is beyond an axis is at its end. */
function placesIn(frame, { byOdds, across, up }) {
  const plain = byOdds ? (value) => logit(inside(value)) : (value) => value;
  const on = (domain, range) => {
    const scale = scaleLinear(domain, range);
    const [low, high] = domain;
    return [scale, (value) => scale(Math.min(Math.max(plain(value), low), high))];
  };
  const [[x, at], [y, height]] = [on(across, [0, frame.width]), on(up, [frame.height, 0])];
  return { x, y, at, up: height };
}

function sizes(full) {
  const margin = { top: 26, right: 20, bottom: 42, left: 60 };
  return { margin, height: Math.min(full - margin.left - margin.right, 260) };
}

/** The scale of all, but for an axis on which a model would be in a corner: {byOdds, across, up}. */
function scaleFor({ bins }, { byOdds, domain }) {
  const wide = ([low, high]) => high - low;
  const fitted = (own) => (wide(own) < CORNER * wide(domain) ? own : domain);
  const shares = [...bins.share, ...bins.low, ...bins.high];
  return { byOdds, across: fitted(domainOf(bins.mean, byOdds)), up: fitted(domainOf(shares, byOdds)) };
}

/** From where to where some shares go; by log-odds those that are not 0 or 1. */
function domainOf(shares, byOdds) {
  if (!byOdds) return [0, Math.min(Math.max(...shares), 1)];
  const ends = shares.filter((x) => x > 0 && x < 1).map(inside);
  const [low, high] = [Math.min(...ends, 0.1), Math.max(...ends, 0.1)].map(logit);
  return [low - 0.3, high + 0.3];
}

/** One scale for all: by log-odds if most scores are close to 0 or to 1. */
function scaleOf(known) {
  const crowded = known.filter(({ bins }) => {
    const inside = bins.mean.map((mean, k) => (mean > NEAR && mean < 1 - NEAR ? bins.cases[k] : 0));
    return inside.reduce((a, b) => a + b, 0) < 0.5;
  });
  const byOdds = 2 * crowded.length > known.length;
  const all = known.flatMap(({ bins }) => [...bins.mean, ...bins.share]);
  return { byOdds, domain: byOdds ? domainOf(all, byOdds) : [0, 1] };
}

const inside = (x) => Math.min(Math.max(x, SMALLEST), 1 - SMALLEST);

function draw(frame, { i, bins }, scale) {
  const { byOdds } = scale;
  const [low, high] = [Math.min(scale.across[0], scale.up[0]), Math.max(scale.across[1], scale.up[1])];
  const { x, y, at, up } = placesIn(frame, scale);
  const within = (ends) => TICKS.map(logit).filter((u) => u >= ends[0] && u <= ends[1]);
  const ticks = (ends, place, room) =>
    byOdds
      ? { values: ticksApart(within(ends), place, room), text: (u) => tickText(expit(u)) }
      : { values: scaleLinear(ends, [0, 1]).ticks(frame.width < 160 ? 2 : 4), text: String };
  drawAxes(
    frame,
    { scale: x, label: "Score", ...ticks(scale.across, x, WIDE) },
    { scale: y, label: "Share of positives", ...ticks(scale.up, (u) => -y(u), HIGH) },
  );
  for (const layer of [frame.plot, frame.over]) layer.selectAll("*").remove();
  const diagonal = `M${x(low)},${y(low)}L${x(high)},${y(high)}`;
  frame.plot.append("path").attr("class", "reference").attr("d", diagonal);
  drawBins(frame.over.append("g").attr("class", colourClass(i)), bins, { at, up });
}

function drawBins(group, bins, { at, up }) {
  const path = (kind, d) => group.append("path").attr("class", kind).attr("d", d);
  const points = (heights) => bins.mean.map((mean, k) => `${at(mean)},${up(heights[k])}`);
  path("band", `M${[...points(bins.low), ...points(bins.high).reverse()].join("L")}Z`);
  path("curve", `M${points(bins.share).join("L")}`);
  for (const [k, mean] of bins.mean.entries()) {
    path("interval", `M${at(mean)},${up(bins.low[k])}V${up(bins.high[k])}`);
    group
      .append("circle")
      .attr("class", "bin")
      .attr("r", 3.2)
      .attr("cx", at(mean))
      .attr("cy", up(bins.share[k]));
  }
}

/** Where the interval leaves the diagonal out. */
function inWords({ name, bins }) {
  const off = bins.mean.flatMap((mean, k) =>
    mean < bins.low[k] ? ["too low"] : mean > bins.high[k] ? ["too high"] : [],
  );
  const of = (kind) => off.filter((one) => one === kind).length;
  const ends = [0, bins.mean.length - 1].map(
    (k) =>
      `of scores near ${shortThreshold(bins.mean[k])} ${percents({ value: bins.share[k] }).value}`,
  );
  return (
    `Calibration of ${name}: ${ends.join(", ")} are positive. In ${bins.mean.length} bins scores are ` +
    `too low in ${of("too low")} and too high in ${of("too high")}, beyond 95 % intervals.`
  );
}

function exported(bins) {
  const names = ["from", "to", "mean", "share", "low", "high", "cases"];
  return { head: names, rows: bins.mean.map((_, k) => names.map((name) => bins[name][k])) };
}
