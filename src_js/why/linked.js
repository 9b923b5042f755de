// What is pointed at in cost space and in ROC space, so that each shows it of the other.
import { countUpTo } from "../curves/conditions.js";

/** {skew, point, watch, set}: a skew looked at, and a point of a model's ROC curve, or null. */
export function linkOf() {
  const watchers = [];
  const link = {
    skew: null,
    point: null,
    watch(update) {
      watchers.push(update);
    },
    set(changes) {
      Object.assign(link, changes);
      for (const update of watchers) update();
    },
  };
  return link;
}

/** The corner of a model's hull that loses least at a skew. */
export function cornerAt(hull, skew) {
  const k = countUpTo(hull.breaks, skew);
  return { fpr: hull.fpr[k], fnr: hull.fnr[k], threshold: hull.thresholds[k] };
}

/** What a point of ROC space loses at a skew, as a share of what is at stake. */
export const lossAt = (skew, { fpr, fnr }) => skew * fpr + (1 - skew) * fnr;
