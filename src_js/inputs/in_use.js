// The rule in use: a model and the threshold above which it flags, or decisions that were made.
import { el } from "../dom.js";
import { field } from "./fields.js";
import { THRESHOLD } from "./parsing.js";

const USUAL = 0.5;

export function ruleInUse(state, contents, wrong) {
  const made = decisionsIn(contents);
  if (made !== null) return decided(made);
  const inUse = () => state.values.asked?.baseline ?? null;
  const put = (baseline) => state.set({ question: { ...state.values.asked, baseline } });
  const model = el(
    "select",
    { id: "in-use-model", "aria-label": "Model of the rule in use" },
    el("option", { value: "" }, "none"),
    contents.models.map(({ name }, i) => el("option", { value: String(i) }, name)),
  );
  const threshold = field({
    id: "in-use-threshold",
    label: "flags scores above",
    kind: THRESHOLD,
    shown: String,
    wrong,
    get: () => (inUse() === null ? null : [inUse().threshold, inUse().threshold]),
    put: (ends) => put({ ...inUse(), threshold: ends[0] }),
  });
  const follow = () => {
    const i = contents.models.findIndex(({ name }) => name === inUse()?.model);
    model.value = i < 0 ? "" : String(i);
    threshold.element.hidden = i < 0;
  };
  model.addEventListener("change", () => {
    const chosen = contents.models[Number(model.value)];
    const { threshold: before = USUAL } = inUse() ?? {};
    put(model.value === "" ? null : { model: chosen.name, threshold: before });
    follow();
    threshold.reset();
  });
  follow();
  const element = el("div", {}, model, threshold.element);
  return {
    element,
    follow: () => [follow, threshold.follow].forEach((update) => update()),
    reset: () => [follow, threshold.reset].forEach((update) => update()),
  };
}

/** The column of decisions that the page was made with, if the rule in use is one. */
export function decisionsIn({ question }) {
  const use = question?.baseline ?? null;
  return use !== null && use.threshold === null ? use.model : null;
}

/** Decisions cannot be exchanged: a page holds those that it was made with. */
function decided(name) {
  const still = () => {};
  const element = el("p", { class: "hint" }, "the decisions in column ", el("bdi", {}, name));
  return { element, follow: still, reset: still };
}
