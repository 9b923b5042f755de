// The decision that was made beforehand: in words, its table, and its budget.
import { bars } from "./bars.js";
import { byId, el, hideUnless, hint, left, named, number, table } from "./dom.js";
import { colourClass } from "./style.js";
import { thresholdOf } from "./engine/rule.js";
import { between, brief, count, money, moneyAlike, ruleText, thresholdText } from "./words.js";

const MOST_ROWS = 500;
const STATED = { fp_cost: "false positives at", fn_cost: "false negatives at" };
const PARTS = {
  ranking: "Ranking",
  constraints: "Constraints",
  miscalibration: "Miscalibration",
  committing: "One threshold for all conditions",
  "mis-set threshold": "A threshold off its best",
  correct_decisions: "Correct decisions",
};

export function showDecision({ decision }) {
  hideUnless(byId("decision"), decision ? parts(decision) : []);
  hideUnless(byId("budget"), decision ? budgets(decision) : []);
}

function parts(decision) {
  const { condition, recommendation, infeasible, never_best: never } = decision;
  const limits = Object.entries(decision.limits).map(
    ([name, limit]) => `${name.replaceAll("_", " ")} ${brief(limit)}`,
  );
  return [
    el("p", { class: "headline small" }, recommendation.text),
    hint(
      `Decided for ${inWords(condition.costs_and_prevalence)}; strategies compared on ${condition.compared_on}.`,
      limits.length > 0 ? ` Kept to: ${limits.join(", ")}.` : "",
    ),
    ...decisionTable(decision),
    ...infeasible.map((gap) =>
      el(
        "p",
        {},
        `Nothing is feasible at prevalence ${between([gap.prevalence_low, gap.prevalence_high])}: ${gap.reason}`,
      ),
    ),
    ...(never.length > 0 ? [hint(`Never best: ${never.join(", ")}.`)] : []),
  ];
}

/** What a decision is for: conditions come as they are written in code. */
function inWords(conditions) {
  const stated = /^Deployment\((.*)\)$/.exec(conditions)?.[1] ?? conditions;
  return stated.replace(/(\w+)=/g, (_, name) => `${STATED[name] ?? name.replaceAll("_", " ")} `);
}

/** The short table, if anything is feasible, with what there is to say of it. */
function decisionTable({ short_table: short, labels }) {
  const rows = merged(short);
  if (rows.length === 0) return [];
  const several = rows.some(({ prevalence_low: low }) => low !== undefined);
  const leftOut = rows.length - MOST_ROWS;
  return [
    el(
      "h3",
      {},
      `Which model and threshold to use where, if costs and prevalence are known at each decision: ${count(rows.length)} ${rows.length === 1 ? "row" : "rows"}`,
    ),
    table({
      caption: "Decision table, by skew",
      className: "long",
      head: [
        "Skew",
        ...(several ? ["Prevalence"] : []),
        ...["Model", "Threshold set by", "Rule"].map(left),
      ],
      rows: rows
        .slice(0, MOST_ROWS)
        .map((row) => [
          between([row.skew_low, row.skew_high]),
          ...(several ? [between([row.prevalence_low, row.prevalence_high])] : []),
          left(named(row.model ?? "\u2013")),
          left(labels[row.choice]),
          { content: row.rule, className: "text rule" },
        ]),
    }),
    hint("A model is kept while it loses at most 1\u00a0% more than the best."),
    ...(leftOut > 0 ? [hint(`and ${count(leftOut)} rows more`)] : []),
  ];
}

/** Neighbouring rows of the same strategy as one, with the rules of both ends of each. */
function merged(rows) {
  const found = [];
  for (const row of rows) {
    const rules = [row.rule, row.rule_at_high ?? row.rule];
    const last = found[found.length - 1];
    const same = ["model", "choice", "prevalence_low", "prevalence_high"];
    if (last && last.skew_high === row.skew_low && same.every((name) => last[name] === row[name])) {
      last.skew_high = row.skew_high;
      last.rules.push(...rules);
    } else {
      found.push({ ...row, rules });
    }
  }
  return found.map((row) => ({ ...row, rule: rulesText(row.rules) }));
}

/** What the one rule does that there is, or the thresholds that several span. */
function rulesText(rules) {
  const texts = [...new Set(rules.map(ruleText))];
  if (texts.length === 1) return texts[0];
  const thresholds = rules.map(thresholdOf);
  const [low, high] = [Math.min(...thresholds), Math.max(...thresholds)];
  if (low < high && !thresholds.includes(null)) {
    return `flag scores above ${thresholdText(low)} to ${thresholdText(high)}`;
  }
  return `${texts[0]}; changing to ${texts[texts.length - 1]}`;
}

function budgets({ budget, remedies }) {
  const known = Object.entries(budget).flatMap(([name, kinds], i) =>
    ["reacting", "committing"].flatMap((kind) =>
      kinds[kind] ? [{ name, i, kind, ...kinds[kind] }] : [],
    ),
  );
  const most = Math.max(...known.map(({ total }) => total), 0);
  const shown = moneyAlike(known.flatMap((one) => Object.values(one.parts)));
  return known.map((one) =>
    el(
      "figure",
      { class: "budget" },
      el(
        "figcaption",
        {},
        el("b", {}, one.name),
        one.kind === "reacting" ? ", thresholds that trust its scores: " : ", the threshold 0.5: ",
        number(one.total, money(one.total)),
        " per 1,000 cases",
      ),
      bars(
        Object.entries(one.parts)
          .filter(([, amount]) => amount !== 0)
          .map(([part, amount]) => ({
            label: [PARTS[part], el("small", {}, remedies[part])],
            amount,
            text: shown(amount),
            share: most > 0 ? Math.max(amount, 0) / most : 0,
            className: colourClass(one.i),
          })),
      ),
    ),
  );
}
