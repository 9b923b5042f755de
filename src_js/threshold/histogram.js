// The scores of both classes of one model, on the axis of thresholds: positives up, negatives down.
import { colourClass } from "../drawing/style.js";
import { ratesAt } from "./thresholds.js";

// How wide, in pixels, a bar is about.
const BAR = 9;

/** Draws into the lower panel of a chart: what is flagged strong, what is not pale. */
export function drawScores(frame, axis, facts, { top, height }) {
  const { i, t } = facts.shown;
  const model = facts.lines[i].model;
  const bars = binned(model, i, axis, frame.width);
  const most = Math.max(...bars.flatMap(({ positives, negatives }) => [positives, negatives]));
  const middle = top + height / 2;
  const tall = (share) => (share / most) * (height / 2 - 2);
  const cut = axis.at(i, t);
  const layer = layerOf(frame);
  const pieces = bars.flatMap((bar) => split(bar, cut));
  layer
    .selectAll("rect.tally")
    .data(pieces.flatMap((piece) => ["positives", "negatives"].map((kind) => ({ ...piece, kind }))))
    .join("rect")
    .attr("class", ({ kind, flagged }) => `tally ${kind} ${flagged ? "flagged" : "passed"}`)
    .attr("x", ({ from }) => from + 0.5)
    .attr("width", ({ from, to }) => Math.max(to - from - 1, 0.5))
    .attr("y", (one) => (one.kind === "positives" ? middle - tall(one.positives) : middle + 1))
    .attr("height", (one) => tall(one[one.kind]));
  layer.attr("class", `scores ${colourClass(i)}`);
  handleLine(layer, cut, frame, top + height);
  words(layer, frame, { top, height, cut, name: facts.lines[i].name });
}

function layerOf(frame) {
  const found = frame.plot.selectAll("g.scores");
  return found.empty() ? frame.plot.append("g") : found;
}

function handleLine(layer, cut, frame, bottom) {
  layer
    .selectAll("line.cut")
    .data([cut])
    .join("line")
    .attr("class", "cut")
    .attr("x1", cut)
    .attr("x2", cut)
    .attr("y1", 0)
    .attr("y2", bottom);
}

function words(layer, frame, { top, height, cut, name }) {
  const right = cut < frame.width - 110;
  const texts = [
    { x: frame.width - 4, y: top + 11, anchor: "end", text: `positives of ${name}` },
    { x: frame.width - 4, y: top + height - 4, anchor: "end", text: "negatives" },
    {
      x: cut + (right ? 22 : -22),
      y: top - 13,
      anchor: right ? "start" : "end",
      text: right ? "flagged \u2192" : "\u2190 not flagged",
    },
  ];
  layer
    .selectAll("text")
    .data(texts)
    .join("text")
    .attr("class", "scores-name")
    .attr("x", ({ x }) => x)
    .attr("y", ({ y }) => y)
    .attr("text-anchor", ({ anchor }) => anchor)
    .text(({ text }) => text);
}

/** Shares of each class in stretches of the axis. */
function binned(model, i, axis, width) {
  const count = Math.max(Math.round(width / BAR), 8);
  const edges = Array.from({ length: count + 1 }, (_, k) => (k * width) / count);
  const rates = edges.map((pixel, k) => {
    // Whatever is beyond the ends of the axis is at them.
    if (k === 0) return { fpr: 1, fnr: 0 };
    if (k === count) return { fpr: 0, fnr: 1 };
    return ratesAt(model, axis.invert(i, pixel));
  });
  return edges.slice(1).map((to, k) => ({
    from: edges[k],
    to,
    positives: rates[k + 1].fnr - rates[k].fnr,
    negatives: rates[k].fpr - rates[k + 1].fpr,
  }));
}

/** A bar as what of it is flagged and what is not. */
function split(bar, cut) {
  if (cut <= bar.from) return [{ ...bar, flagged: true }];
  if (cut >= bar.to) return [{ ...bar, flagged: false }];
  return [
    { ...bar, to: cut, flagged: false },
    { ...bar, from: cut, flagged: true },
  ];
}
