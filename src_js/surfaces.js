// What there is to see in three dimensions: loss over cost proportion and prevalence, and ROC surfaces.
import { skewFromCost } from "./condition.js";
import { brief, exact } from "./words.js";

/** How many cells a surface has along each side. */
export const CELLS = 26;
export const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const [LOW, HIGH] = [0.01, 0.99];
// Ticks of prevalence, which stops short of 0 and 1.
const SHARES = [0.1, 0.3, 0.5, 0.7, 0.9];
// Less than these is rounding: of models, and of a model and the rules without one.
const [TIED, WORTHLESS] = [1e-12, 1e-9];

/** The loss of the best of some models, and which that is, over cost proportion and prevalence. */
export function lossSurface(report, models, choice) {
  const usable = models.filter((i) => report.available(i, choice));
  const lossAt = (c, p) => least(usable, (i) => report.lossAt(i, choice, "cost", c, p));
  const heights = [];
  const colours = [];
  for (let i = 0; i <= CELLS; i += 1) {
    heights.push([]);
    colours.push([]);
    for (let j = 0; j <= CELLS; j += 1) {
      const [c, p] = [i / CELLS, LOW + (HIGH - LOW) * (j / CELLS)];
      const trivial = Math.min(2 * c * (1 - p), 2 * (1 - c) * p);
      const { loss, model } = lossAt(c, p);
      heights[i].push(Number.isFinite(loss) ? loss : 0);
      colours[i].push(loss < trivial - WORTHLESS ? model : null);
    }
  }
  const top = Math.max(...heights.flat(), 1e-9);
  const share = (p) => (p - LOW) / (HIGH - LOW);
  return {
    heights,
    colours,
    top,
    title: `Loss of ${bestOf(report, usable)}, ${choice.label.toLowerCase()}, over cost proportion and prevalence`,
    summary: `It reaches ${exact(top)}. Coloured by the model that loses least; grey: none is better than flagging nobody or everybody.`,
    xLabel: "Cost proportion",
    yLabel: "Prevalence",
    yTicks: SHARES.map((p) => [share(p), brief(p)]),
    pin: ({ c, prevalence }) => [c, share(prevalence), lossAt(c, prevalence).loss],
  };
}

/** At every skew the line that supports the curve, as high as it is at each false positive rate. */
export function rocSurface(report, models) {
  const pointAt = (i, z) => report.operatingPoint(i, report.optimal, { c: z, prevalence: 0.5 });
  const lossAt = (z) =>
    least(models, (i) => {
      const { fpr, fnr } = pointAt(i, z);
      return z * fpr + (1 - z) * fnr;
    });
  const heights = Array.from({ length: CELLS + 1 }, () => []);
  const colours = Array.from({ length: CELLS + 1 }, () => []);
  for (let j = 0; j <= CELLS; j += 1) {
    const z = j / CELLS;
    const { loss, model } = lossAt(z);
    for (let i = 0; i <= CELLS; i += 1) {
      const x = i / CELLS;
      // Where false positives are all that counts, the line is upright.
      const tpr = z === 1 ? 1 : 1 - (loss - z * x) / (1 - z);
      heights[i].push(Math.min(Math.max(tpr, 0), 1));
      colours[i].push(loss < Math.min(z, 1 - z) - WORTHLESS ? model : null);
    }
  }
  return {
    heights,
    colours,
    top: 1,
    title: `ROC surface of ${bestOf(report, models)}`,
    summary: "A classifier above it at a skew loses less there than every threshold of the curve.",
    xLabel: "False positive rate",
    yLabel: "Skew",
    yTicks: TICKS.map((t) => [t, brief(t)]),
    pin: ({ c, prevalence }) => {
      const z = skewFromCost(c, prevalence);
      const { fpr, fnr } = pointAt(lossAt(z).model, z);
      return [fpr, z, 1 - fnr];
    },
  };
}

/** The least loss of some models, infinite if there are none, and the first that has it. */
function least(models, lossOf) {
  let [loss, first] = [Infinity, null];
  for (const model of models) {
    const own = lossOf(model);
    if (own < loss - TIED) [loss, first] = [own, model];
  }
  return { loss, model: first };
}

/** What a surface is of, in words. */
function bestOf(report, models) {
  const names = models.map((i) => report.models[i].name).join(", ");
  if (models.length > 1) return `the best of ${names}`;
  return models.length === 1 ? names : "no model";
}
