// Operating conditions: cost proportion, skew and PC(+), and the mean of what is known in ranges.
import { costFromSkew, costProportion, skewFromCost } from "./engine/conditions.js";
import { Known } from "./engine/laws.js";

export { skewFromCost };

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

/** The condition that stands for what is known, and the ranges of cost proportion and skew. */
export function conditionOf({ fpCost, fnCost, prevalence }) {
  const { meanA, meanB, meanP: p } = new Known({ fpCost, fnCost, prevalence });
  const c = costProportion(meanA, meanB);
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
