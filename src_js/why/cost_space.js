// Cost space in money: conditions by skew, money as the stake that they share, and bands of curves.
import { scaleLinear } from "d3-scale";
import { ticksApart } from "../drawing/chart.js";
import { costFromSkew, expit, logit } from "../curves/conditions.js";
import { plainly, shortThreshold } from "../words/figures.js";
import { cornerAt, lossAt } from "./linked.js";
import { amountsOf, thresholdField } from "../threshold/thresholds.js";

// Narrower than this, or nearer to an end, conditions are shown by log-odds.
const [NARROW, NEAR] = [0.3, 0.12];
const AROUND = 0.8;
// Ticks by log-odds: 1, 2 and 5 of every power of ten, from both ends; and what one takes, in pixels.
const SMALL = [-6, -5, -4, -3, -2, -1].flatMap((power) => [1, 2, 5].map((x) => x * 10 ** power));
const TICKS = [
  ...SMALL,
  ...SMALL.slice(0, -1)
    .reverse()
    .map((x) => 1 - x),
];
const ROOM = 44;
// Of fewer than this, plain values tell more.
const FEW = 4;
const PIXELS = 2;
// Of the normal distribution, for 95 % intervals.
const Z = 1.959963984540054;

// How many times a false alarm a miss costs, as ticks have it.
const ROUNDING = 1e-9;
const TIMES = [-4, -3, -2, -1, 0, 1, 2, 3, 4].flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((x) => x * 10 ** power)).reverse();

export const AXES = {
  times: "A miss costs so many times a false alarm",
  skew: "Skew: share of the stake in false positives",
  cost: "Cost proportion: false positive \u00f7 (false positive + false negative)",
};

/** What the picture shows: conditions by skew, and money as the stake that they share. */
export function spaceOf({ decision, question }, report, { axis, wide }) {
  const { skew, prevalence, stake_per_1000: stake } = decision.condition;
  const { point, recommendation } = decision;
  return {
    stake,
    mean: skew.by_stake.mean,
    deciles: skew.by_stake.deciles,
    ends: [skew.low, skew.high],
    constant: question === null ? 0 : amountsOf(question).constant,
    chosen:
      point && recommendation.model !== null
        ? { ...point, i: indexOf(report, recommendation.model) }
        : null,
    view: viewOf([skew.low, skew.high], { axis, wide, p: prevalence.mean }),
  };
}

const indexOf = (report, name) => report.models.findIndex((model) => model.name === name);

/** The axis: what it shows, and where, of skews; by log-odds where that tells more. */
function viewOf([low, high], { axis, wide, p }) {
  const value = axis === "skew" ? (z) => z : (z) => costFromSkew(z, p);
  const skewOf = axis !== "skew" ? (c) => 1 / (1 + ((1 - c) * p) / (c * (1 - p))) : (z) => z;
  const [first, last] = [low, high].map(value);
  const narrow = last - first < NARROW || last < NEAR || first > 1 - NEAR;
  const byOdds = wide === "asked" && (narrow || axis === "times");
  if (!byOdds)
    return { axis, value, skewOf, byOdds, domain: wide === "all" ? [0, 1] : around(first, last) };
  return { axis, value, skewOf, byOdds, domain: [logit(first) - AROUND, logit(last) + AROUND] };
}

function around(first, last) {
  const room = 0.12 * (last - first);
  return [Math.max(first - room, 0), Math.min(last + room, 1)];
}

export function horizontal({ axis, value, skewOf, byOdds, domain }, width) {
  const scale = scaleLinear(domain, [0, width]);
  const [low, high] = domain;
  const plain = byOdds ? logit : (x) => x;
  const back = byOdds ? expit : (x) => x;
  return {
    scale,
    at: (z) => scale(Math.min(Math.max(plain(value(z)), low), high)),
    invert: (pixel) => skewOf(back(scale.invert(pixel))),
    ...ticksOf({ axis, byOdds, domain, plain, back, scale }),
  };
}

