// What is cheapest under what was typed in, and what every strategy costs.
import { over } from "./engine/rule.js";
import { byId, named, number, table } from "./dom.js";
import { beforePrint } from "./turns.js";
import { moneyAlike, TRIVIAL } from "./words.js";

// How long, in milliseconds, amounts are computed before the page answers to what is done next.
const SLICE = 20;

/** What was typed in, as the engine takes it. */
function knownOf({ values: { fpCost, fnCost, prevalence } }) {
  return { fpCost, fnCost, prevalence };
}

/** `costsOf` what is typed in and shown, computed anew once either has changed. */
export function costsIn(report, state) {
  let made = {};
  return () => {
    const { condition } = state;
    const { models } = state.values;
    if (made.condition !== condition || made.models !== models) {
      made = { condition, models, costs: costsOf(report, state) };
    }
    return made.costs;
  };
}

/** The expected money of one threshold for all conditions, of the best one at each, and of none. */
function costsOf(report, state) {
  const known = knownOf(state);
  const trivial = report.trivialMoney(known);
  const skew = report.meanSkew(known);
  const models = state.shownModels().map((i) => {
    const point = report.operatingPoint(i, report.optimal, { c: skew, prevalence: 0.5 });
    const optimal = report.money(i, report.optimal, known);
    return { i, single: { point, money: report.pointMoney(point, known) }, optimal };
  });
  return { trivial, models, condition: state.condition, best: bestOf(models, trivial) };
}

/** The cheapest with one threshold, and with one set anew: no choice beats the optimal one. */
function bestOf(models, { nobody, everybody }) {
  let single =
    nobody <= everybody
      ? trivialRule("nobody", nobody)
      : trivialRule("everybody", everybody);
  let [reacting] = models;
  for (const model of models) {
    const { i, single: own, optimal } = model;
    if (less(own.money, single.money)) single = { ...own, i, rule: own.point.rule };
    if (less(optimal, reacting.optimal)) reacting = model;
  }
  return { single, reacting: { i: reacting.i, money: reacting.optimal } };
}

function trivialRule(flagged, money) {
  const everybody = flagged === "everybody";
  const point = everybody ? { fpr: 1, fnr: 0 } : { fpr: 0, fnr: 1 };
  return { i: null, flagged, money, point, rule: over(everybody ? -Infinity : Infinity) };
}

/** Whether one amount is below another by more than rounding. */
function less(a, b) {
  return a < b - 1e-9 * Math.abs(b);
}

/** The table of money. What takes long is computed bit by bit, and filled in as it is known. */
export function showMoney(report, state, costsNow) {
  const place = byId("money");
  let running = 0;
  let finish = null;
  const update = () => {
    const turn = (running += 1);
    const known = knownOf(state);
    const costs = costsNow();
    const amounts = new Map(
      costs.models.map(({ i, optimal }) => [amountKey(i, report.optimal), optimal]),
    );
    const jobs = report.choices.flatMap((choice) => costs.models.map(({ i }) => [i, choice]));
    let next = 0;
    const slice = (most = SLICE) => {
      if (turn !== running) return;
      const end = performance.now() + most;
      while (next < jobs.length && performance.now() < end) {
        const [i, choice] = jobs[next];
        const key = amountKey(i, choice);
        if (!amounts.has(key)) amounts.set(key, report.money(i, choice, known));
        next += 1;
      }
      place.replaceChildren(moneyTable(report, costs, amounts));
      place.setAttribute("aria-busy", String(next < jobs.length));
      if (next < jobs.length) setTimeout(slice);
    };
    finish = () => slice(Infinity);
    slice();
  };
  state.watch(["condition", "models"], update);
  update();
  beforePrint(() => finish());
}

const amountKey = (i, { name }) => `${i} ${name}`;

function moneyTable(report, { trivial, models, best, condition }, amounts) {
  const least = best.reacting.money;
  const singles = models.map(({ single }) => single.money);
  const shown = moneyAlike([trivial.nobody, trivial.everybody, ...singles, ...amounts.values()]);
  const cell = (amount) => ({
    content: amount === undefined ? "\u2026" : number(amount, shown(amount)),
    className: Number.isFinite(amount) && !less(least, amount) ? "best" : null,
  });
  const rows = report.choices.map((choice) => [
    choice.label,
    ...models.map(({ i }) => cell(amounts.get(amountKey(i, choice)))),
  ]);
  if (!condition.known) rows.unshift(["One threshold for all", ...singles.map(cell)]);
  const alike = (amount) =>
    models.map(() => ({ content: number(amount, shown(amount)), className: "trivial" }));
  rows.push(
    ...Object.entries(TRIVIAL).map(([flagged, label]) => [label, ...alike(trivial[flagged])]),
  );
  return table({
    caption: "Expected cost per 1,000 cases, by threshold choice and model",
    head: ["Threshold set by", ...models.map(({ i }) => named(report.models[i].name))],
    rows,
  });
}
