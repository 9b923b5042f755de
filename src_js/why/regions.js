// Which strategy is best where, over the ratio of costs and the prevalence: pure functions.
//
// With u = ln(FN cost / FP cost) and v = logit(prevalence), a skew z is where u + v = -logit(z):
// what is best at it is a straight stripe of the map.
import { logit } from "../curves/conditions.js";
import { cornerAt, lossAt } from "./linked.js";

const FARTHEST = 40;
// Skews at which curves are compared, outside of what a decision covers.
const STEPS = 2000;

/** Stripes of one model each: {model, low, high, prevalence: [low, high] or null}, by skew. */
export function stripesOf(shortTable) {
  const found = [];
  for (const row of shortTable) {
    const band =
      row.prevalence_low === undefined ? null : [row.prevalence_low, row.prevalence_high];
    const last = found[found.length - 1];
    const name = nameOf(row);
    if (
      last &&
      last.name === name &&
      last.high === row.skew_low &&
      String(last.band) === String(band)
    ) {
      last.high = row.skew_high;
    } else {
      found.push({ name, model: row.model, low: row.skew_low, high: row.skew_high, band });
    }
  }
  return found;
}

const NOBODY = "flag nobody";
const EVERYBODY = "flag everybody";

function nameOf({ model, choice }) {
  if (model !== null) return model;
  return choice === "flag_nobody" ? NOBODY : EVERYBODY;
}

/** What loses least at every skew outside of a range, on the rows themselves. */
export function outsideOf(models, [low, high]) {
  const found = [];
  const add = (from, to) => {
    const z = 1 / (1 + Math.exp((logit(from) + logit(to)) / -2));
    const name = bestAt(models, z);
    const last = found[found.length - 1];
    if (last && last.name === name && last.high === from) last.high = to;
    else found.push({ name, model: name, low: from, high: to, band: null });
  };
  const edges = Array.from({ length: STEPS + 1 }, (_, k) => {
    const u = -12 + (24 * k) / STEPS;
    return 1 / (1 + Math.exp(-u));
  });
  for (let k = 0; k < STEPS; k += 1) {
    const [from, to] = [edges[k], edges[k + 1]];
    if (to <= low || from >= high) add(from, to);
    else if (from < low) add(from, low);
    else if (to > high) add(high, to);
  }
  return found;
}

function bestAt(models, z) {
  let best = z < 0.5 ? EVERYBODY : NOBODY;
  let least = Math.min(z, 1 - z) * (1 - 1e-9);
  for (const { name, hull } of models) {
    const loss = lossAt(z, cornerAt(hull, z));
    if (loss < least) [best, least] = [name, loss];
  }
  return best;
}

/** The corners, in (u, v), of a stripe within a rectangle of the map. */
export function polygon({ low, high, band }, { u, v }) {
  const [v0, v1] =
    band === null ? v : [Math.max(odds(band[0]), v[0]), Math.min(odds(band[1]), v[1])];
  if (v1 <= v0) return [];
  const corners = [
    [u[0], v0],
    [u[1], v0],
    [u[1], v1],
    [u[0], v1],
  ];
  // u + v lies between these.
  const [least, most] = [-odds(high), -odds(low)];
  const above = clipped(corners, ([a, b]) => a + b - least);
  return clipped(above, ([a, b]) => most - a - b);
}

const odds = (x) => (x <= 0 ? -FARTHEST : x >= 1 ? FARTHEST : logit(x));

/** What of a polygon has a linear function that is not negative. */
function clipped(corners, value) {
  return corners.flatMap((corner, k) => {
    const next = corners[(k + 1) % corners.length];
    const [a, b] = [value(corner), value(next)];
    const kept = a >= 0 ? [corner] : [];
    if (a >= 0 === b >= 0) return kept;
    const along = a / (a - b);
    return [...kept, corner.map((x, axis) => x + along * (next[axis] - x))];
  });
}
