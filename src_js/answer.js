// The answer in words and numbers.
import { bars } from "./bars.js";
import { byId, el, number, table } from "./dom.js";
import { colourClass } from "./style.js";
import { between, brief, cases, money, moneyAlike, percent, ruleText } from "./words.js";

const TRIVIAL = { flag_nobody: "Flag nobody", flag_everybody: "Flag everybody" };

export function showAnswer(report, contents, state, costsNow) {
  const limited = Object.keys(contents.decision?.condition.constraints ?? {}).length > 0;
  const update = () => {
    const costs = costsNow();
    byId("answer").replaceChildren(...answer(report, costs, limited));
    byId("comparison").replaceChildren(comparison(report, costs));
    byId("confusion").replaceChildren(...confusion(report, costs));
  };
  state.watch(["condition", "models"], update);
  update();
}

function answer(report, costs, limited) {
  const { single, reacting } = costs.best;
  const { condition, trivial } = costs;
  const name = single.i === null ? null : el("b", { class: "name" }, report.models[single.i].name);
  const rule = single.i === null ? "" : ruleText(single.rule);
  const lines = [
    el(
      "p",
      { class: "headline" },
      name === null ? `${TRIVIAL[single.name]}.` : ["Use ", name, `: ${rule}.`],
    ),
  ];
  const others = [
    single.name === "flag_nobody" ? null : `${money(trivial.nobody)} when nobody is flagged`,
    single.name === "flag_everybody" ? null : `${money(trivial.everybody)} when everybody is flagged`,
  ].filter(Boolean);
  lines.push(
    el(
      "p",
      {},
      "That is expected to cost ",
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
        "Set anew each time costs and prevalence are known, thresholds cost ",
        el("b", {}, number(reacting.money, money(reacting.money))),
        ` (${report.models[reacting.i].name}, optimal): `,
        gain > 1e-9 * Math.abs(single.money)
          ? `knowing them is worth ${money(gain)} per 1,000 cases.`
          : "knowing them is worth nothing here.",
      ),
    );
  }
  lines.push(
    el(
      "p",
      { class: "hint" },
      `Cost proportion ${onAverage(condition.costs, condition.c)}; `,
      `skew ${onAverage(condition.skews, condition.skew)}. `,
      "Thresholds are chosen on the rows that they are judged on, which flatters them a little.",
      limited ? " Constraints are not kept to here: the decision below does." : "",
    ),
  );
  return lines;
}

function onAverage(ends, mean) {
  return ends[0] === ends[1] ? brief(mean) : `${between(ends)}, on average ${brief(mean)}`;
}

/** What the answer costs beside the two rules that need no model. */
function comparison(report, { best, trivial, models }) {
  const rows = [
    ...models.map(({ i, single }) => [
      report.models[i].name,
      single.money,
      colourClass(i),
      i === best.single.i,
    ]),
    ["Flag nobody", trivial.nobody, "trivial", best.single.name === "flag_nobody"],
    ["Flag everybody", trivial.everybody, "trivial", best.single.name === "flag_everybody"],
  ];
  const shown = moneyAlike(rows.map(([, amount]) => amount));
  // Beside the dearer rule without a model the others could all be nothing: its bar is cut.
  const most = Math.max(
    ...models.map(({ single }) => single.money),
    Math.min(trivial.nobody, trivial.everybody),
  );
  return bars(
    rows.map(([label, amount, colour, first]) => ({
      label,
      amount,
      text: shown(amount),
      share: most > 0 ? Math.min(amount / most, 1) : 0,
      className: `${colour}${amount > most ? " cut" : ""}`,
      best: first,
    })),
  );
}

function confusion(report, { best, condition }) {
  const { point } = best.single;
  const { tp, fp, fn, tn } = report.confusion(point, condition.prevalence);
  const shown = (value) => number(value, cases(value));
  const precision = tp + fp > 0 ? tp / (tp + fp) : null;
  return [
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
    el(
      "p",
      { class: "hint" },
      `Finds ${percent(1 - point.fnr)} of the positives and flags ${percent(point.fpr)} of the negatives; `,
      precision === null ? "flags no case." : `of the flagged, ${percent(precision)} are positive.`,
    ),
  ];
}
