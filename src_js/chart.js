// The frame of a chart: its size, axes, labels and clipped area; and the axis of conditions.
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { expit, logit, LOGIT_LIMITS } from "./engine/conditions.js";
import { marker } from "./style.js";
import { brief } from "./words.js";

const MARGIN = { top: 12, right: 14, bottom: 44, left: 52 };
const LOGIT_TICKS = [1e-4, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1 - 1e-4];
// In pixels: the least width, the greatest height, and below what width there are fewer ticks.
const [LEAST, HIGHEST, NARROW] = [240, 460, 420];
let clips = 0;

/** A chart in a container, as wide as that; `draw(frame)` draws it whenever the width changes. */
export function chartIn(container, name, draw) {
  // Read before anything changes, the width costs no layout of its own.
  const first = container.clientWidth;
  const root = select(container)
    .append("svg")
    .attr("class", "chart")
    .attr("role", "img")
    .attr("aria-label", name);
  const clip = `clip-${(clips += 1)}`;
  const area = root.append("clipPath").attr("id", clip).append("rect");
  const layers = {
    axes: root.append("g"),
    plot: root.append("g").attr("clip-path", `url(#${clip})`),
    // What may reach over the edge: markers and texts.
    over: root.append("g"),
    events: root.append("rect").attr("class", "events"),
  };
  const frame = { root, ...layers, width: 0, height: 0 };
  const resize = (width) => {
    const full = Math.max(width, LEAST);
    if (full === frame.full) return;
    frame.full = full;
    frame.width = full - MARGIN.left - MARGIN.right;
    frame.height = Math.min(frame.width, HIGHEST);
    const height = frame.height + MARGIN.top + MARGIN.bottom;
    root.attr("viewBox", `0 0 ${full} ${height}`).attr("width", full).attr("height", height);
    for (const layer of [layers.axes, layers.plot, layers.over, layers.events]) {
      layer.attr("transform", `translate(${MARGIN.left},${MARGIN.top})`);
    }
    area.attr("width", frame.width).attr("height", frame.height);
    layers.events.attr("width", frame.width).attr("height", frame.height);
    draw(frame);
  };
  frame.narrow = () => frame.full < NARROW;
  resize(first);
  new ResizeObserver(() => resize(container.clientWidth)).observe(container);
  return frame;
}

/** Draws the two axes with their labels. */
export function drawAxes(frame, { x, y, xLabel, yLabel }) {
  const { axes, width, height } = frame;
  axes.selectAll("*").remove();
  const bottom = axisBottom(x.scale).tickSizeOuter(0).tickSizeInner(-height).tickPadding(8);
  if (x.ticks) bottom.tickValues(x.ticks(frame.narrow())).tickFormat(x.format);
  else bottom.ticks(frame.narrow() ? 5 : 8);
  const left = axisLeft(y).tickSizeOuter(0).tickSizeInner(-width).tickPadding(8).ticks(6);
  axes.append("g").attr("class", "axis").attr("transform", `translate(0,${height})`).call(bottom);
  axes.append("g").attr("class", "axis").call(left);
  label(axes, xLabel, width / 2, height + 38);
  label(axes, yLabel, -height / 2, -40).attr("transform", "rotate(-90)");
}

function label(axes, text, x, y) {
  return axes.append("text").attr("class", "label").attr("x", x).attr("y", y).text(text);
}

/** The axis of operating conditions on a scale: a D3 scale of plain or logit values. */
export function conditionAxis(scale, width) {
  if (scale === "linear") {
    const linear = scaleLinear([0, 1], [0, width]);
    return { scale: linear, at: linear, invert: clampedTo(linear, 0, 1) };
  }
  const [low, high] = LOGIT_LIMITS.map(logit);
  const inner = scaleLinear([low, high], [0, width]);
  const at = (x) => inner(Math.min(Math.max(logit(x), low), high));
  const back = clampedTo(inner, low, high);
  return {
    scale: inner,
    at,
    invert: (pixel) => expit(back(pixel)),
    ticks: (narrow) => LOGIT_TICKS.filter((_, i) => !narrow || i % 2 === 0).map(logit),
    format: (value) => brief(expit(value)),
  };
}

function clampedTo(scale, low, high) {
  return (pixel) => Math.min(Math.max(scale.invert(pixel), low), high);
}

/** Draws the markers of models, of each {i, ...} where `at` says. */
export function drawMarkers(frame, found, at) {
  frame.over
    .selectAll("path.marker")
    .data(found)
    .join("path")
    .each(function draw(one) {
      for (const [name, value] of Object.entries(marker(one.i, ...at(one), 90))) {
        this.setAttribute(name, value);
      }
    });
}

/** Calls back with where in the chart a pointer is, null once it has left. */
export function onPoint(frame, moved, clicked) {
  const at = (event) => {
    const box = frame.root.node().getBoundingClientRect();
    const k = frame.full / box.width;
    return [
      (event.clientX - box.left) * k - MARGIN.left,
      (event.clientY - box.top) * k - MARGIN.top,
    ];
  };
  frame.events
    .on("pointermove", (event) => moved(at(event)))
    .on("pointerdown", (event) => moved(at(event)))
    .on("pointerleave", () => moved(null))
    .on("pointercancel", () => moved(null))
    .on("click", (event) => clicked(at(event)));
}

export const LEFT = MARGIN.left;
