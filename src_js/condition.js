// Operating conditions: cost proportion, skew and PC(+), and the mean of what is known in ranges.

import { costFromSkew, costProportion, skewFromCost } from "./engine/conditions.js";

export { costFromSkew, skewFromCost };

/** Where a cost proportion stands on an axis at a prevalence, and back. */
export function toAxis(axis, c, prevalence) {
  if (axis === "cost") return c;
  const z = skewFromCost(c, prevalence);
  return axis === "skew" ? z : 1 - z;
}

export function fromAxis(axis, x, prevalence) {
  if (axis === "cost") return x;
  return costFromSkew(axis === "skew" ? x : 1 - x, prevalence);
}

/** The two ends, at 0 and at 1, of the straight line that an operating point is on an axis. */
export function costLine(axis, { fpr, fnr }, prevalence) {
  if (axis === "cost") return [2 * prevalence * fnr, 2 * (1 - prevalence) * fpr];
  return axis === "skew" ? [fnr, fpr] : [fpr, fnr];
}

/** The mean of a cost that is log-uniform between bounds. */
export function meanCost([low, high]) {
  const width = Math.log(high / low);
  // Close bounds: the series, since the quotient loses its digits.
  return width < 1e-5 ? (low + high) / 2 : (high - low) / width;
}

/** The mean of a prevalence whose log-odds are uniform between bounds. */
export function meanPrevalence([low, high]) {
  const width = Math.log(high / (1 - high)) - Math.log(low / (1 - low));
  return width < 1e-5 ? (low + high) / 2 : Math.log((1 - low) / (1 - high)) / width;
}

/** The condition that stands for what is known, and the ranges of cost proportion and skew. */
export function conditionOf({ fpCost, fnCost, prevalence }) {
  const p = meanPrevalence(prevalence);
  const c = costProportion(meanCost(fpCost), meanCost(fnCost));
  const costs = [costProportion(fpCost[0], fnCost[1]), costProportion(fpCost[1], fnCost[0])];
  return {
    c,
    prevalence: p,
    skew: skewFromCost(c, p),
    costs,
    skews: [skewFromCost(costs[0], prevalence[1]), skewFromCost(costs[1], prevalence[0])],
    known: [fpCost, fnCost, prevalence].every(([low, high]) => low === high),
  };
}
