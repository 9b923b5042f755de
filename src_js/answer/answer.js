// The first screen: what to do, how sure that is, what it costs, and its confusion table.
import { byId, el, onPaper } from "../dom.js";
import { instructionOf, isRecommended, recommendedIn, statedIn, verdictOf } from "./decided.js";
import { emptyState } from "../inputs/empty.js";
import { CASES, levelOf } from "../words/figures.js";
import { isolated } from "../words/names.js";
import { phrases, same } from "../question.js";
import { stats } from "./stats.js";
import { stayingBest } from "./staying.js";
import { openOnPaper } from "../turns.js";
import { confusion } from "./confusion.js";
import { trial } from "./tried.js";
import { count, percent } from "../words/words.js";

// How long, in milliseconds, an answer stands before it is read out.
const STEADY = 700;
// After how long it is said that one is being computed.
const LONG = 1000;

export function showAnswer(report, contents, state) {
  const page = document.documentElement;
  const hero = () => {
    const { decision } = state.values;
    page.classList.toggle("empty", decision === null);
    page.classList.toggle("nothing", decision?.recommendation.cost_per_1000 === null);
    refold(byId("hero"), decision === null ? emptyState(state, contents) : answered(contents, state.values));
    about(contents, state.values);
  };
  const names = contents.models.map(({ name }) => name);
  const below = (changed) => {
    const { decision, currency } = state.values;
    if (decision === null) return;
    if (!changed?.has("details")) refold(byId("in-full"), [inFull(decision, contents, currency)]);
    byId("knowing").textContent = knowing(decision);
    byId("staying").replaceChildren(...isolated(stayingBest(decision, state.values), names));
  };
  const counts = (changed) => {
    const { decision, threshold } = state.values;
    const trying = threshold !== null;
    if (decision === null || (trying && changed?.has("details"))) return;
    const whose = isRecommended(decision) ? "" : `, by ${statedIn(decision).model}`;
    byId("h-confusion").textContent = `Of 1,000 cases${trying ? ", at this threshold" : whose}`;
    byId("confusion").replaceChildren(
      ...(trying ? trial(report, state) : confusion(decision, state.values.currency)),
    );
  };
  // Details that follow an answer are no new answer.
  state.watch(["decision", "currency", "volume"], (changed) => changed.has("details") || hero());
  state.watch(["decision", "currency"], below);
  state.watch(["decision", "threshold", "currency"], counts);
  state.watch(["asked", "error", "wrong", "busy"], () => about(contents, state.values));
  state.watch(["busy"], sayComputing(state));
  const say = readOut(contents, state);
  state.watch(["decision", "error"], (changed) => changed.has("details") || say());
  openOnPaper(() => byId("hero").querySelector(".grounds"));
  openOnPaper(() => byId("in-full").querySelector("details"));
  hero();
  below();
  counts();
}

/** What to do, what that saves, and how sure that is: three lines; the rest is folded under "Why". */
function answered(contents, values) {
  const { decision } = values;
  const names = contents.models.map(({ name }) => name);
  const { parts, exact, long } = instructionOf(decision);
  const { saving, kind, sure, lines } = verdictOf(decision, values);
  const { warnings } = decision.recommendation;
  const said = (line) => el("p", { class: "sure" }, isolated(line, names));
  const why = [...flags(decision), ...lines.map(said), ...basis(decision)];
  return [
    el("h2", { id: "instruction", class: long ? "instruction long" : "instruction", title: exact }, parts, "."),
    saving === null ? null : el("p", { class: "saving" }, isolated(saving, names)),
    el("p", { class: `verdict ${kind}` }, isolated(sure, names)),
    ...(saving === null ? why : [el("details", { class: "grounds" }, el("summary", {}, "Why"), why)]),
    ...warnings.map((warning) => el("p", { class: "caution" }, isolated(warning, names))),
    ...amounts(decision, values),
    el("p", { id: "asked", class: "asked" }),
  ].filter((part) => part !== null);
}

/** How many cases a rule of a model flags, and reviews. */
function flags(decision) {
  const { model = null, outcomes = null } = recommendedIn(decision) ?? {};
  if (model === null || outcomes === null) return [];
  const share = ({ positive, negative }) => percent((positive.value + negative.value) / CASES);
  const reviews = outcomes.review ? ` and reviews ${share(outcomes.review)}` : "";
  return [el("p", { class: "sure" }, `It flags ${share(outcomes.flag)}${reviews} of all cases.`)];
}

