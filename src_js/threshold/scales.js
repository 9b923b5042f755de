// The axis of thresholds: scores as they are, by log-odds, or by the share of cases flagged.
import { scaleLinear } from "d3-scale";
import { ticksApart } from "../drawing/chart.js";
import { countUpTo, expit, logit } from "../curves/conditions.js";
import { placesOf } from "./lines.js";
import { sharesFlagged } from "./thresholds.js";

export const SCALES = {
  score: "linear",
  odds: "log-odds",
  rank: "share flagged",
};
// What an axis is of where there are two thresholds on it.
const REVIEWED = {
  score: "Thresholds of review and of flagging",
  odds: "Thresholds, on a scale of log-odds",
  rank: "Share of cases above the thresholds",
};
const ODDS_TICKS = [
  1e-6,
  1e-5,
  1e-4,
  0.001,
  0.01,
  0.03,
  0.1,
  0.3,
  0.5,
  0.7,
  0.9,
  0.97,
  0.99,
  0.999,
  1 - 1e-4,
  1 - 1e-5,
  1 - 1e-6,
];
const FARTHEST = 1e-7;
// The tails of scores that a scale of log-odds shows without a reason, and how few they hold.
const [COMMON_ENDS, FAR] = [1e-4, 0.01];
// Scores are crowded if so many of them lie within so small a part of their range at its ends.
const [MOST, END] = [0.6, 0.04];
// Thresholds nearer to an end of all probabilities than this are hard to see.
const NEAR = 0.04;
const COMMON = 0.3;
// What a tick takes of the axis, in pixels.
const ROOM = 46;

/** The scales that make sense for models: log-odds are those of probabilities. */
export function scalesFor(models) {
  return Object.keys(SCALES).filter(
    (kind) => kind !== "odds" || models.every(({ stored }) => stored.probabilities),
  );
}

/** The scale on which thresholds of interest are told apart best. */
export function bestScale(models, marks) {
  if (models.every(({ stored }) => stored.probabilities)) {
    const inside = marks.filter((t) => t > 0 && t < 1).sort((a, b) => a - b);
    const middle = inside[Math.floor(inside.length / 2)] ?? 0.5;
    const crowded = middle < NEAR || middle > 1 - NEAR || crowding(models, 0, 1) > MOST;
    if (crowded) return "odds";
    return spanOf(models) < END ? "rank" : "score";
  }
  const [low, high] = rangeOf(models);
  const shared = Math.min(...models.map((model) => spanOf([model]) / (high - low)));
  // Probabilities and points have no scale in common, even where ranges overlap.
  const mixed = models.some(({ stored }) => stored.probabilities);
  return mixed || shared < COMMON || crowding(models, low, high) > MOST ? "rank" : "score";
}

