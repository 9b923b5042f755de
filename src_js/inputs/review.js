// What a review costs, and which of its decisions are right: asked for once it has a cost.
import { field } from "./fields.js";
import { COST, moneyOf, RATE } from "./parsing.js";
import { asPercent, plain } from "./shown.js";

const RATES = {
  sensitivity: ["Of positives it finds", "sensitivity of the reviewer; all if left empty"],
  specificity: ["Of negatives it passes", "specificity of the reviewer; all if left empty"],
};
const ALL = [1, 1];

const reviewIn = (state) => state.values.asked?.review ?? null;

export function reviewFields(state, wrong) {
  const rates = Object.keys(RATES).map((name) => rateField(state, name, wrong));
  return [costField(state, wrong), ...rates.map((one) => ifReviewed(state, one))];
}

/** A field that is in sight while cases may be reviewed. */
export function ifReviewed(state, one) {
  const seen = (update) => () => {
    const [before, hidden] = [one.element.hidden, reviewIn(state) === null];
    one.element.hidden = hidden;
    // What cannot be read there is asked no more.
    if (hidden && !before) one.reset();
    else update();
  };
  const made = { ...one, follow: seen(one.follow), reset: seen(one.reset) };
  made.follow();
  return made;
}

/** What one review costs: while that is empty nobody reviews, and no limit is on it. */
function costField(state, wrong) {
  return field({
    id: "review-cost",
    label: "A review costs",
    hint: "empty if nobody reviews",
    kind: moneyOf(state, COST),
    optional: true,
    placeholder: "nobody reviews",
    shown: plain,
    wrong,
    get: () => reviewIn(state)?.cost ?? null,
    put: (cost) => {
      const { review_capacity: most, ...others } = state.values.asked.limits;
      const review = cost && { sensitivity: ALL, specificity: ALL, ...reviewIn(state), cost };
      const limits = cost && most !== undefined ? { ...others, review_capacity: most } : others;
      state.set({ question: { ...state.values.asked, review, limits } });
    },
  });
}

function rateField(state, name, wrong) {
  const [label, hint] = RATES[name];
  return field({
    id: `review-${name}`,
    label,
    hint,
    kind: RATE,
    optional: true,
    placeholder: "100\u00a0%",
    shown: asPercent,
    wrong,
    get: () => {
      const own = reviewIn(state)?.[name] ?? ALL;
      return own.some((x) => x !== 1) ? own : null;
    },
    put: (ends) => {
      const { review } = state.values.asked;
      state.set({ question: { ...state.values.asked, review: { ...review, [name]: ends ?? ALL } } });
    },
  });
}
