// What is pointed at in cost space and in ROC space, so that each shows it of the other.

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
  let low = 0;
  let high = hull.breaks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hull.breaks[middle] <= skew) low = middle + 1;
    else high = middle;
  }
  return { fpr: hull.fpr[low], fnr: hull.fnr[low], threshold: hull.thresholds[low] };
}

/** What a point of ROC space loses at a skew, as a share of what is at stake. */
export const lossAt = (skew, { fpr, fnr }) => skew * fpr + (1 - skew) * fnr;