function rangeOf(models) {
  const ends = models.flatMap(({ scores }) => [finite(scores, 1), finite(scores, -1)]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}

function spanOf(models) {
  const [low, high] = rangeOf(models);
  return high - low;
}

/** The least or the greatest score that is finite. */
function finite(scores, step) {
  let at = step > 0 ? 0 : scores.length - 1;
  while (at > 0 && at < scores.length - 1 && !Number.isFinite(scores[at])) at += step;
  return Number.isFinite(scores[at]) ? scores[at] : 0;
}

/** The share of cases, classes as one, whose scores are at an end of a range: the mean of models. */
function crowding(models, low, high) {
  const end = END * (high - low);
  const shares = models.map((model) => {
    const below = flaggedAbove(model, low + end);
    return 1 - below + Math.max(flaggedAbove(model, high - end), 0);
  });
  return shares.reduce((a, b) => a + b, 0) / shares.length;
}

/** The share of cases above a score, both classes with the same weight. */
function flaggedAbove({ scores, fpr, fnr }, t) {
  const k = countUpTo(scores, t);
  return (fpr[k] + 1 - fnr[k]) / 2;
}

// Where cuts were when an axis was last drawn: what is typed rarely moves them.
let placed = { key: null, places: new Map() };

/** The axis: {scale, values?, text?, label, at(i, t), invert(i, pixel), places(i)}. */
export function thresholdAxis(kind, models, { width, p, marks, reviews }) {
  const axis = axisOf(kind, models, { width, p, marks });
  const key = `${kind} ${width} ${axis.scale.domain()} ${kind === "rank" ? p : ""}`;
  if (placed.key !== key) placed = { key, places: new Map() };
  const { places } = placed;
  return {
    ...axis,
    label: reviews ? REVIEWED[kind] : axis.label,
    /** Where the cuts of a model are, as `placesOf` has them. */
    places(i) {
      if (!places.has(i))
        places.set(
          i,
          placesOf(models[i], (t) => axis.at(i, t)),
        );
      return places.get(i);
    },
  };
}

function axisOf(kind, models, { width, p, marks }) {
  if (kind === "rank") return rankAxis(models, width, p);
  if (kind === "odds") return oddsAxis(models, width, marks);
  const [low, high] = models.every(({ stored }) => stored.probabilities) ? [0, 1] : rangeOf(models);
  const scale = scaleLinear([low, high], [0, width]);
  return {
    scale,
    label: "Threshold: scores above it are flagged",
    at: (_, t) => scale(Math.min(Math.max(t, low), high)),
    invert: (_, pixel) => scale.invert(pixel),
  };
}

function oddsAxis(models, width, marks) {
  const inside = (t) => Math.min(Math.max(t, FARTHEST), 1 - FARTHEST);
  const ends = models
    .flatMap(tails)
    .map((t) => Math.min(Math.max(t, COMMON_ENDS), 1 - COMMON_ENDS));
  const wider = marks.map(inside).flatMap((t) => [logit(t) - 1, logit(t) + 1]);
  const odds = [...ends.map(logit), ...wider];
  const [low, high] = [Math.min(...odds, logit(0.1)), Math.max(...odds, logit(0.9))];
  const scale = scaleLinear([low, high], [0, width]);
  return {
    scale,
    values: ticksApart(
      ODDS_TICKS.map(logit).filter((u) => u >= low && u <= high),
      scale,
      ROOM,
    ),
    text: (u) => tickText(expit(u)),
    label: "Threshold, on a scale of log-odds",
    at: (_, t) => scale(Math.min(Math.max(logit(inside(t)), low), high)),
    invert: (_, pixel) => expit(scale.invert(pixel)),
  };
}

/** A tick of a scale of log-odds. */
export function tickText(share) {
  const digits = Math.max(-Math.floor(Math.log10(Math.min(share, 1 - share)) + 1e-9), 1);
  return share.toFixed(Math.min(digits, 7));
}

/** Scores that few are below, or above, in each class. */
function tails({ scores, fpr, fnr }) {
  const first = fpr.findIndex((rate, k) => 1 - rate > FAR || fnr[k] > FAR);
  let last = fpr.length - 1;
  while (last > 0 && fpr[last - 1] < FAR && 1 - fnr[last - 1] < FAR) last -= 1;
  return [scores[Math.max(first - 1, 0)], scores[Math.min(last, scores.length - 1)]];
}

function rankAxis(models, width, p) {
  const scale = scaleLinear([1, 0], [0, width]);
  const shares = models.map((model) => sharesFlagged(model, p));
  return {
    scale,
    text: (share) => `${Math.round(100 * share)}\u00a0%`,
    label: "Share of cases flagged by the threshold",
    at: (i, t) => scale(shares[i][countUpTo(models[i].scores, t)]),
    invert: (i, pixel) => {
      const share = scale.invert(pixel);
      const k = nearestShare(shares[i], share);
      return models[i].cutAfter(k);
    },
  };
}

/** Which of descending shares is nearest to one. */
function nearestShare(shares, share) {
  let low = 0;
  let high = shares.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (shares[middle] >= share) low = middle;
    else high = middle;
  }
  return share - shares[high] < shares[low] - share ? high : low;
}
