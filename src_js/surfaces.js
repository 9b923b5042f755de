// What there is to see in three dimensions: loss over cost proportion and prevalence, and ROC surfaces.
import { skewFromCost } from "./condition.js";
import { brief, exact, methodName } from "./words.js";

/** How many cells a surface has along each side. */
export const CELLS = 26;
export const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const [LOW, HIGH] = [0.01, 0.99];
// Ticks of prevalence, which stops short of 0 and 1.
const SHARES = [0.1, 0.3, 0.5, 0.7, 0.9];

function prevalenceAt(t) {
  return LOW + (HIGH - LOW) * t;
}

/** The loss of the best of some models, and which that is, over cost proportion and prevalence. */
export function lossSurface(report, models, method) {
  const usable = models.filter((i) => report.available(i, method));
  const heights = [];
  const best = [];
  for (let i = 0; i <= CELLS; i += 1) {
    heights.push([]);
    best.push([]);
    for (let j = 0; j <= CELLS; j += 1) {
      const [c, p] = [i / CELLS, prevalenceAt(j / CELLS)];
      const trivial = Math.min(2 * c * (1 - p), 2 * (1 - c) * p);
      let [least, first] = [Infinity, null];
      for (const model of usable) {
        const loss = report.lossAt(model, method, "cost", c, p);
        if (loss < least - 1e-12) [least, first] = [loss, model];
      }
      heights[i].push(least === Infinity ? 0 : least);
      best[i].push(least < trivial - 1e-9 ? first : null);
    }
  }
  const top = Math.max(...heights.flat(), 1e-9);
  const name = usable.map((i) => report.models[i].name).join(", ");
  const title = `Loss of ${usable.length > 1 ? `the best of ${name}` : name}, ${methodName(method).toLowerCase()}, over cost proportion and prevalence`;
  return {
    heights,
    colours: best,
    top,
    title,
    summary: `It reaches ${exact(top)}. Coloured by the model that loses least; grey: none is better than flagging nobody or everybody.`,
    xLabel: "Cost proportion",
    yLabel: "Prevalence",
    yTicks: SHARES.map((p) => [(p - LOW) / (HIGH - LOW), brief(p)]),
    pin: ({ c, prevalence }) => [
      c,
      (prevalence - LOW) / (HIGH - LOW),
      Math.min(...usable.map((i) => report.lossAt(i, method, "cost", c, prevalence))),
    ],
  };
}

/** At every skew the line that supports the curve, as high as it is at each false positive rate. */
export function rocSurface(report, models) {
  const heights = Array.from({ length: CELLS + 1 }, () => []);
  const best = Array.from({ length: CELLS + 1 }, () => []);
  for (let j = 0; j <= CELLS; j += 1) {
    const z = j / CELLS;
    let [least, first] = [Infinity, null];
    for (const model of models) {
      const { fpr, fnr } = report.operatingPoint(model, "optimal", { c: z, prevalence: 0.5 });
      const loss = z * fpr + (1 - z) * fnr;
      if (loss < least - 1e-12) [least, first] = [loss, model];
    }
    for (let i = 0; i <= CELLS; i += 1) {
      const x = i / CELLS;
      // Where false positives are all that counts, the line is upright.
      const tpr = z === 1 ? 1 : 1 - (least - z * x) / (1 - z);
      heights[i].push(Math.min(Math.max(tpr, 0), 1));
      best[i].push(least < Math.min(z, 1 - z) - 1e-9 ? first : null);
    }
  }
  const name = models.map((i) => report.models[i].name).join(", ");
  return {
    heights,
    colours: best,
    top: 1,
    title: `ROC surface of ${models.length > 1 ? `the best of ${name}` : name}`,
    summary: "A classifier above it at a skew loses less there than every threshold of the curve.",
    xLabel: "False positive rate",
    yLabel: "Skew",
    yTicks: TICKS.map((t) => [t, brief(t)]),
    pin: (condition) => {
      const z = skewFromCost(condition.c, condition.prevalence);
      let [least, at] = [Infinity, null];
      for (const model of models) {
        const { fpr, fnr } = report.operatingPoint(model, "optimal", { c: z, prevalence: 0.5 });
        const loss = z * fpr + (1 - z) * fnr;
        if (loss < least) [least, at] = [loss, [fpr, z, 1 - fnr]];
      }
      return at;
    },
  };
}
