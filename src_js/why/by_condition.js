// Which model and threshold to use where, if costs and prevalence are known at each decision.
import { el, hint, left, named, table } from "../dom.js";
import { ALL_DIGITS, DIGITS, listed, plainly, shortThreshold } from "../words/figures.js";
import { isolated } from "../words/names.js";
import { span } from "../question.js";
import { withCsv } from "../answer/sharing.js";
import { brief, count, percent, ruleText, thresholdOf } from "../words/words.js";

const MOST_ROWS = 200;

/**
 * A folded table, with what is never best and where nothing is feasible; nothing for one condition.
 * Before it is known, `look` is called when somebody opens it.
 */
export function byCondition(decision, { models }, look) {
  const { short_table: short, condition } = decision;
  const spans = [condition.skew, condition.prevalence];
  if (spans.every(({ low, high }) => low === high)) return [];
  const content = short === undefined ? [unknown(decision)] : found(decision, models);
  const title = "Which model and threshold where, if costs and prevalence are known at each decision";
  return [el("details", { class: "by-condition", ontoggle: look }, el("summary", {}, title), ...content)];
}

function unknown({ failed }) {
  const text = failed === undefined ? "Finding this takes a moment." : `This could not be found: ${failed}`;
  return el("p", { class: "hint screen" }, text);
}

function found(decision, models) {
  const { short_table: short, never_best: never, infeasible, knowing_more: known } = decision;
  const names = models.map(({ name }) => name);
  const rows = merged(short);
  return [
    ...(rows.length > 0 ? [conditions(rows, decision)] : []),
    ...infeasible.map((gap) =>
      el(
        "p",
        {},
        `Nothing keeps to the limits at prevalence ${span([gap.prevalence_low, gap.prevalence_high], percent)}: `,
        isolated(gap.reason, names),
      ),
    ),
    ...(never.length > 0 ? [hint("Never best: ", isolated(listed(never), names), ".")] : []),
    ...(known === null ? [] : [el("p", {}, known)]),
  ];
}

function conditions(rows, { labels, condition }) {
  const { low, high } = condition.prevalence;
  const several = rows.some(({ prevalence_low: from }) => from !== undefined);
  const where = low === high ? ratiosAt(low) : ["Skew", ([from, to]) => span([from, to], brief)];
  const made = table({
    caption: "Which model and threshold where",
    head: [where[0], ...(several ? ["Prevalence"] : []), ...["Model", "Threshold set", "Rule"].map(left)],
    rows: rows.slice(0, MOST_ROWS).map((row) => [
      where[1]([row.skew_low, row.skew_high]),
      ...(several ? [span([row.prevalence_low, row.prevalence_high], percent)] : []),
      left(named(row.model ?? "\u2013")),
      left(labels[row.choice] ?? row.choice),
      { content: rulesText(row.rules), className: "text rule" },
    ]),
  });
  const more = rows.length - MOST_ROWS;
  return el(
    "div",
    {},
    withCsv(made, "which-model-where", csvOf(rows)),
    ...(more > 0 ? [hint(`and ${count(more)} rows more, which the CSV has`)] : []),
    hint(
      "A model is kept while it loses at most 1\u00a0% more than the best. ",
      low === high ? "" : "Skew: the cost of flagging all negatives, as a share of that plus the cost of missing all positives.",
    ),
  );
}

/** Skews at a prevalence, as how many false positives a false negative costs. */
function ratiosAt(p) {
  const ratio = (skew) => ((1 - skew) / skew) * ((1 - p) / p);
  return [
    "A false negative costs, in false positives",
    ([from, to]) => span([ratio(to), ratio(from)], (x) => (Number.isFinite(x) ? plainly(x) : "\u221e")),
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
  return found;
}

/** What the one rule does that there is, in full, or the thresholds that several span. */
function rulesText(rules, digits = DIGITS) {
  const texts = [...new Set(rules.map((rule) => ruleText(rule)))];
  if (texts.length === 1) return texts[0];
  const thresholds = rules.map(thresholdOf);
  const [low, high] = [Math.min(...thresholds), Math.max(...thresholds)];
  if (low < high && !thresholds.includes(null) && Number.isFinite(high - low)) {
    const [first, last] = [[low, high], [high, low]].map(([x, other]) => shortThreshold(x, [other], digits));
    return `flag scores above ${first} to ${last}`;
  }
  return `${texts[0]}; changing to ${texts[texts.length - 1]}`;
}

function csvOf(rows) {
  return {
    head: ["skew_low", "skew_high", "prevalence_low", "prevalence_high", "model", "choice", "rule"],
    rows: rows.map((row) => [
      row.skew_low,
      row.skew_high,
      row.prevalence_low,
      row.prevalence_high,
      row.model ?? "",
      row.choice,
      rulesText(row.rules, ALL_DIGITS),
    ]),
  };
}
