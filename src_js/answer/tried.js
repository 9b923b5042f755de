// The confusion table at a threshold that is tried out on the chart.
import { counted } from "./confusion.js";
import { el, hint, number } from "../dom.js";
import { CASES, plainly, priced } from "../words/figures.js";
import { thresholdCosts } from "../threshold/threshold_facts.js";
import { toldThreshold } from "../threshold/thresholds.js";

const BACK = "Back to the recommended rule";

/** Of 1,000 cases, how many are of each kind at the threshold tried, and what that costs. */
export function trial(report, state) {
  const { threshold: tried, currency } = state.values;
  const model = report.models[tried.model];
  const { at, chosen } = thresholdCosts(report, state.values);
  const { tp, fn, fp, flagged, money } = at(tried.model, tried.at);
  const counts = [tp, fn, fp, CASES - flagged - fn].map((value) => ({ value }));
  const back = el("button", { type: "button" }, BACK);
  back.addEventListener("click", () => state.set({ threshold: null }));
  return [
    counted("Of 1,000 cases at the threshold tried, right and wrong", counts),
    el(
      "p",
      { class: "rates" },
      el("bdi", {}, model.name),
      ` flagging scores above ${toldThreshold(model, tried.at)} costs `,
      number(money, priced(plainly(money), currency)),
      " per 1,000 cases.",
    ),
    hint(
      chosen.t === null
        ? "On all rows, not held-out: what looks best here seems better than it is."
        : "Counts are on all rows. The cost is the recommended rule's, held-out, but for what differs on all rows.",
    ),
    back,
  ];
}
