// How models differ: by colour (CSS classes m0 to m5) and by marker, alike on every chart.
import { svg } from "../dom.js";
import { circle, crossOf, diamondOf, squareOf, triangleOf } from "./paths.js";

const COLOURS = 6;
// Of more models than there are colours so many are coloured, so that they stand out.
const BEST = 4;
const MARKERS = [
  [circle, 0],
  [squareOf, 0],
  [triangleOf, 0],
  [diamondOf, 0],
  [triangleOf, 180],
  [crossOf, 45],
];

// Which colour a model has; of many models only the best have one.
let slots = new Map();
let source = null;
let last;

/** Gives colours by what a page shows: with many models to the best four of the decision. */
export function followColours(report, state) {
  source = { report, state };
  last = undefined;
}

function slotOf(i) {
  if (source === null) return i % COLOURS;
  const { report, state } = source;
  const { decision } = state.values;
  if (decision !== last) {
    last = decision;
    slots = slotsFor(bestOf(report, decision), slots);
  }
  return slots.get(i) ?? null;
}

/** Models that get a colour, the best first. */
function bestOf(report, decision) {
  const all = report.models.map((_, i) => i);
  if (all.length <= COLOURS) return all;
  const cost = all.map((i) => cheapest(report.models[i], decision));
  const chosen = decision?.recommendation.model;
  const first = ({ name }) => (name === chosen ? 0 : 1);
  return all
    .sort((a, b) => first(report.models[a]) - first(report.models[b]) || cost[a] - cost[b])
    .slice(0, BEST);
}

/** What the cheapest strategy of a model costs; without a decision, what its ranking lacks. */
function cheapest({ name, stored }, decision) {
  if (!decision) return 1 - stored.auc;
  const costs = decision.strategies.flatMap(({ model, cost_per_1000: cost }) =>
    model === name && cost !== null ? [cost] : [],
  );
  return Math.min(...costs);
}

/** Colours of models; those that had one before keep it. */
function slotsFor(models, before) {
  const found = new Map();
  const free = new Set(Array.from({ length: COLOURS }, (_, slot) => slot));
  for (const i of models) {
    if (before.has(i)) {
      found.set(i, before.get(i));
      free.delete(before.get(i));
    }
  }
  for (const i of models) {
    if (found.has(i)) continue;
    const [slot] = free;
    found.set(i, slot);
    free.delete(slot);
  }
  return found;
}

/** Whether a model has a colour of its own, or is one of the others. */
export function stands(i) {
  return slotOf(i) !== null;
}

export function colourClass(i) {
  const slot = slotOf(i);
  return slot === null ? "others" : `m${slot}`;
}

/** Attributes of the marker of a model, around a point. */
export function marker(i, x, y, size) {
  const [shape, turn] = MARKERS[slotOf(i) ?? 0];
  return {
    d: shape(size),
    transform: `translate(${x},${y})${turn ? ` rotate(${turn})` : ""}`,
    class: `marker ${colourClass(i)}`,
  };
}

/** The line and marker of a model. */
export function swatch(i) {
  return svg(
    "svg",
    { class: "swatch", width: 34, height: 14, viewBox: "0 0 34 14", "aria-hidden": "true" },
    svg("line", {
      class: `curve ${colourClass(i)}`,
      x1: 0,
      x2: 34,
      y1: 7,
      y2: 7,
    }),
    svg("path", marker(i, 17, 7, 52)),
  );
}
