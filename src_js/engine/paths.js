// Paths through ROC space: where they are at a condition, their loss, and its integrals.
//
// A path of steps is at its k-th point from the k-th condition of x on, k = 0 before the first;
// on a ramp it moves to the next point, each rate in a parabola over the score. A line path is at its
// k-th point at the k-th condition of x, from 0 to 1, and moves in between.

import { countBelow, countUpTo, lossOf } from "./conditions.js";

/** Where a path is at a condition, or the limit from the left there. */
export function pointAt(path, c, left = false) {
  const count = left ? countBelow(path.x, c) : countUpTo(path.x, c);
  return pointOn(path, pieceOf(path, count), c);
}

function pieceOf(path, count) {
  return path.kind === "steps" ? count : Math.max(Math.min(count, path.x.length - 1) - 1, 0);
}

/** Where a path is at a condition on its k-th piece. */
function pointOn(path, k, c) {
  const along = alongOn(path, k, c);
  return { fpr: rateOn(path, path.fpr, 0, k, along), fnr: rateOn(path, path.fnr, 1, k, along) };
}

function rateOn(path, rates, side, k, along) {
  if (along === 0) return rates[k];
  const share = path.bends ? along * (1 + path.bends[side][k] * (1 - along)) : along;
  return rates[k] + share * (rates[k + 1] - rates[k]);
}

/** How far a path has gone from its k-th point to the next. */
function alongOn(path, k, c) {
  const { x, ramps } = path;
  if (path.kind === "line") {
    const width = x[k + 1] - x[k];
    return width > 0 ? (c - x[k]) / width : 0;
  }
  if (ramps === null || k >= x.length || !ramps[k]) return 0;
  const low = path.scores[k - 1];
  const along = (path.scoreAt(c) - low) / (path.scores[k] - low);
  return along < 0 ? 0 : along > 1 ? 1 : along;
}

function lossOn(path, k, c) {
  const along = alongOn(path, k, c);
  const fpr = rateOn(path, path.fpr, 0, k, along);
  return lossOf(c, path.p, fpr, rateOn(path, path.fnr, 1, k, along));
}

export function lossAt(path, c, left = false) {
  const count = left ? countBelow(path.x, c) : countUpTo(path.x, c);
  return lossOn(path, pieceOf(path, count), c);
}

/** The ends of the pieces of a path, from 0 to 1. */
function edgesOf(path) {
  if (path.edges === undefined) {
    if (path.kind === "line") return (path.edges = path.x);
    path.edges = new Float64Array(path.x.length + 2);
    path.edges.set(path.x, 1);
    path.edges[path.edges.length - 1] = 1;
  }
  return path.edges;
}

/** Integral of the loss over a part of the k-th piece: Simpson's rule is exact for degree 3. */
function partOn(path, k, a, b) {
  if (!(b > a)) return 0;
  const middle = (a + b) / 2;
  return ((b - a) * (lossOn(path, k, a) + 4 * lossOn(path, k, middle) + lossOn(path, k, b))) / 6;
}

/** The same over all of it. */
function wholeOf(path, k, a, b) {
  if (!(b > a)) return 0;
  const { p, fpr, fnr, ramps } = path;
  const middle = (a + b) / 2;
  if (path.kind === "steps" && (ramps === null || k >= ramps.length || !ramps[k])) {
    return (b - a) * lossOf(middle, p, fpr[k], fnr[k]);
  }
  const ends = lossOf(a, p, fpr[k], fnr[k]) + lossOf(b, p, fpr[k + 1], fnr[k + 1]);
  return ((b - a) * (ends + 4 * lossOn(path, k, middle))) / 6;
}

/** Integrals over all pieces before each, and over all after, so that neither end cancels. */
function totalsOf(path) {
  if (path.totals === undefined) {
    const edges = edgesOf(path);
    const count = edges.length - 1;
    const before = new Float64Array(count + 1);
    const after = new Float64Array(count + 1);
    const over = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      over[k] = wholeOf(path, k, edges[k], edges[k + 1]);
      before[k + 1] = before[k] + over[k];
    }
    for (let k = count - 1; k >= 0; k--) after[k] = after[k + 1] + over[k];
    path.totals = { before, after };
  }
  return path.totals;
}

/** Integral of the loss from a to b. */
export function integral(path, a, b) {
  const edges = edgesOf(path);
  const last = edges.length - 2;
  const first = Math.min(Math.max(countUpTo(edges, a) - 1, 0), last);
  const final = Math.min(Math.max(countBelow(edges, b) - 1, first), last);
  if (first === final) return partOn(path, first, a, b);
  const { before, after } = totalsOf(path);
  const between =
    b <= 0.5 ? before[final] - before[first + 1] : after[first + 1] - after[final];
  return partOn(path, first, a, edges[first + 1]) + between + partOn(path, final, edges[final], b);
}

/**
 * The loss as a line to draw between two conditions: jumps as vertical pairs, and of each of many
 * columns no more than its first, lowest, highest and last vertex.
 */
export function polyline(path, low, high, columns, place) {
  const { x } = path;
  const xs = [];
  const ys = [];
  const add = (c, y) => {
    const n = xs.length;
    if (n > 0 && xs[n - 1] === c && ys[n - 1] === y) return;
    xs.push(c);
    ys.push(y);
  };
  let next = countUpTo(x, low);
  const inX = [];
  const inY = [];
  add(low, lossAt(path, low));
  for (let j = 1; j <= columns; j++) {
    const end = j === columns ? high : place(j / columns);
    inX.length = inY.length = 0;
    while (next < x.length && x[next] <= end) {
      const at = x[next];
      if (path.kind === "steps") {
        inX.push(at);
        inY.push(lossOn(path, next, at));
      }
      while (next + 1 < x.length && x[next + 1] === at) next++;
      next++;
      inX.push(at);
      inY.push(lossOn(path, pieceOf(path, next), at));
    }
    if (inX.length === 0 || inX[inX.length - 1] < end) {
      inX.push(end);
      inY.push(lossOn(path, pieceOf(path, next), end));
    }
    if (inX.length > 4) for (const i of extremes(inY)) add(inX[i], inY[i]);
    else for (let i = 0; i < inX.length; i++) add(inX[i], inY[i]);
  }
  return straightened(xs, ys);
}

/** Of the vertices of a column the first, the lowest, the highest and the last. */
function extremes(values) {
  let lowest = 0;
  let highest = 0;
  for (let i = 1; i < values.length; i++) {
    if (values[i] < values[lowest]) lowest = i;
    if (values[i] > values[highest]) highest = i;
  }
  const last = values.length - 1;
  return [...new Set([0, Math.min(lowest, highest), Math.max(lowest, highest), last])];
}

const STRAIGHT = 1e-9;

/** Without the inner vertices of straight stretches. */
function straightened(xs, ys) {
  const x = [];
  const y = [];
  for (let i = 0; i < xs.length; i++) {
    const n = x.length;
    if (n > 1 && x[n - 2] < x[n - 1] && x[n - 1] < xs[i]) {
      const slope = (ys[i] - y[n - 2]) / (xs[i] - x[n - 2]);
      if (Math.abs(y[n - 2] + slope * (x[n - 1] - x[n - 2]) - y[n - 1]) < STRAIGHT) {
        x.pop();
        y.pop();
      }
    }
    x.push(xs[i]);
    y.push(ys[i]);
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y) };
}
