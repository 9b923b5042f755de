// The line of money over the threshold of a model, as far as a picture tells it.
import { keepsTo, moneyAt } from "./thresholds.js";

/**
 * {parts: [{points, allowed}], atBest}: points of ascending pixels, cut where limits begin or end.
 * `at(t)` is where a threshold stands. Where many cuts share a pixel, the first, the least, the
 * greatest and the last stand for them.
 */
export function moneyLine(model, { amounts, limits, best }, at) {
  const { scores, fpr, fnr, ramps } = model;
  const steps = [];
  for (let k = 0; k < fpr.length; k += 1) {
    const rates = { fpr: fpr[k], fnr: fnr[k] };
    const step = { money: moneyAt(amounts, rates), allowed: keepsTo(limits, amounts.p, rates) };
    step.from = k === 0 ? at(-Infinity) : at(scores[k - 1]);
    // Where scores are left out the line goes on to the next cut instead of jumping there.
    const slopes = ramps !== null && k > 0 && k < scores.length && ramps[k];
    step.to = slopes ? step.from : at(k < scores.length ? below(scores[k]) : Infinity);
    steps.push(step);
  }
  const atBest = best.get(model)?.threshold;
  return { parts: parts(steps), atBest: atBest === undefined ? null : at(atBest) };
}

/** Just below a score: there a threshold still flags it. */
function below(score) {
  return score - Math.abs(score) * Number.EPSILON;
}

function parts(steps) {
  const found = [];
  let current = null;
  for (const { money, allowed, from, to } of steps) {
    if (current === null || current.allowed !== allowed) {
      const joint = current === null ? [] : [current.points[current.points.length - 1]];
      current = { allowed, points: joint };
      found.push(current);
    }
    current.points.push([from, money]);
    if (to > from) current.points.push([to, money]);
  }
  return found.map(({ allowed, points }) => ({ allowed, points: thinned(points) }));
}

function thinned(points) {
  const found = [];
  let column = null;
  const flush = () => {
    if (column === null) return;
    const { first, least, greatest, last } = column;
    const order = least.k < greatest.k ? [least, greatest] : [greatest, least];
    for (const one of [first, ...order, last]) {
      if (found.length === 0 || found[found.length - 1] !== one.point) found.push(one.point);
    }
  };
  for (const [k, point] of points.entries()) {
    const pixel = Math.floor(2 * point[0]);
    const one = { k, point };
    if (column === null || column.pixel !== pixel) {
      flush();
      column = { pixel, first: one, least: one, greatest: one, last: one };
    }
    column.last = one;
    if (point[1] < column.least.point[1]) column.least = one;
    if (point[1] > column.greatest.point[1]) column.greatest = one;
  }
  flush();
  return found;
}

// How far above the cheaper of flagging nobody and everybody a chart goes at most, and below what
// share of its top its bottom is at 0.
const [ABOVE, BOTH, FROM_ZERO] = [1.35, 2.2, 0.4];

/** What of the money is shown: all that can be worth it, and both references if they are near. */
export function rangeOfMoney(lines, { references, marked }) {
  const { nobody, everybody } = references;
  const least = Math.min(...lines.map(({ best }) => best?.money ?? Infinity), nobody, everybody);
  const [cheap, dear] = [Math.min(nobody, everybody), Math.max(nobody, everybody)];
  const chosen = marked.flatMap(({ money, high }) => [money, high ?? money]);
  const span = (x) => x - Math.min(least, 0);
  let top = Math.max(ABOVE * span(cheap) + Math.min(least, 0), ...chosen);
  if (span(dear) <= BOTH * span(cheap)) top = Math.max(top, dear + 0.08 * span(dear));
  const lows = marked.flatMap(({ money, low }) => [low ?? money]);
  const low = Math.min(least, ...lows);
  const bottom = low > 0 && low < FROM_ZERO * top ? 0 : low - 0.14 * (top - low);
  return [bottom, top];
}
