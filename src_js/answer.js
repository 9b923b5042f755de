// The answer in words and numbers: the decision that was made on rows held out while it is asked for
// what that is for, or else what the rows say that thresholds are chosen on.
import { bars } from "./bars.js";
import { decidedAnswer, decidedComparison, decidedPoint, isDecided } from "./decided.js";
import { byId, el, hint, number, table } from "./dom.js";
import { colourClass } from "./style.js";
import { between, brief, cases, money, moneyAlike, percent, ruleText, TRIVIAL } from "./words.js";

export function showAnswer(report, contents, state, costsNow) {
  const { decision } = contents;
  const update = () => {
    const costs = costsNow();
    const decided = isDecided(decision, state);
    byId("answer").replaceChildren(
      ...(decided ? decidedAnswer(report, decision, costs) : answer(report, decision, costs)),
      conditionHint(costs),
    );
    byId("h-comparison").textContent = decided
      ? "Cost per 1,000 cases on rows held out"
      : "Cost per 1,000 cases on the same rows, one threshold each";
    byId("comparison").replaceChildren(
      comparison(decided ? decidedComparison(report, decision) : sameRows(report, costs)),
    );
    byId("confusion").replaceChildren(
      ...confusion(
        report,
        costs,
        (decided && decidedPoint(decision)) || samePoint(costs),
      ),
    );
  };
  state.watch(["condition", "models"], update);
  update();
}

function answer(report, decision, costs) {
  const { single, reacting } = costs.best;
  const { condition, trivial } = costs;
  const name = single.i === null ? null : el("b", { class: "name" }, report.models[single.i].name);
  const rule = single.i === null ? "" : ruleText(single.rule);
  const lines = [
    el(
      "p",
      { class: "headline" },
      name === null ? `${TRIVIAL[single.flagged]}.` : ["Use ", name, `: ${rule}.`],
    ),
    ...(name === null ? [] : [flattery(report, decision, single)]),
  ];
  const others = [
    single.flagged === "nobody" ? null : `${money(trivial.nobody)} when nobody is flagged`,
    single.flagged === "everybody" ? null : `${money(trivial.everybody)} when everybody is flagged`,
  ].filter(Boolean);
  lines.push(
    el(
      "p",
      {},
      name === null ? "That is expected to cost " : "On the same rows that costs ",
      el("b", {}, number(single.money, money(single.money))),
      ` per 1,000 cases, against ${others.join(" and ")}.`,
      single.i === null ? " No threshold of the models shown does better." : "",
    ),
  );
  if (!condition.known) {
    const gain = single.money - reacting.money;
    lines.push(
      el(
        "p",
        {},
        "Set anew on the same rows each time costs and prevalence are known, thresholds cost ",
        el("b", {}, number(reacting.money, money(reacting.money))),
        ` (${report.models[reacting.i].name}, optimal): `,
        gain > 1e-9 * Math.abs(single.money)
          ? `knowing them is worth ${money(gain)} per 1,000 cases.`
          : "knowing them is worth nothing here.",
      ),
    );
  }
  if (Object.keys(decision?.limits ?? {}).length > 0) {
    lines.push(hint("Constraints are not kept to here: the decision below does."));
  }
  return lines;
}

/** That a threshold is judged on the rows that it was chosen on, and what that made of another. */
function flattery(report, decision, { i }) {
  const { name } = report.models[i];
  const said = (...more) =>
    el("p", { class: "caution" }, "Chosen and judged on the same rows, which flatters it", ...more);
  if (!decision) {
    return said(": a page made with --fp-cost and --fn-cost has the decision on rows held out.");
  }
  const link = el("a", { href: "#h-decision" }, "the decision on rows held out");
  const once = decision.single[name];
  if (!once) return said("; not so ", link, ".");
  const { in_sample: same, held_out: heldOut } = once;
  return said(
    ": at the costs of ",
    link,
    `, one threshold for ${name} cost ${money(heldOut)} there, `,
    heldOut > same ? `not ${money(same)} as on the same rows.` : `and ${money(same)} on the same rows.`,
  );
}

function conditionHint({ condition }) {
  return hint(
    `Cost proportion ${onAverage(condition.costs, condition.c)}; `,
    `skew ${onAverage(condition.skews, condition.skew)}.`,
  );
}

function onAverage(ends, mean) {
  return ends[0] === ends[1] ? brief(mean) : `${between(ends)}, on average ${brief(mean)}`;
}

/** What the answer costs on the rows that it was chosen on beside the others, one threshold each. */
function sameRows(report, { best, trivial, models }) {
  return {
    strategies: models.map(({ i, single }) => ({
      label: report.models[i].name,
      amount: single.money,
      colour: colourClass(i),
      best: i === best.single.i,
    })),
    trivial: Object.entries(TRIVIAL).map(([flagged, label]) => ({
      label,
      amount: trivial[flagged],
      best: best.single.flagged === flagged,
    })),
  };
}

/** Strategies with a model beside the two rules that need none. */
function comparison({ strategies, trivial }) {
  const rows = [...strategies, ...trivial.map((row) => ({ ...row, colour: "trivial" }))];
  const shown = moneyAlike(rows.map(({ amount }) => amount));
  // Beside the dearer rule without a model the others could all be nothing: its bar is cut.
  const most = Math.max(
    ...strategies.map(({ amount }) => amount),
    Math.min(...trivial.map(({ amount }) => amount)),
  );
  return bars(
    rows.map(({ label, amount, colour, best }) => ({
      label,
      amount,
      text: shown(amount),
      share: most > 0 ? Math.min(amount / most, 1) : 0,
      className: `${colour}${amount > most ? " cut" : ""}`,
      best,
    })),
  );
}

function samePoint({ best }) {
  return { point: best.single.point, of: "On the rows that thresholds are chosen on" };
}

function confusion(report, { condition }, { point, of }) {
  const { tp, fp, fn, tn } = report.confusion(point, condition.prevalence);
  const shown = (value) => number(value, cases(value));
  const precision = tp + fp > 0 ? tp / (tp + fp) : null;
  return [
    hint(of),
    table({
      caption: "Confusion matrix per 1,000 cases",
      className: "confusion",
      head: ["Of 1,000 cases", "flagged", "not flagged", "all"],
      rows: [
        [
          "positive",
          { content: shown(tp), className: "right" },
          { content: shown(fn), className: "wrong" },
          cases(tp + fn),
        ],
        [
          "negative",
          { content: shown(fp), className: "wrong" },
          { content: shown(tn), className: "right" },
          cases(fp + tn),
        ],
        ["all", cases(tp + fp), cases(fn + tn), "1,000"],
      ],
    }),
    hint(
      `Finds ${percent(1 - point.fnr)} of the positives and flags ${percent(point.fpr)} of the negatives; `,
      precision === null ? "flags no case." : `of the flagged, ${percent(precision)} are positive.`,
    ),
  ];
}
