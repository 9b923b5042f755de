// What the page was made of and how, so that it can be checked later.
import { byId, el } from "../dom.js";
import { brief, count } from "../words/words.js";

const READING = [
  "A case is flagged if its score is above the threshold.",
  "Held-out rows: a threshold chosen on some of the rows is judged on the others, so the costs shown are those to expect of new cases.",
  "Within a range of costs every order of magnitude is equally likely; within a range of prevalences, every stretch of log-odds. Costs and prevalence vary independently.",
  "A gain counts as a cost below 0.",
  "Loss at cost proportion c and prevalence p is 2 (c (1 \u2212 p) FPR + (1 \u2212 c) p FNR); on the skew axis z it is z FPR + (1 \u2212 z) FNR.",
  "Curves use the rates of each class: another prevalence changes cost curves, but not the ROC curve.",
];

const COLUMNS = { label: "Label column", weight: "Weight column", groups: "Group column" };

export function showNotes(contents, state) {
  const missing = contents.models.flatMap(({ name, notes }) => {
    // A sentence that names the model itself.
    const { reversed, ...others } = notes ?? {};
    const told = [...new Set(Object.values(others))].map((note) => `${name}: ${note}`);
    return reversed ? [reversed, ...told] : told;
  });
  // What stands by the answer, or in the facts, is not said again.
  const told = contents.decision?.recommendation.warnings ?? [];
  // On paper those of the data stand above the answer, and what it assumes beside it.
  const fact = (className) => ([name, value]) =>
    el("div", { class: className }, el("dt", {}, name), el("dd", {}, value));
  const assumed = el("div", { class: "screen" });
  const assume = () =>
    assumed.replaceChildren(
      ...list("Assumptions", (state.values.decision ?? contents).assumptions),
    );
  assume();
  state.watch(["decision"], assume);
  byId("notes").append(
    el("dl", { class: "facts" }, contents.facts.map(fact("screen")), facts(contents).map(fact(null))),
    assumed,
    ...list("Notes", [...new Set([...contents.notes, ...missing])].filter((note) => !told.includes(note))),
    ...list("How to read this page", READING),
  );
}

function facts(contents) {
  const { source, models } = contents;
  const { rows, negatives, positives, weighted } = source;
  const counts = `${count(negatives)} negative, ${count(positives)} positive`;
  return [
    ["Rows", `${count(rows)}: ${counts}${weighted ? ", weighted" : ""}`],
    ["Prevalence in the data", brief(contents.prevalence)],
    ["Prevalence that metrics are for", brief(contents.condition.prevalence)],
    ...Object.keys(COLUMNS)
      .filter((name) => contents[name])
      .map((name) => [COLUMNS[name], contents[name]]),
    ["Models", models.flatMap(({ name }, i) => [i > 0 ? ", " : "", el("bdi", {}, name)])],
  ];
}

function list(title, texts) {
  if (texts.length === 0) return [];
  return [el("h3", {}, title), el("ul", {}, texts.map((text) => el("li", {}, text)))];
}
