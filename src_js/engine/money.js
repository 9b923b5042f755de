// Expected money per 1,000 cases of a model under a threshold choice that sees each condition.

import { countBelow, countUpTo, expit, logit } from "./conditions.js";
import { between, integrate } from "./laws.js";
import { pointAt } from "./paths.js";

const CASES = 1000;
const BALANCED = 0.5;
// Nodes over a cell of scores that are left out: Gauss and Legendre's rule of two.
const OFF = Math.sqrt(1 / 3) / 2;
// Blocks narrower than this are a point.
const NARROW_BLOCK = 1e-7;
// Kinks over the prevalence are split at, one by one, if that takes no more looks at blocks. Of more,
// each is small: panels this wide, in log-odds, leave an error below 10^-6; twice as wide where
// there are many scores, or where some are left out, which leaves more.
const MOST_LOOKS = 1e5;
const FEW = 1000;
const PANEL = 0.5;
const MANY = 2000;

export function money(model, choice, known) {
  return CASES * loss(model, choice, known);
}

function loss(model, choice, known) {
  const { meanA, meanB, meanP, meanQ, meanPQ } = known;
  const { path, through_skew: bySkew } = choice;
  switch (path) {
    case "point": {
      const [fpr, fnr] = model.stored.points[choice.name];
      return meanQ * meanA * fpr + meanP * meanB * fnr;
    }
    case "every share": {
      const misranked = 1 - model.stored.auc;
      const negatives = (meanQ - meanPQ) / 2 + meanPQ * misranked;
      const positives = (meanP - meanPQ) / 2 + meanPQ * misranked;
      return meanA * negatives + meanB * positives;
    }
    case "share":
      return rateDriven(model, choice, known);
  }
  if (known.costsAreKnown && (known.prevalenceIsKnown || !bySkew)) {
    // One condition: the skew, or the cost proportion.
    const skew = 1 / (1 + (meanP * meanB) / (meanQ * meanA));
    const point = pointAt(model.path(choice, BALANCED), bySkew ? skew : known.c);
    return meanQ * meanA * point.fpr + meanP * meanB * point.fnr;
  }
  if (path === "hull") return risk(cornersOf(model), 0, known.bySkew);
  const nodes = nodesOf(model);
  if (bySkew) return risk(nodes, logit(1 - model.own), known.bySkew);
  return risk(nodes, 0, known.byCost, meanQ, meanP);
}

/** Where, in log-odds of the skew, the optimal thresholds change, and the rates before and after. */
function cornersOf(model) {
  return model.once("_corners", () => {
    const { breaks, fpr, fnr } = model.hull;
    return { at: breaks.map(logit), fpr, fnr };
  });
}

/** Where, in log-odds of the score, shares of each class cease to be flagged. */
function nodesOf(model) {
  return model.once("_nodes", () => {
    const { scores, fpr, fnr, ramps, bends } = model;
    let size = scores.length;
    if (ramps !== null) for (const ramp of ramps) size += ramp;
    const nodes = {
      at: new Float64Array(size),
      fpr: new Float64Array(size + 1),
      fnr: new Float64Array(size + 1),
    };
    nodes.fpr[0] = 1;
    let n = 0;
    for (let k = 0; k < scores.length; k++) {
      let score = scores[k];
      if (ramps !== null && ramps[k]) {
        const width = score - scores[k - 1];
        // Shares of the two nodes that have the mean of the ramp.
        nodes.at[n++] = logit(score - width * (0.5 + OFF));
        nodes.fpr[n] = fpr[k] + (0.5 + bends[0][k] / (12 * OFF)) * (fpr[k + 1] - fpr[k]);
        nodes.fnr[n] = fnr[k] + (0.5 + bends[1][k] / (12 * OFF)) * (fnr[k + 1] - fnr[k]);
        score -= width * (0.5 - OFF);
      }
      nodes.at[n++] = logit(score);
      nodes.fpr[n] = fpr[k + 1];
      nodes.fnr[n] = fnr[k + 1];
    }
    return nodes;
  });
}

/** What all examples risk: those between the ends of the conditions are looked at one by one. */
function risk({ at, fpr, fnr }, shift, law, perNegative = 1, perPositive = 1) {
  const first = countUpTo(at, law.low - shift);
  const last = countBelow(at, law.high - shift);
  let negatives = law.allNegative * fpr[last];
  let positives = law.allPositive * fnr[first];
  for (let i = first; i < last; i++) {
    const flagged = fpr[i] - fpr[i + 1];
    const missed = fnr[i + 1] - fnr[i];
    if (flagged !== 0) negatives += flagged * law.negative.at(at[i] + shift);
    if (missed !== 0) positives += missed * law.positive.at(at[i] + shift);
  }
  return perNegative * negatives + perPositive * positives;
}

