// The frame of a chart: its size, layers, axes and labels, and where in it a pointer is.
import { scaleLinear } from "d3-scale";
import { axisBottom, axisLeft } from "d3-axis";
import { select } from "d3-selection";
import { plainly } from "../words/figures.js";

// The least width, in pixels, and below what width there are fewer ticks.
const [LEAST, NARROW] = [140, 460];
let clips = 0;

/**
 * A chart in a container, as wide as that; `draw(frame)` draws it whenever the width changes.
 * `sizes(width)` gives its margins and the height between them.
 */
export function chartIn(container, sizes, draw) {
  const root = select(container).append("svg").attr("class", "chart").attr("role", "img");
  const clip = `clip-${(clips += 1)}`;
  const area = root.append("clipPath").attr("id", clip).append("rect");
  const layers = {
    axes: root.append("g"),
    plot: root.append("g").attr("clip-path", `url(#${clip})`),
    // What may reach over the edge: markers and texts.
    over: root.append("g"),
  };
  const frame = { root, container, ...layers, clip: area, full: 0 };
  const resize = (width, anew = false) => {
    const full = Math.max(width, LEAST);
    if (width === 0 || (full === frame.full && !anew)) return;
    const { margin, height } = sizes(full);
    Object.assign(frame, { full, margin, height, width: full - margin.left - margin.right });
    fitTo(frame);
    area.attr("width", frame.width).attr("height", height);
    draw(frame);
  };
  /** Draws it anew, in the height that it needs now. To ask how wide it is costs a layout. */
  frame.again = () => resize(frame.full || container.clientWidth, true);
  frame.narrow = () => frame.full < NARROW;
  resize(container.clientWidth);
  new ResizeObserver(() => resize(container.clientWidth)).observe(container);
  return frame;
}

function fitTo({ root, axes, plot, over, full, margin, height }) {
  const high = height + margin.top + margin.bottom;
  root.attr("viewBox", `0 0 ${full} ${high}`).attr("width", full).attr("height", high);
  for (const layer of [axes, plot, over]) {
    layer.attr("transform", `translate(${margin.left},${margin.top})`);
  }
}

/** Says what a chart shows, in words. */
export function describe(frame, words) {
  frame.root.attr("aria-label", words);
}

/**
 * Draws the two axes. `x` and `y` are {scale, label, values?, text?}: where ticks are, if not where
 * the scale has them, and how they read.
 */
export function drawAxes(frame, x, y) {
  const { axes, width, height, margin } = frame;
  axes.selectAll("*").remove();
  const bottom = ticked(axisBottom(x.scale), x, frame.narrow() ? 4 : 8);
  const left = ticked(axisLeft(y.scale), y, 5);
  axes
    .append("g")
    .attr("class", "axis")
    .attr("transform", `translate(0,${height})`)
    .call(bottom.tickSizeInner(-height));
  axes.append("g").attr("class", "axis").call(left.tickSizeInner(-width));
  if (x.label) labelled(axes, x.label, width / 2, height + margin.bottom - 6);
  // Upright text is hard to read: the axis of heights has its name on top.
  if (y.label) labelled(axes, y.label, -margin.left + 2, -10).attr("text-anchor", "start");
}

function ticked(axis, { values, text }, count) {
  axis.tickSizeOuter(0).tickPadding(7);
  if (values) axis.tickValues(values);
  else axis.ticks(count);
  return text ? axis.tickFormat(text) : axis;
}

export function labelled(layer, text, x, y) {
  return layer
    .append("text")
    .attr("class", "axis-name")
    .attr("text-anchor", "middle")
    .attr("x", x)
    .attr("y", y)
    .text(text);
}

/** Where in the area of a chart a pointer is, in its pixels. */
export function placeOf(frame, event) {
  const box = frame.root.node().getBoundingClientRect();
  const scale = frame.full / box.width;
  return [
    (event.clientX - box.left) * scale - frame.margin.left,
    (event.clientY - box.top) * scale - frame.margin.top,
  ];
}

/** Calls back with where a pointer is over a chart, null once it has left. */
export function onPoint(frame, moved, clicked = moved) {
  const at = (event) => placeOf(frame, event);
  frame.root
    .on("pointermove", (event) => moved(at(event)))
    .on("pointerleave pointercancel", () => moved(null))
    .on("pointerdown", (event) => {
      clicked(at(event));
    });
}

// From this on amounts are written in millions.
const MANY = 1e6;
// Over less an axis has no ticks: numbers that small have lost their digits.
const LEAST_AMOUNT = 1e-290;

/** A linear scale of amounts, which may all be next to nothing. */
export function scaleOfMoney([low, high], range) {
  return scaleLinear([low, Math.max(high, low + LEAST_AMOUNT)], range);
}

/** How ticks of amounts read: millions and more in their units. */
export function moneyText(scale, count) {
  const large = scale.domain().some((end) => Math.abs(end) >= MANY);
  return large ? plainly : scale.tickFormat(count);
}

/** Two strokes across an axis of amounts that does not begin at 0. */
export function markBreak(frame, [low], bottom) {
  if (low <= 0) return;
  for (const up of [4, 9]) {
    frame.axes.append("path").attr("class", "break").attr("d", `M-6,${bottom - up + 3}l12,-6`);
  }
}

/** Those of ascending ticks that are far enough from each other to be read, in pixels. */
export function ticksApart(values, at, gap) {
  const found = [];
  for (const value of values) {
    if (found.length === 0 || at(value) - at(found[found.length - 1]) >= gap) found.push(value);
  }
  return found;
}
