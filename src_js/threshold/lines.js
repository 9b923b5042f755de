// The line of money over the threshold of a model, as far as a picture tells it.
import { keepsTo, moneyAt } from "./thresholds.js";

/**
 * {parts: [{points, allowed}], atBest}: points of ascending pixels, cut where limits begin or end.
 * `places` are those of the cuts. Where many share half a pixel, the first, the least, the greatest
 * and the last stand for them.
 */
export function moneyLine(model, facts, places, at) {
  const costs = facts.pairs?.get(model) ?? costsOfCuts(model, facts);
  const parts = [];
  let line = null;
  for (let k = 0; k < costs.money.length; k += 1) {
    const [money, allowed] = [costs.money[k], costs.allowed[k]];
    if (line === null || line.allowed !== allowed) {
      const before = line?.last();
      line = thinnedLine(allowed);
      if (before) line.add(...before);
      parts.push(line);
    }
    line.add(places[2 * k], money);
    if (places[2 * k + 1] > places[2 * k]) line.add(places[2 * k + 1], money);
  }
  return {
    parts: parts.map(({ allowed, points }) => ({ allowed, points: points() })),
    atBest: (facts.best.get(model)?.thresholds ?? []).map(at),
  };
}

/** What each cut of a model costs, and whether it keeps to the limits. */
function costsOfCuts({ fpr, fnr }, { steps: [amounts], limits }) {
  const limited = Object.keys(limits).length > 0;
  const rates = (k) => ({ fpr: fpr[k], fnr: fnr[k] });
  return {
    money: fpr.map((_, k) => moneyAt(amounts, rates(k))),
    allowed: Array.from(fpr, (_, k) => !limited || keepsTo(limits, amounts.p, rates(k))),
  };
}

/** Where, in pixels, each cut of a model begins and ends: two numbers a cut. */
export function placesOf({ scores, fpr, ramps }, at) {
  const found = new Float64Array(2 * fpr.length);
  for (let k = 0; k < fpr.length; k += 1) {
    found[2 * k] = k === 0 ? at(-Infinity) : at(scores[k - 1]);
    // Where scores are left out the line goes on to the next cut instead of jumping there.
    const slopes = ramps !== null && k > 0 && k < scores.length && ramps[k];
    const end = slopes ? found[2 * k] : at(k < scores.length ? below(scores[k]) : Infinity);
    found[2 * k + 1] = end;
  }
  return found;
}

/** Just below a score: there a threshold still flags it. */
function below(score) {
  return score - Math.abs(score) * Number.EPSILON;
}

/** A line that points of ascending x are added to. */
function thinnedLine(allowed) {
  const kept = [];
  let column = NaN;
  let [first, least, greatest, last] = [null, null, null, null];
  const flush = () => {
    if (first === null) return;
    const middle = least[2] < greatest[2] ? [least, greatest] : [greatest, least];
    for (const point of [first, ...middle, last]) {
      if (kept.length === 0 || kept[kept.length - 1] !== point) kept.push(point);
    }
  };
  let count = 0;
  return {
    allowed,
    last: () => last,
    add(x, money) {
      const point = [x, money, (count += 1)];
      if (Math.floor(2 * x) !== column) {
        flush();
        column = Math.floor(2 * x);
        first = least = greatest = point;
      }
      if (money < least[1]) least = point;
      if (money > greatest[1]) greatest = point;
      last = point;
    },
    points() {
      flush();
      return kept;
    },
  };
}

// How far above the cheaper of flagging nobody and everybody a chart goes at most, and below what
// share of its top its bottom is at 0.
const [ABOVE, BOTH, FROM_ZERO] = [1.35, 2.2, 0.4];
// What is far above a narrower range would be at no pixel that can be written.
const NARROWEST = 1e-9;

/** What of the money is shown: all that can be worth it, and both references if they are near. */
export function rangeOfMoney(lines, { references, marked }) {
  const amounts = Object.values(references);
  const least = Math.min(...lines.map(({ best }) => best?.money ?? Infinity), ...amounts);
  const [cheap, costly] = [Math.min(...amounts), Math.max(...amounts)];
  const chosen = marked.flatMap(({ money, high }) => [money, high ?? money]);
  const span = (x) => x - Math.min(least, 0);
  let top = Math.max(ABOVE * span(cheap) + Math.min(least, 0), ...chosen);
  if (span(costly) <= BOTH * span(cheap)) top = Math.max(top, costly + 0.08 * span(costly));
  const lows = marked.flatMap(({ money, low }) => [low ?? money]);
  const low = Math.min(least, ...lows);
  const bottom = low > 0 && low < FROM_ZERO * top ? 0 : low - 0.14 * (top - low);
  return [bottom, Math.max(top, bottom + NARROWEST * costly)];
}
