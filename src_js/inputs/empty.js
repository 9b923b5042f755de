// What is asked first where no costs are known: a missed positive's, in false positives.
import { el } from "../dom.js";
import { field } from "./fields.js";
import { plain } from "./shown.js";
import { COST } from "./parsing.js";
import { firstQuestion } from "../question.js";

const DOMAIN = [1, 1000];

/** The first screen without a question; it goes once there is one. */
export function emptyState(state, contents) {
  let missed = null;
  const first = field({
    id: "missed",
    label: "What does a false negative cost, in false positives?",
    hint: "If one missed positive is as bad as 20 false positives, it is 20. Not sure? A range such as 5:50 will do.",
    kind: COST,
    thumbs: { scale: "log", domain: DOMAIN },
    placeholder: "such as 20, or 5:50",
    shown: plain,
    get: () => missed,
    put: (ends) => {
      missed = ends;
    },
    wrong: (_, whether) => {
      if (whether) missed = null;
    },
  });
  const form = el(
    "form",
    { class: "first", id: "first" },
    first.element,
    el("button", { type: "submit", class: "primary" }, "Show what to do"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (missed === null) first.input.focus();
    else state.set({ question: firstQuestion(contents, missed) });
  });
  return [
    el("h2", { id: "instruction", class: "instruction" }, "One number decides which model to use, and how."),
    form,
  ];
}
