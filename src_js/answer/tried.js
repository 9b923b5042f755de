// The confusion table at a threshold that is tried out on the chart.
import { counted } from "./confusion.js";
import { el, hint, number } from "../dom.js";
import { CASES, plainly, priced } from "../words/figures.js";
import { thresholdCosts } from "../threshold/threshold_facts.js";
import { toldRule } from "../threshold/pairs.js";
import { toldThreshold } from "../threshold/thresholds.js";

const BACK = "Back to the recommended rule";

const both = (positive, negative) => ({ positive: { value: positive }, negative: { value: negative } });

/** Of 1,000 cases, how many are of each kind at the threshold tried, and what that costs. */
export function trial(report, state) {
  const { threshold: tried, currency } = state.values;
  const model = report.models[tried.model];
  const { at, chosen, reviews } = thresholdCosts(report, state.values);
  const { tp, fn, fp, flagged, reviewed, found, money } = at(tried.model, tried.at);
  const counts = {
    flag: both(tp, fp),
    ...(reviews ? { review: both(found, reviewed - found) } : {}),
    pass: both(fn, CASES - flagged - (reviews ? reviewed : 0) - fn),
  };
  const back = el("button", { type: "button" }, BACK);
  back.addEventListener("click", () => state.set({ threshold: null }));
  return [
    counted("Of 1,000 cases at the threshold tried, right and wrong", counts),
    el(
      "p",
      { class: "rates" },
      el("bdi", {}, model.name),
      reviews
        ? `: ${toldRule(model, tried.at)}. It costs `
        : ` flagging scores above ${toldThreshold(model, tried.at[0])} costs `,
      number(money, priced(plainly(money), currency)),
      " per 1,000 cases.",
    ),
    hint(
      chosen.thresholds === null
        ? "On all rows, not held-out: what looks best here seems better than it is."
        : "Counts are on all rows. The cost is the recommended rule's, held-out, but for what differs on all rows.",
    ),
    back,
  ];
}
