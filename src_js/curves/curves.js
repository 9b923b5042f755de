// The numbers of charts, from what the page stores of each model: pure functions, the same under node.
import { Model } from "./model.js";

const DOTS = 1000;

export function open(contents) {
  return new Report(contents);
}

class Report {
  constructor(contents) {
    this.models = contents.models.map((stored) => new Model(stored));
  }

  /** The ROC curve of a model, from flagging nobody to everybody, with a threshold of each point. */
  rocLine(i) {
    const model = this.models[i];
    return model.once("_roc", () => thinnedRoc(model));
  }

  /** The same without the points that a picture does not tell from a straight line. */
  rocOutline(i) {
    return this.models[i].outline;
  }
}

/** Points that a picture tells apart, the corners of the hull among them. */
function thinnedRoc(model) {
  const { fpr, fnr, hull } = model;
  const dot = (x) => Math.floor(x * DOTS);
  const last = fpr.length - 1;
  const all = fpr.length <= 2 * DOTS;
  const kept = [];
  let corner = hull.fpr.length - 1;
  let [across, up] = [-1, -1];
  for (let k = last; k >= 0; k--) {
    const isCorner = fpr[k] === hull.fpr[corner] && fnr[k] === hull.fnr[corner];
    if (isCorner) corner--;
    const [x, y] = [dot(fpr[k]), dot(fnr[k])];
    if (all || isCorner || k === 0 || x !== across || y !== up) kept.push(k);
    [across, up] = [x, y];
  }
  return {
    fpr: Float64Array.from(kept, (k) => fpr[k]),
    tpr: Float64Array.from(kept, (k) => 1 - fnr[k]),
    thresholds: Float64Array.from(kept, (k) => model.cutAfter(k)),
  };
}