/** Where ticks are, and how they read: by how many times a miss costs, by log-odds, or as they come. */
function ticksOf({ axis, byOdds, domain, plain, back, scale }) {
  if (axis === "times") {
    const [low, high] = domain;
    const inside = TIMES.map((times) => plain(1 / (1 + times))).filter((u) => u >= low && u <= high);
    return { values: ticksApart(inside, scale, ROOM), text: (u) => toldTimes(back(u)) };
  }
  if (!byOdds) return {};
  return { values: oddsTicks(domain, scale), text: (u) => shortThreshold(expit(u)) };
}

/** How many times a false alarm a miss costs at a cost proportion, as a tick has it. */
function toldTimes(c) {
  const times = (1 - c) / c;
  return times >= 1 - ROUNDING ? plainly(times) : `1/${plainly(1 / times)}`;
}

/** The same in words, the dearer first. */
export function timesInWords(c) {
  const times = (1 - c) / c;
  if (times >= 1) return `a miss costs ${plainly(times)} times a false alarm`;
  return `a false alarm costs ${plainly(1 / times)} times a miss`;
}

function oddsTicks([low, high], scale) {
  const inside = TICKS.map(logit).filter((u) => u >= low && u <= high);
  const plain = scaleLinear([expit(low), expit(high)], [0, 1])
    .ticks(2 * FEW)
    .map(logit);
  return ticksApart(inside.length < FEW ? plain : inside, scale, ROOM);
}

/** The curve of each model in pixels, with its band: {i, name, money, low, high}. */
export function curvesOf(report, { stake, constant, invert }, width) {
  const pixels = Array.from({ length: Math.floor(width / PIXELS) + 1 }, (_, k) => k * PIXELS);
  const skews = pixels.map(invert);
  const money = (loss) => constant + stake * loss;
  const curves = report.models.map(({ name, hull, stored }, i) => {
    const found = skews.map((z) => bandAt(z, cornerAt(hull, z), stored.rows));
    const [low, middle, high] = [0, 1, 2].map((k) => found.map((ends) => money(ends[k])));
    return { i, name, money: middle, low, high };
  });
  return { pixels, skews, curves, straight: (point) => skews.map((z) => money(lossAt(z, point))) };
}

/**
 * A loss between the ends of its 95 % interval, of thresholds as they are and independent rows.
 *
 * Both rates vary, each by Wilson's interval: Zou and Donner (2008), Statistics in Medicine 27.
 */
function bandAt(z, { fpr, fnr }, [negatives, positives]) {
  const [fprs, fnrs] = [wilson(fpr, negatives), wilson(fnr, positives)];
  const off = (k) => Math.hypot(z * (fpr - fprs[k]), (1 - z) * (fnr - fnrs[k]));
  const loss = z * fpr + (1 - z) * fnr;
  return [loss - off(0), loss, loss + off(1)];
}

/** The 95 % interval of a share of so many rows: Wilson (1927), JASA 22. */
function wilson(share, rows) {
  const spread = Z * Math.sqrt((share * (1 - share)) / rows + Z ** 2 / (4 * rows ** 2));
  const [middle, all] = [share + Z ** 2 / (2 * rows), 1 + Z ** 2 / rows];
  return [(middle - spread) / all, (middle + spread) / all];
}

/** Each curve at the conditions where its threshold changes, as a table. */
export function exportedCurves(report, { stake, constant, ends }) {
  const [low, high] = ends;
  const money = (loss) => constant + stake * loss;
  return {
    head: ["model", "skew", "cost_per_1000", "low", "high", "threshold"],
    rows: report.models.flatMap(({ name, hull, stored }) => {
      const inner = [...hull.breaks].filter((z) => z > low && z < high);
      return [...new Set([low, ...inner, high])].map((z) => {
        const corner = cornerAt(hull, z);
        const [least, middle, most] = bandAt(z, corner, stored.rows).map(money);
        return [name, z, middle, least, most, thresholdField(corner.threshold)];
      });
    }),
  };
}