/** What amounts are found on. */
function basis(decision) {
  if (decision.recommendation.cost_per_1000 === null) return [];
  const told = `Held-out: each row is judged by a threshold that other rows chose (${levelOf(decision)} intervals).`;
  return [el("p", { class: "sure" }, told)];
}

/** What it costs, unless nothing can be done. */
function amounts(decision, values) {
  if (decision.recommendation.cost_per_1000 === null) return [];
  const { cost_per_1000: cost } = recommendedIn(decision);
  const [low, high] = values.question?.fp_cost ?? [];
  const unit = values.currency === "" && low === 1 && high === 1 ? ", in false positives" : "";
  const sign = cost < 0 ? " (below 0: a gain)" : "";
  const per = values.volume === null ? "per 1,000 cases" : `a year, of ${count(values.volume)} cases`;
  return [
    el("p", { class: "per" }, `Cost ${per}${unit}${sign}, on held-out rows`),
    ...stats(decision, values),
  ];
}

/** The question that is answered, and why what was typed last is not. */
function about(contents, { question, asked, error, wrong, busy, decision, currency }) {
  const place = byId("asked");
  const stale = wrong.length > 0 || error !== null;
  document.documentElement.classList.toggle("stale", stale);
  byId("answer").setAttribute("aria-busy", String(busy));
  byId("answer").dataset.question = JSON.stringify(asked);
  if (place === null || decision === null || question === null) return;
  const told = error === null ? "" : `This has no answer: ${plainly(error)} `;
  const start = stale ? `${told}The answer shown is for: ` : "For: ";
  const anew = same(question, contents.question) ? [] : [onPaper(" Asked on this page, after it was made.")];
  place.replaceChildren(el("b", {}, start), `${phrases(question, currency).join("; ")}.`, ...anew);
}

const PARAMETERS = {
  fp_cost: "the cost of a false positive",
  fn_cost: "the cost of a false negative",
  tp_cost: "the cost of a true positive",
  tn_cost: "the cost of a true negative",
  baseline: "the rule in use",
};

/** An error with the page's own words for what the library names. */
function plainly(error) {
  const text = error.replace(/\b(fp_cost|fn_cost|tp_cost|tn_cost|baseline)\b/g, (name) => PARAMETERS[name]);
  return text[0].toUpperCase() + text.slice(1);
}

/** What knowing more would save, which is found after the answer, or why it was not. */
function knowing({ knowing_more: known, failed }) {
  return failed === undefined ? (known ?? "") : `What comes after the answer could not be found: ${failed}`;
}

/** Replaces something folded, open if it was open. */
function refold(place, parts) {
  const open = place.querySelector("details")?.open ?? false;
  const focused = document.activeElement === place.querySelector("summary");
  place.replaceChildren(...parts);
  if (focused) place.querySelector("summary")?.focus();
  for (const details of place.querySelectorAll("details")) details.open = open;
}

/** All that `costspace decide` says, sentence by sentence. */
function inFull({ recommendation, assumptions }, { models }, currency) {
  const names = models.map(({ name }) => name);
  return el(
    "details",
    { class: "full" },
    el("summary", {}, "In full, with what is assumed"),
    el("p", {}, isolated(recommendation.text, names)),
    ...(currency === "" ? [] : [el("p", {}, `Amounts are in ${currency}.`)]),
    el("ul", {}, assumptions.map((one) => el("li", {}, one))),
  );
}

/** Says that an answer is being computed, if that takes long. */
function sayComputing(state) {
  let waiting = null;
  const show = (computing) => {
    document.documentElement.classList.toggle("computing", computing);
    if (computing) byId("said").textContent = "Computing \u2026";
  };
  return () => {
    // Whoever goes on typing has waited since the first key.
    if (state.values.busy) {
      waiting ??= setTimeout(show, LONG, true);
      return;
    }
    clearTimeout(waiting);
    waiting = null;
    show(false);
  };
}

/** Tells screen readers of a new answer, once it stands. */
function readOut(contents, state) {
  let waiting = null;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const { decision, error } = state.values;
      if (decision === null) return;
      const { saving, sure } = verdictOf(decision, state.values);
      byId("said").textContent = error ?? `${instructionOf(decision).text}. ${saving ?? ""} ${sure}.`;
    }, STEADY);
  };
}
