// The scores of both classes of one model, on the axis of thresholds: positives up, negatives down.
import { fitted, widthOf } from "../drawing/labels.js";
import { colourClass } from "../drawing/style.js";
import { CASES, plainly } from "../words/figures.js";
import { percent } from "../words/words.js";
import { ratesAt, toldThreshold } from "./thresholds.js";

// How wide, in pixels, a bar is about.
const BAR = 9;
// What is done with what is above so many of the thresholds, by how many there are.
const DONE = { 1: ["passed", "flagged"], 2: ["passed", "reviewed", "flagged"] };
// What the word between two of them takes, in pixels, with the handles.
const ROOM = 112;
// How high, in pixels, a word is.
const LINE = 16;

/** Draws into the lower panel of a chart: what is flagged strong, what is not pale, what is reviewed between. */
export function drawScores(frame, axis, facts, { top, height, within }) {
  const { i, thresholds } = facts.shown;
  const model = facts.lines[i].model;
  const { p } = facts.amounts;
  const sizes = within ? { positives: 1, negatives: 1 } : { positives: p, negatives: 1 - p };
  const bars = binned(model, i, axis, frame.width, sizes);
  const most = Math.max(...bars.flatMap(({ positives, negatives }) => [positives, negatives]));
  const middle = top + height / 2;
  const tall = (share) => (share / most) * (height / 2 - 2);
  const cuts = thresholds.map((t) => axis.at(i, t));
  const layer = layerOf(frame);
  const pieces = bars.flatMap((bar) => split(bar, cuts));
  layer
    .selectAll("rect.tally")
    .data(pieces.flatMap((piece) => ["positives", "negatives"].map((kind) => ({ ...piece, kind }))))
    .join("rect")
    .attr("class", ({ kind, passed }) => `tally ${kind} ${DONE[cuts.length][passed]}`)
    .attr("x", ({ from }) => from + 0.5)
    .attr("width", ({ from, to }) => Math.max(to - from - 1, 0.5))
    .attr("y", (one) => (one.kind === "positives" ? middle - tall(one.positives) : middle + 1))
    .attr("height", (one) => tall(one[one.kind]));
  layer.attr("class", `scores ${colourClass(i)}`);
  handleLines(layer, cuts, top + height);
  const highest = (kind, from, to) =>
    Math.max(0, ...bars.filter((bar) => bar.to > from && bar.from < to).map((bar) => tall(bar[kind])));
  words(layer, frame, { top, height, cuts, name: facts.lines[i].name, highest });
  const said = (pixel) => toldThreshold(model, axis.invert(i, pixel));
  return bars.map((bar) => ({ ...bar, said: () => `${said(bar.from)} to ${said(bar.to)}` }));
}

/** What is in the bar at a place of the axis, of cases or of each class: {x, y, text}. */
export function tallyAt(bars, x, y, within) {
  const bar = bars.find(({ from, to }) => x >= from && x <= to);
  if (!bar) return null;
  const shown = (share) => (within ? percent(share) : plainly(CASES * share));
  const [positives, negatives] = [bar.positives, bar.negatives].map(shown);
  const of = within ? `${positives} of positives, ${negatives} of negatives` : `${positives} positives, ${negatives} negatives of 1,000`;
  return { x: (bar.from + bar.to) / 2, y, text: `Scores ${bar.said()}: ${of}` };
}

function layerOf(frame) {
  // Beyond the clip of the lines.
  const found = frame.axes.selectAll("g.scores");
  return found.empty() ? frame.axes.append("g") : found;
}

function handleLines(layer, cuts, bottom) {
  layer
    .selectAll("line.cut")
    .data(cuts)
    .join("line")
    .attr("class", "cut")
    .attr("x1", (cut) => cut)
    .attr("x2", (cut) => cut)
    .attr("y1", 0)
    .attr("y2", bottom);
}

function words(layer, frame, { top, height, cuts, name, highest }) {
  const cut = cuts.at(-1);
  const right = cut < frame.width - 110;
  /** Above or below the bars, at the end where those are low. */
  const beside = (kind, text, y) => {
    const wide = widthOf(text);
    const most = height / 2 - LINE;
    const atStart = highest(kind, frame.width - wide, frame.width) > most && highest(kind, 0, wide) <= most;
    return { x: atStart ? 4 : frame.width - 4, y, anchor: atStart ? "start" : "end", text };
  };
  const texts = [
    beside("positives", fitted(`positives of ${name}`, frame.width - 8), top + 11),
    beside("negatives", "negatives", top + height - 4),
    ...doneAt(cuts, right).map((one) => ({ ...one, y: top - 13 })),
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

/** What is done beside the handles, where there is room to say it. */
function doneAt(cuts, right) {
  const cut = cuts.at(-1);
  const flagged = { x: cut + 22, anchor: "start", text: "flagged \u2192" };
  if (cuts.length === 1) return [right ? flagged : { x: cut - 22, anchor: "end", text: "\u2190 not flagged" }];
  const reviewed = { x: (cuts[0] + cut) / 2, anchor: "middle", text: "reviewed" };
  return [...(right ? [flagged] : []), ...(cut - cuts[0] > ROOM ? [reviewed] : [])];
}

/** How much of each class, of such a size, is in stretches of the axis. */
function binned(model, i, axis, width, sizes) {
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
    positives: sizes.positives * (rates[k + 1].fnr - rates[k].fnr),
    negatives: sizes.negatives * (rates[k].fpr - rates[k + 1].fpr),
  }));
}

/** A bar in pieces, each by how many of the cuts, in ascending order, it is above. */
function split(bar, cuts) {
  const edges = [bar.from, ...cuts.map((cut) => Math.min(Math.max(cut, bar.from), bar.to)), bar.to];
  return edges
    .slice(1)
    .map((to, passed) => ({ ...bar, from: edges[passed], to, passed }))
    .filter(({ from, to }) => from < to);
}
