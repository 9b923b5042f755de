// The decision that was made beforehand: in words, its table, and its budget.
import { byId, el, hideUnless, left, named, number, table } from "./dom.js";
import { colourClass } from "./style.js";
import {
  between,
  brief,
  count,
  methodName,
  money,
  moneyAlike,
  ruleText,
  thresholdText,
} from "./words.js";

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
const REMEDIES = {
  ranking: "a model that ranks better",
  constraints: "more capacity, or looser limits",
  miscalibration: "calibrate the scores",
  committing: "find out the costs and the prevalence, and set the threshold to them",
  "mis-set threshold": "move the threshold",
  correct_decisions: "nothing to mend",
};

export function showDecision(contents) {
  const { decision } = contents;
  if (!decision) {
    hideUnless(byId("decision"), []);
    hideUnless(byId("budget"), []);
    return;
  }
  const { condition, recommendation } = decision;
  const limits = Object.entries(condition.constraints);
  const short = decision.short_table ?? [];
  const rows = merged(short.length > 0 ? short : decision.decision_table);
  const parts = [
    el("p", { class: "headline small" }, recommendation.text),
    el(
      "p",
      { class: "hint" },
      `Decided for ${inWords(condition.costs_and_prevalence)}; methods compared on ${condition.compared_on}.`,
      limits.length > 0
        ? ` Kept to: ${limits.map(([name, limit]) => `${name.replaceAll("_", " ")} ${brief(limit)}`).join(", ")}.`
        : "",
    ),
  ];
  if (rows.length > 0) {
    const several = rows.some(({ prevalence_low: low }) => low !== undefined);
    parts.push(
      el(
        "h3",
        {},
        `Which model and threshold to use where: ${count(rows.length)} ${rows.length === 1 ? "row" : "rows"}`,
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
            { content: named(row.model ?? "\u2013"), className: "text" },
            { content: methodName(row.method), className: "text" },
            { content: row.rule, className: "text rule" },
          ]),
      }),
      short.length > 0
        ? el(
            "p",
            { class: "hint" },
            "A model is kept while it loses at most 1\u00a0% more than the best.",
          )
        : "",
      rows.length > MOST_ROWS
        ? el("p", { class: "hint" }, `and ${count(rows.length - MOST_ROWS)} rows more`)
        : "",
    );
  }
  for (const gap of decision.infeasible ?? []) {
    parts.push(
      el(
        "p",
        {},
        `Nothing is feasible at prevalence ${between([gap.prevalence_low, gap.prevalence_high])}: ${gap.reason}`,
      ),
    );
  }
  if (decision.never_best?.length > 0) {
    parts.push(el("p", { class: "hint" }, `Never best: ${decision.never_best.join(", ")}.`));
  }
  hideUnless(byId("decision"), parts);
  hideUnless(byId("budget"), budgets(decision));
}

/** What a decision is for: conditions come as they are written in code. */
function inWords(conditions) {
  const stated = /^Deployment\((.*)\)$/.exec(conditions)?.[1] ?? conditions;
  return stated.replace(/(\w+)=/g, (_, name) => `${STATED[name] ?? name.replaceAll("_", " ")} `);
}

/** Neighbouring rows of the same model and method as one, with the thresholds that it spans. */
function merged(rows) {
  const found = [];
  for (const row of rows) {
    const [low, high] = [
      thresholdOf(row, "threshold", "flags"),
      row.threshold_at_high ?? thresholdOf(row, "threshold", "flags"),
    ];
    const span = [Math.min(low, high), Math.max(low, high)];
    const last = found[found.length - 1];
    const same = ["model", "method", "prevalence_low", "prevalence_high"];
    if (last && last.skew_high === row.skew_low && same.every((name) => last[name] === row[name])) {
      last.skew_high = row.skew_high;
      last.span = [Math.min(last.span[0], span[0]), Math.max(last.span[1], span[1])];
      last.only = null;
    } else {
      found.push({ ...row, span, only: row });
    }
  }
  return found.map((row) => ({ ...row, rule: decisionRule(row) }));
}

function thresholdOf(row, name, flags) {
  if (row[name] !== null && row[name] !== undefined) return row[name];
  return row[flags] === "flag_all" ? -Infinity : Infinity;
}

function decisionRule({ span: [low, high], only }) {
  if (only && low === high) {
    const threshold2 = only.mix === undefined ? null : thresholdOf(only, "threshold_2", "flags_2");
    return ruleText({ threshold: low, threshold2, mix: only.mix ?? 1 });
  }
  return low === high
    ? ruleText({ threshold: low })
    : `flag scores above ${thresholdText(low)} to ${thresholdText(high)}`;
}

function budgets({ budget }) {
  const known = Object.entries(budget ?? {}).flatMap(([name, kinds]) =>
    ["reacting", "committing"].flatMap((kind) =>
      kinds[kind] ? [{ name, kind, ...kinds[kind] }] : [],
    ),
  );
  const most = Math.max(...known.map(({ total }) => total), 0);
  const models = Object.keys(budget ?? {});
  const shown = moneyAlike(known.flatMap(({ parts }) => Object.values(parts)));
  return known.map(({ name, kind, parts, total }) =>
    el(
      "figure",
      { class: "budget" },
      el(
        "figcaption",
        {},
        el("b", {}, name),
        kind === "reacting" ? ", thresholds that trust its scores: " : ", the threshold 0.5: ",
        number(total, money(total)),
        " per 1,000 cases",
      ),
      el(
        "dl",
        { class: "bars" },
        Object.entries(parts)
          .filter(([, amount]) => Math.abs(amount) > 0)
          .map(([part, amount]) => {
            const bar = el("span", { class: `bar ${colourClass(models.indexOf(name))}` });
            bar.style.setProperty("--share", String(most > 0 ? Math.max(amount, 0) / most : 0));
            return el(
              "div",
              {},
              el(
                "dt",
                {},
                PARTS[part] ?? part,
                REMEDIES[part] ? el("small", {}, REMEDIES[part]) : null,
              ),
              el(
                "dd",
                {},
                el("span", { class: "track", "aria-hidden": "true" }, bar),
                number(amount, shown(amount)),
              ),
            );
          }),
      ),
    ),
  );
}
