// What the recommended rule costs, next to flagging nobody, everybody, and the rule in use.
import { el, number } from "../dom.js";
import { CASES, amountOf, estimated, exactly, levelOf, priced, sides, spanned, together } from "../words/figures.js";
import { FLAGGING, capital, isRecommended, statedIn } from "./decided.js";

/** Amounts per 1,000 cases, and per year where a volume is known. */
export function stats(decision, { volume, currency }) {
  const { recommendation, trivial, baseline } = decision;
  const stated = statedIn(decision);
  const { model, choice, cost_per_1000: value, low, high } = stated;
  const own = isRecommended(decision);
  const others = Object.entries(trivial)
    .filter(([name]) => model !== null || name !== choice)
    .map(([name, money]) => ({ label: capital(FLAGGING[name]), money, one: strategyIn(decision, name) }));
  if (baseline && choice !== "baseline") {
    others.unshift({
      label: "The rule in use",
      money: baseline.cost_per_1000,
      one: baseline.broken.length > 0 ? null : baseline,
    });
  }
  const ends = low === null ? null : { low, high };
  return [
    el(
      "dl",
      { class: "stats" },
      stat({
        label: own ? "This rule" : "The best model",
        value,
        ends,
        className: "own",
        about: ownInterval(stated, decision, currency),
        across: acrossRange(own ? recommendation.cost_range : null, currency),
        volume,
        currency,
        level: levelOf(decision),
      }),
      others.map(({ label, money, one }) =>
        stat({
          label,
          value: money,
          ends: one?.high > one?.low ? { low: one.low, high: one.high } : null,
          about: against(one, own, currency),
          volume,
          currency,
          level: levelOf(decision),
        }),
      ),
    ),
  ];
}

function strategyIn({ strategies }, name) {
  return strategies.find(({ model, choice }) => model === null && choice === name) ?? null;
}

function ownInterval(own, decision, currency) {
  const { low, high } = own ?? {};
  if (!(high > low)) return null;
  return `${levelOf(decision)} interval ${spanned({ low, high }, currency)}`;
}

/** What another costs more than this rule, or less; no more than that of another than this. */
function against(one, own, currency) {
  if (one === null) return "not allowed within the limits";
  if (one.more === null || !own) return null;
  const { low, high } = one.more;
  const unclear = high > low && low <= 0 && high >= 0;
  return `${unclear ? "no clear difference:" : "costs"} ${sides(one.more, currency)}`;
}

/** What it costs where costs and prevalence suit it best, and where they suit it least. */
function acrossRange(range, currency) {
  if (range === null) return null;
  const shown = together(range);
  const [least, most] = range.map((money) => priced(shown(money), currency));
  return least === most ? null : `over the ranges given ${least} to ${most}`;
}

function stat({ label, value, ends = null, about, across = null, className, volume, currency, level }) {
  const shown = amountOf({ value, ...ends }, currency);
  const yearly = (x) => (x * volume) / CASES;
  return el(
    "div",
    { class: className ?? null },
    el("dt", {}, label),
    el("dd", { class: "amount", title: String(value) }, number(value, shown)),
    about ? el("dd", { class: "about" }, about) : null,
    across === null ? null : el("dd", { class: "across" }, across),
    volume === null
      ? null
      : el("dd", { class: "yearly", title: String(yearly(value)) }, inYear(value, ends, { yearly, currency, level })),
  );
}

/** An amount of a year, with its interval. */
function inYear(value, ends, { yearly, currency, level }) {
  if (ends === null) return `${exactly(yearly(value), currency)} a year`;
  const { low, high } = ends;
  const { value: shown, interval } = estimated(
    { value: yearly(value), low: yearly(low), high: yearly(high) },
    currency,
  );
  return `${shown} a year${interval === null ? "" : ` (${level} interval ${interval})`}`;
}
