// Whether scores are the probabilities that they claim to be: one small picture a model.
import { scaleLinear } from "d3-scale";
import { chartIn, describe, drawAxes } from "./chart.js";
import { el, hint, named } from "./dom.js";
import { expit, logit } from "./engine/conditions.js";
import { percents, shortThreshold } from "./figures.js";
import { figureIn } from "./framing.js";
import { colourClass, stands, swatch } from "./style.js";

const TICKS = [1e-5, 1e-4, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1 - 1e-4, 1 - 1e-5];
// Where half of all scores are below this or above its complement, log-odds tell more.
const NEAR = 0.05;
const SMALLEST = 1e-6;

export function showCalibration(container, report, state) {
  const known = report.models
    .map(({ name, stored }, i) => ({ i, name, bins: stored.calibration }))
    .filter(({ bins }) => bins);
  if (known.length === 0) {
    container.append(
      hint("The scores are no probabilities, so that there is nothing to be calibrated."),
    );
    return;
  }
  const scale = scaleOf(known);
  const grid = el("div", { class: "small-multiples" });
  container.append(grid);
  const rest = el("details", {}, el("summary", {}, "The other models"));
  const others = el("div", { class: "small-multiples" });
  rest.append(others);
  for (const one of known) {
    const place = stands(one.i) ? grid : others;
    const title = el("span", { class: "model" }, swatch(one.i), named(one.name));
    const made = figureIn(place, {
      title,
      name: `Calibration of ${one.name}`,
      table: () => exported(one.bins),
      className: "calibration",
    });
    let frame = null;
    frame = chartIn(made.place, sizes, (drawn) => draw(drawn, one, scale));
    state.watch(["decision"], () => {
      title.firstChild.replaceWith(swatch(one.i));
      if (frame.width) draw(frame, one, scale);
    });
    describe(frame, inWords(one));
    made.note.remove();
  }
  if (others.childElementCount > 0) container.append(rest);
  container.append(
    hint(
      "Dots: cases of like scores, by their mean score and the share of them that is positive, with 95\u00a0% " +
        "intervals. Above the diagonal the score claims too little, below it too much.",
    ),
  );
}

function sizes(full) {
  const margin = { top: 26, right: 10, bottom: 42, left: 40 };
  return { margin, height: Math.min(full - margin.left - margin.right, 260) };
}

/** One scale for all: by log-odds if most scores are close to 0 or to 1. */
function scaleOf(known) {
  const crowded = known.filter(({ bins }) => {
    const inside = bins.mean.map((mean, k) => (mean > NEAR && mean < 1 - NEAR ? bins.cases[k] : 0));
    return inside.reduce((a, b) => a + b, 0) < 0.5;
  });
  if (2 * crowded.length <= known.length) return { byOdds: false, domain: [0, 1] };
  const ends = known.flatMap(({ bins }) => [...bins.mean, ...bins.share]).map(inside);
  const [low, high] = [Math.min(...ends, 0.1), Math.max(...ends, 0.1)].map(logit);
  return { byOdds: true, domain: [low - 0.3, high + 0.3] };
}

const inside = (x) => Math.min(Math.max(x, SMALLEST), 1 - SMALLEST);

function draw(frame, { i, bins }, { byOdds, domain }) {
  const plain = byOdds
    ? (x) => Math.min(Math.max(logit(inside(x)), domain[0]), domain[1])
    : (x) => x;
  const x = scaleLinear(domain, [0, frame.width]);
  const y = scaleLinear(domain, [frame.height, 0]);
  const at = (value) => x(plain(value));
  const up = (value) => y(plain(value));
  const ticks = byOdds
    ? {
        values: TICKS.map(logit).filter((u) => u >= domain[0] && u <= domain[1]),
        text: (u) => shortThreshold(expit(u)),
      }
    : { values: frame.width < 160 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1], text: String };
  drawAxes(
    frame,
    { scale: x, label: "Score", ...ticks },
    { scale: y, label: "Share that is positive", ...ticks },
  );
  for (const layer of [frame.plot, frame.over]) layer.selectAll("*").remove();
  frame.plot
    .append("path")
    .attr("class", "reference")
    .attr("d", `M${x(domain[0])},${y(domain[0])}L${x(domain[1])},${y(domain[1])}`);
  const group = frame.over.append("g").attr("class", colourClass(i));
  const band = [...bins.mean.keys()].map((k) => [
    at(bins.mean[k]),
    up(bins.low[k]),
    up(bins.high[k]),
  ]);
  const under = band.map(([px, low]) => `${px},${low}`);
  const over = band.map(([px, , high]) => `${px},${high}`).reverse();
  group
    .append("path")
    .attr("class", "band")
    .attr("d", `M${[...under, ...over].join("L")}Z`);
  const middle = bins.mean.map((mean, k) => `${at(mean)},${up(bins.share[k])}`);
  group
    .append("path")
    .attr("class", "curve")
    .attr("d", `M${middle.join("L")}`);
  for (const [k, mean] of bins.mean.entries()) {
    const [px, low, high] = band[k];
    group.append("path").attr("class", "interval").attr("d", `M${px},${low}V${high}`);
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
