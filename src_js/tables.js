// What was computed beforehand: metrics with intervals, the decision, its table and budget, notes.
import { byId, el, named, number, table } from "./dom.js";
import { colourClass } from "./style.js";
import {
  between,
  brief,
  count,
  exact,
  inOrder,
  methodName,
  METRICS,
  money,
  moneyAlike,
  percent,
  ruleText,
  thresholdText,
} from "./words.js";

const MOST_ROWS = 500;
const LOSS_AXES = { cost: "cost axis", skew: "skew axis" };
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

export function showMetrics(contents) {
  const { models } = contents;
  const names = models.map(({ name }) => named(name));
  const level = models.find(({ intervals }) => intervals?.level)?.intervals.level;
  const rows = Object.keys(models[0].metrics ?? {}).map((metric) => {
    const [label, better] = METRICS[metric] ?? [metric, null];
    return [
      { content: [label, arrow(better)] },
      ...numbers(models, better, (model) => [
        model.metrics[metric],
        model.intervals?.[metric],
        model.notes?.[metric],
      ]),
    ];
  });
  const parts = [];
  if (rows.length > 0) {
    parts.push(
      table({
        caption: "Metrics of each model",
        head: ["Metric", ...names],
        rows,
        className: "intervals",
      }),
    );
  }
  for (const [axis, label] of Object.entries(LOSS_AXES)) {
    const methods = Object.keys(models[0].expected_loss?.[axis] ?? {});
    if (methods.length === 0) continue;
    parts.push(
      el("h3", {}, `Expected loss on the ${label}, conditions ${contents.costs}`),
      table({
        caption: `Expected loss on the ${label}`,
        className: "intervals",
        head: ["Threshold set by", ...models.map(({ name }) => named(name))],
        rows: inOrder(methods).map((method) => [
          // Evaluations trust scores as they are.
          methodName(method === "score_driven" ? "score_driven_uncorrected" : method),
          ...numbers(models, "down", (model) => [
            model.expected_loss[axis][method],
            model.intervals?.expected_loss?.[axis]?.[method],
            model.notes?.[`expected_loss.${axis}.${method}`],
          ]),
        ]),
      }),
    );
  }
  if (level !== undefined) {
    parts.push(
      el(
        "p",
        { class: "hint" },
        `Below each number: its ${percent(level)} interval, as the notes explain it.`,
      ),
    );
  }
  hideUnless(byId("metrics"), parts);
}

/** The cells of a row: numbers with their intervals, the best of several in bold. */
function numbers(models, better, find) {
  const found = models.map(find);
  const known = found
    .map(([value]) => value)
    .filter((value) => value !== null && value !== undefined);
  const best =
    models.length < 2 || known.length === 0 || better === null
      ? null
      : better === "up"
        ? Math.max(...known)
        : Math.min(...known);
  return found.map(([value, interval, note]) => ({
    className: value !== null && value === best ? "best" : null,
    content: [
      value === null || value === undefined
        ? el("span", { title: note ?? null }, "\u2013")
        : number(value, exact(value)),
      interval ? el("small", {}, ends(interval)) : null,
    ],
  }));
}

function ends({ low, high, method }) {
  return method === "upper bound"
    ? `up to ${high.toFixed(4)}`
    : `${low.toFixed(4)} to ${high.toFixed(4)}`;
}

function arrow(better) {
  if (better === null) return null;
  const [sign, said] =
    better === "up" ? ["\u2191", "larger is better"] : ["\u2193", "smaller is better"];
  return el("span", { class: "arrow", title: said, role: "img", "aria-label": said }, sign);
}

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
      `Decided for ${condition.costs_and_prevalence}; methods compared on ${condition.compared_on}.`,
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

function left(content) {
  return { content, className: "text" };
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
        kind === "reacting" ? ", thresholds that trust its scores: " : ", one threshold: ",
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

export function showNotes(contents) {
  const { source, models } = contents;
  const facts = [
    ["Data", source.path ?? "arrays in memory"],
    [
      "Rows",
      `${count(source.rows)}: ${count(source.negatives)} negative, ${count(source.positives)} positive` +
        (source.weighted ? ", weighted" : ""),
    ],
    ["Prevalence in the data", brief(contents.prevalence)],
    ["Prevalence of the tables of metrics", brief(contents.condition.prevalence)],
    ...["label", "weight", "groups"].flatMap((name) =>
      contents[name] ? [[`Column of ${name}${name === "label" ? "s" : ""}`, contents[name]]] : [],
    ),
    ["Models", models.map(({ name }) => name).join(", ")],
    ["Made with", `costspace ${contents.version}`],
    ...models.flatMap(({ name, cuts, distinct, tolerance }) =>
      tolerance > 0
        ? [
            [
              `Cuts of ${name}`,
              `${count(cuts)} of ${count(distinct)}: rates between them are off by at most ${tolerance.toPrecision(2)}`,
            ],
          ]
        : [],
    ),
  ];
  const list = (title, texts) =>
    texts?.length > 0
      ? [
          el("h3", {}, title),
          el(
            "ul",
            {},
            texts.map((text) => el("li", {}, text)),
          ),
        ]
      : [];
  const missing = models.flatMap(({ name, notes }) =>
    [...new Set(Object.values(notes ?? {}))].map((note) => `${name}: ${note}`),
  );
  byId("notes").append(
    el(
      "dl",
      { class: "facts" },
      facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
    ),
    ...list("Assumptions", contents.assumptions),
    ...list("Notes", [...(contents.notes ?? []), ...missing]),
    el("h3", {}, "How to read this page"),
    el(
      "ul",
      {},
      el(
        "li",
        {},
        "A case is flagged if its score is above the threshold. Costs are those of a mistake: correct decisions cost nothing.",
      ),
      el(
        "li",
        {},
        "Loss at cost proportion c and prevalence p is 2 (c (1 \u2212 p) FPR + (1 \u2212 c) p FNR); on the skew axis z it is z FPR + (1 \u2212 z) FNR.",
      ),
      el(
        "li",
        {},
        "Of a range of costs every order of magnitude is as likely as another, of a range of prevalence every stretch of log-odds; all three are independent.",
      ),
      el(
        "li",
        {},
        "Curves are drawn from each class\u2019s rates, so that another prevalence changes them and not the ROC curve.",
      ),
    ),
  );
}

function hideUnless(container, parts) {
  container.append(...parts);
  container.closest("section").hidden = parts.length === 0;
}
