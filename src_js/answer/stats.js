// What the recommended rule costs, next to flagging nobody, everybody, and the rule in use.
import { el, number } from "../dom.js";
import { amountOf, levelOf, priced, sides, spanned, together } from "../words/figures.js";
import { FLAGGING, capital, isRecommended, recommendedIn, statedIn, timesOf } from "./decided.js";

/** Amounts per 1,000 cases; where a volume is known those of a year come first. */
export function stats(decision, values) {
  const { recommendation, trivial, baseline } = decision;
  const own = isRecommended(decision);
  const stated = statedIn(decision);
  const use = recommendedIn(decision);
  const others = Object.entries(trivial)
    .filter(([name]) => use.model !== null || name !== use.choice)
    .map(([name, money]) => ({ label: capital(FLAGGING[name]), money, one: strategyIn(decision, name) }));
  if (!own && stated.choice !== "baseline") {
    others.unshift({ label: `The best model, ${stated.model}`, money: stated.cost_per_1000, one: stated });
  }
  if (baseline && use.choice !== "baseline") {
    others.unshift({
      label: "The rule in use",
      money: baseline.cost_per_1000,
      one: baseline.broken.length > 0 ? null : baseline,
    });
  }
  const { currency } = values;
  return [
    el(
      "dl",
      { class: values.volume === null ? "stats" : "stats by-year" },
      stat({
        label: own ? "This rule" : capital(FLAGGING[use.choice]),
        money: use.cost_per_1000,
        one: use,
        className: "own",
        about: ownInterval(use, decision, values),
        across: acrossRange(recommendation.cost_range, currency),
        values,
      }),
      others.map(({ label, money, one }) =>
        stat({ label, money, one, about: against(one, values), values }),
      ),
    ),
  ];
}

function strategyIn({ strategies }, name) {
  return strategies.find(({ model, choice }) => model === null && choice === name) ?? null;
}

function ownInterval({ low, high }, decision, values) {
  if (!(high > low)) return null;
  return `${levelOf(decision)} interval ${spanned(timesOf({ low, high }, values), values.currency)}`;
}

/** What another costs more than this rule, or less, a year where that leads. */
function against(one, values) {
  if (one === null) return "not allowed within the limits";
  if (one.more === null) return null;
  const { low, high } = one.more;
  const unclear = high > low && low <= 0 && high >= 0;
  const told = sides(timesOf(one.more, values), values.currency);
  return `${unclear ? "no clear difference:" : "costs"} ${told}`;
}

/** What it costs where costs and prevalence suit it best, and where they suit it least. */
function acrossRange(range, currency) {
  if (range === null) return null;
  const shown = together(range);
  const [least, most] = range.map((money) => priced(shown(money), currency));
  return least === most ? null : `over the ranges given ${least} to ${most} per 1,000`;
}

function stat({ label, money: value, one, about, across = null, className = null, values }) {
  const { volume, currency } = values;
  const known = { value, low: one?.low, high: one?.high };
  const shown = amountOf(known, currency);
  const yearly = timesOf(known, values);
  return el(
    "div",
    { class: className },
    el("dt", {}, label),
    volume === null
      ? null
      : el("dd", { class: "yearly", title: String(yearly.value) }, `${amountOf(yearly, currency).replaceAll("\u00a0", " ")} a year`),
    el("dd", { class: "amount", title: String(value) }, number(value, shown), volume === null ? null : " per 1,000"),
    about ? el("dd", { class: "about" }, about) : null,
    across === null ? null : el("dd", { class: "across" }, across),
  );
}