function rateDriven(model, choice, known) {
  const { meanA, meanB, meanP, meanQ, odds } = known;
  if (known.costsAreKnown && known.prevalenceIsKnown) {
    const point = pointAt(model.path(choice, meanP), known.c);
    return meanQ * meanA * point.fpr + meanP * meanB * point.fnr;
  }
  if (known.costsAreKnown) return overPrevalence(model, known);
  if (known.prevalenceIsKnown) return atPrevalence(model, known, odds[0], meanP);
  const width = odds[1] - odds[0];
  const f = (w) => atPrevalence(model, known, w, expit(w));
  const ends = known.bends.map(expit);
  const rates = model.rates(meanP);
  const looks = 1 + countUpTo(rates, ends[ends.length - 1]) - countUpTo(rates, ends[0]);
  const places = looks <= FEW ? between(kinksOf(model, ends, odds), odds[0], odds[1]) : [];
  if (places.length > 0 && places.length * looks <= MOST_LOOKS) {
    let total = 0;
    for (let i = 0; i + 1 < places.length; i++) {
      total += integrate(f, [places[i], places[i + 1]], nodesFor(places[i + 1] - places[i]));
    }
    return total / width;
  }
  const panel = PANEL * (model.fpr.length > MANY ? 2 : 1) * (model.ramps === null ? 1 : 2);
  return integrate(f, [odds[0], odds[1]], 12, panel) / width;
}

/** Where the block changes that an end of the costs, or a bend between them, is in. */
function kinksOf(model, ends, odds) {
  const kinks = [];
  for (let k = 1; k + 1 < model.fpr.length; k++) {
    for (const c of ends) {
      const w = crossing(model, k, c);
      if (w > odds[0] && w < odds[1]) kinks.push(w);
    }
  }
  return kinks;
}

const nodesFor = (width) => (width < 0.05 ? 4 : width < 0.5 ? 8 : 14);

/** Money of the rate-driven choice at one prevalence, over costs that are not known. */
function atPrevalence(model, known, w, p) {
  const { fpr, fnr } = model;
  const { meanA, meanB } = known;
  const { low, high, a: tableA, b: tableB } = known.overCosts;
  const q = expit(-w);
  const rate = (k) => q * (1 - fpr[k]) + p * fnr[k];
  const last = fpr.length - 1;
  // The first block that reaches beyond the least cost proportion, and the first all above.
  const first = firstWith((k) => rate(k + 1) > low, last);
  const end = firstWith((k) => rate(k) >= high, last);
  let flagged = meanA * fpr[end];
  let missed = meanB * fnr[first];
  // From the ends of the costs on, the integrals go on in straight lines.
  let before = rate(first);
  const start = logit(Math.max(before, low));
  let a = tableA.at(start);
  let b = before < low ? meanB * (before - low) : tableB.at(start);
  for (let k = first; k < end; k++) {
    const after = rate(k + 1);
    let nextA = tableA.total;
    let nextB = tableB.total;
    if (after < high) {
      const u = logit(after);
      nextA = tableA.at(u);
      nextB = tableB.at(u);
    } else nextA += meanA * (after - high);
    const width = after - before;
    if (width > NARROW_BLOCK) {
      flagged += ((fpr[k] - fpr[k + 1]) * (nextA - a)) / width;
      missed += ((fnr[k + 1] - fnr[k]) * (nextB - b)) / width;
    } else if (width > 0) {
      const u = logit((before + after) / 2);
      flagged += (fpr[k] - fpr[k + 1]) * known.massA(u);
      missed += (fnr[k + 1] - fnr[k]) * known.massB(u);
    }
    [before, a, b] = [after, nextA, nextB];
  }
  return q * flagged + p * missed;
}

/** The least k below `count` for which a condition holds from there on, or `count`. */
function firstWith(holds, count) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The log-odds of the prevalence at which the k-th cut predicts the share c negative. */
function crossing(model, k, c) {
  const negatives = 1 - model.fpr[k];
  const positives = model.fnr[k];
  return Math.log((c - negatives) / (positives - c));
}

/** Money of the rate-driven choice at known costs: the block that c is in, and where, varies. */
function overPrevalence(model, known) {
  const { fpr, fnr } = model;
  const { meanA, meanB, odds, c } = known;
  const [low, high] = odds;
  // For each cut, the log-odds of the prevalence at which its rate is at most c.
  const reach = (k) => {
    const negatives = 1 - fpr[k];
    const positives = fnr[k];
    if (negatives <= c && positives <= c) return [low, high];
    if (negatives > c && positives > c) return [high, high];
    const at = Math.min(Math.max(crossing(model, k, c), low), high);
    return negatives <= c ? [low, at] : [at, high];
  };
  let total = 0;
  let [from, to] = reach(0);
  for (let k = 0; k + 1 < fpr.length && to > from; k++) {
    const [nextFrom, nextTo] = k + 2 === fpr.length ? [high, high] : reach(k + 1);
    const empty = nextTo <= nextFrom;
    const parts = empty ? [[from, to]] : [[from, nextFrom], [nextTo, to]];
    for (const [a, b] of parts) {
      if (b > a) total += integrate((w) => onBlock(fpr, fnr, k, c, meanA, meanB, w), [a, b], nodesFor(b - a));
    }
    if (empty) break;
    [from, to] = [nextFrom, nextTo];
  }
  return total / (high - low);
}

function onBlock(fpr, fnr, k, c, a, b, w) {
  const p = expit(w);
  const q = expit(-w);
  const width = q * (fpr[k] - fpr[k + 1]) + p * (fnr[k + 1] - fnr[k]);
  const along = width > 0 ? Math.min(Math.max((c - q * (1 - fpr[k]) - p * fnr[k]) / width, 0), 1) : 0;
  return (
    q * a * (fpr[k] + along * (fpr[k + 1] - fpr[k])) + p * b * (fnr[k] + along * (fnr[k + 1] - fnr[k]))
  );
}
