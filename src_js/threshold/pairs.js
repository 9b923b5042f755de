// Two thresholds of a model, for three actions: what one of them costs where the other is best.
import { ruleText } from "../words/words.js";
import { ORDER, ROUNDING, digitsOf, keepsTo, moneyAt, sharesFlagged } from "./thresholds.js";

/**
 * {money, allowed, partners, best}: by cut, what it costs at least as one of two thresholds, whether
 * that keeps to the limits, and the pair of cuts that does; and the cut of the best pair, null if none
 * is allowed.
 */
export function pairsOf(model, steps, limits) {
  const within = pairsWithin(model, steps, limits);
  const free = Object.keys(limits).length === 0 ? within : pairsWithin(model, steps, {});
  const allowed = Array.from(within.money, Number.isFinite);
  const of = (k) => (allowed[k] ? within : free);
  const money = within.money.map((_, k) => of(k).money[k]);
  const least = within.money.reduce((a, b, k) => (b < within.money[a] ? k : a), 0);
  const partners = allowed.map((_, k) => of(k).partners[k]);
  return { money, allowed, partners, best: allowed[least] ? least : null };
}

function pairsWithin(model, steps, { review_capacity: most = Infinity, ...limits }) {
  const [passing, flagging] = steps.map((amounts) => (_, k) => moneyAt(amounts, ratesOf(model, k)));
  const low = model.fpr.map(passing);
  const high = model.fpr.map((rate, k) =>
    keepsTo(limits, steps[0].p, ratesOf(model, k)) ? flagging(rate, k) : Infinity,
  );
  const shares = sharesFlagged(model, steps[0].p);
  const fits = (a, b) => shares[a] - shares[b] <= most + ROUNDING;
  // Between these places, which never fall, there is room for all reviews.
  let [first, last] = [0, 0];
  const lows = leastWithin(low, (k) => {
    while (!fits(first, k)) first += 1;
    return [first, k];
  });
  const highs = leastWithin(high, (k) => {
    last = Math.max(last, k);
    while (last + 1 < shares.length && fits(k, last + 1)) last += 1;
    return [k, last];
  });
  const partners = Array.from(shares, (_, k) =>
    low[lows[k]] + high[k] <= low[k] + high[highs[k]] ? [lows[k], k] : [k, highs[k]],
  );
  return { partners, money: Float64Array.from(partners, ([a, b]) => low[a] + high[b]) };
}

const ratesOf = ({ fpr, fnr }, k) => ({ fpr: fpr[k], fnr: fnr[k] });

/** For each place, where the least of some values is between two places that never fall. */
function leastWithin(values, between) {
  const queue = [];
  let [head, next] = [0, 0];
  return Array.from(values, (_, k) => {
    const [first, last] = between(k);
    for (; next <= last; next += 1) {
      while (queue.length > head && values[queue.at(-1)] > values[next]) queue.pop();
      queue.push(next);
    }
    while (queue[head] < first) head += 1;
    return queue[head];
  });
}

/** What two thresholds do, in words, these in the fewest digits that do the same. */
export function toldRule(model, thresholds) {
  const digits = thresholds.filter(Number.isFinite).map((t) => digitsOf(model, t));
  return ruleText(ruleOf(thresholds), Math.max(0, ...digits));
}

/** The rule that has them, as a decision has its rules. */
function ruleOf([low, high]) {
  const actions = ORDER.filter((_, k) => [low > -Infinity, low < high, high < Infinity][k]);
  const cuts = [...new Set([low, high])].filter(Number.isFinite);
  return { by: "score", cuts, actions };
}
