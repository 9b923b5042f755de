// What the threshold under the handle does, against what the recommended rule does.
import { el, named, number, table } from "../dom.js";
import { estimated, plainly, priced } from "../words/figures.js";
import { toldRule } from "./pairs.js";
import { toldThreshold } from "./thresholds.js";
import { VARIES, ruleText } from "../words/words.js";
import { pick } from "../drawing/framing.js";

const COUNTS = [
  ["flagged", "Flagged"],
  ["tp", "True positives"],
  ["fn", "False negatives"],
  ["fp", "False positives"],
];

const REVIEWED = [
  ["reviewed", "Reviewed"],
  ["found", "Positives reviewed"],
];

// Narrower than this, in pixels, amounts with a currency or of a year have rows instead of columns.
const WIDE = 640;

/** Returns what draws it anew. */
export function showTrying(container, report, state, factsNow, frameNow) {
  const models = report.models.map(({ name }, i) => [String(i), name]);
  const model = pick("Threshold of", models, "0", (i) => {
    const facts = factsNow();
    state.set({ threshold: { model: Number(i), at: facts.usual(Number(i)) } });
  });
  const back = el(
    "button",
    { type: "button", onclick: () => state.set({ threshold: null }) },
    "Back to the recommended",
  );
  const bar = el("div", { class: "slide" }, models.length > 1 ? model.element : null, back);
  const place = el("div", { class: "trying" });
  container.append(bar, place);
  return () => {
    const facts = factsNow();
    if (facts === null) return;
    model.select.value = String(facts.shown.i);
    back.disabled = !facts.shown.tried;
    place.replaceChildren(compared(facts, report, state.values, frameNow()));
  };
}

function compared(facts, report, { currency, volume }, frame) {
  const { shown, chosen } = facts;
  const given = recommended(facts);
  const columns = columnsOf(volume, facts.reviews);
  const row = (label, one) => [
    label,
    ...columns.map(([name, , price, times]) => {
      const text = price ? costOf(one, times, currency) : (one.said?.[name] ?? plainly(one[name]));
      return number(times * one[name], text);
    }),
  ];
  const rows = [row(["Recommended ", small(ruleOf(report, chosen))], given)];
  if (shown.tried) {
    const model = report.models[shown.i];
    rows.unshift(
      row(["Tried ", small(named(model.name), ...triedOf(model, shown.thresholds))], shown),
    );
    rows.push([
      "Difference ",
      ...columns.map(([name, , price, times]) =>
        difference(times * (shown[name] - given[name]), price, currency),
      ),
    ]);
  }
  const grid = [["Per 1,000 cases", ...columns.map(([, label]) => label)], ...rows];
  const long = currency !== "" || volume !== null || facts.reviews;
  const upright = frame.narrow() || (long && frame.full < WIDE);
  const [head, ...body] = upright ? grid[0].map((_, k) => grid.map((row) => row[k])) : grid;
  const caption = "What the threshold under the handle does";
  return el(
    "div",
    {},
    table({ caption, head, rows: body, className: "trying" }),
    el("p", { class: "hint" }, basis(shown, chosen)),
  );
}

/** A cost, which is as fine as its interval where it has one. */
function costOf({ money, low, high }, times, currency) {
  if (!(low < high)) return priced(plainly(times * money), currency);
  const [value, ...ends] = [money, low, high].map((x) => times * x);
  return estimated({ value, low: ends[0], high: ends[1] }, currency).value;
}

function basis({ tried, thresholds: { length: many } }, { thresholds }) {
  const invitation = tried
    ? ""
    : many > 1
      ? "Drag a handle, or move it with the arrow keys, to try other thresholds. "
      : "Drag the handle, or move it with the arrow keys, to try another threshold. ";
  if (thresholds === null) return `${invitation}The recommended is that of the answer, its cost held-out.`;
  const differs = tried ? " The threshold tried costs as much, but for what differs on all rows." : "";
  return `${invitation}Counts are on all rows. The cost of the recommended is held-out, as in the answer.${differs}`;
}

const NO_REVIEW = { positive: { value: 0 }, negative: { value: 0 } };

const small = (...parts) => el("small", {}, ...parts);

function columnsOf(volume, reviews) {
  const counts = reviews ? [...COUNTS, ...REVIEWED] : COUNTS;
  return [
    ...counts.map((column) => [...column, false, 1]),
    ["money", "Cost", true, 1],
    ...(volume ? [["money", `Cost of ${plainly(volume)} cases`, true, volume / 1000]] : []),
  ];
}

/** What the recommended rule does, with its held-out cost, all as the answer has it. */
function recommended({ chosen, decision }) {
  const { money, low, high } = chosen;
  const { model, choice } = decision.recommendation;
  const own = decision.strategies.find((one) => one.model === model && one.choice === choice);
  // Where nothing keeps to the limits nothing is recommended.
  const none = { flagged: NaN, tp: NaN, fn: NaN, fp: NaN, reviewed: NaN, found: NaN };
  if (!own) return { ...none, money, low, high };
  const { flag, pass, review = NO_REVIEW } = own.outcomes;
  const [tp, fn, fp, found] = [flag.positive, pass.positive, flag.negative, review.positive];
  const counts = { tp, fn, fp, found };
  const of = (as) => Object.fromEntries(Object.entries(counts).map(([name, one]) => [name, as(one)]));
  const [flagged, reviewed] = [tp.value + fp.value, found.value + review.negative.value];
  const said = of((one) => estimated(one).value);
  return { flagged, reviewed, ...of(({ value }) => value), said, money, low, high };
}

function ruleOf(report, { i, thresholds, rule }) {
  if (rule === null) return VARIES;
  const does = number(thresholds?.at(-1) ?? null, ruleText(rule));
  return i === null ? does : [named(report.models[i].name), ": ", does];
}

function triedOf(model, thresholds) {
  const t = thresholds.at(-1);
  if (thresholds.length > 1) return [": ", number(t, toldRule(model, thresholds))];
  if (Number.isFinite(t)) return [" above ", number(t, toldThreshold(model, t))];
  return [t > 0 ? ": flags nobody" : ": flags everybody"];
}

function difference(x, price, currency) {
  if (Math.abs(x) < 5e-7) return number(x, "none");
  const text = price ? priced(plainly(Math.abs(x)), currency) : plainly(Math.abs(x));
  return number(x, `${text} ${x > 0 ? "more" : "less"}`);
}
