// Where the cost of a model comes from: parts that add up, each with what would lower it.
import { scaleLinear } from "d3-scale";
import { chartIn, describe } from "../drawing/chart.js";
import { el, named, number, table } from "../dom.js";
import { listed, plainly, priced } from "../words/figures.js";
import { figureIn, pick } from "../drawing/framing.js";
import { fitted, widthOf } from "../drawing/labels.js";
import { stands } from "../drawing/style.js";

const PARTS = {
  correct_decisions: "correct decisions",
  ranking: "ranking",
  constraints: "limits",
  miscalibration: "miscalibration",
  committing: "one threshold for all",
  "mis-set threshold": "threshold off its best",
};
const WAYS = {
  committing: "a fixed threshold of 0.5",
  reacting: "score-driven thresholds",
};
const [BAR, ROW, MOST] = [20, 46, 6];
const MARGIN = { top: 4, right: 4, bottom: 4, left: 4 };
// Less than this is what rounding leaves.
const NOTHING = 5e-7;

export function showBudget(container, report, state) {
  const chart = { report, state, container, way: null, rows: [] };
  const made = figureIn(container, {
    title: "Where the cost comes from",
    name: "Where the cost comes from",
    table: () => exported(chart.rows),
    className: "budget",
  });
  chart.note = made.note;
  chart.ways = pick("With", Object.entries(WAYS), "reacting", (way) =>
    update(Object.assign(chart, { way })),
  );
  made.controls.prepend(chart.ways.element);
  chart.parts = container.appendChild(el("div"));
  chart.frame = chartIn(
    made.place,
    () => ({ margin: MARGIN, height: Math.max(chart.rows.length, 1) * ROW }),
    (frame) => chart.rows.length > 0 && draw(frame, chart.rows, state.values.currency),
  );
  state.watch(["decision", "currency"], () => update(chart));
  update(chart);
}

function update(chart) {
  const { report, state, container, ways } = chart;
  const { decision, currency } = state.values;
  // The budget is computed after the answer.
  const known = decision?.budget ? waysOf(decision) : [];
  container.hidden = known.length === 0;
  if (container.hidden) return;
  const way = known.includes(chart.way) ? chart.way : known[0];
  for (const option of ways.select.options) option.hidden = !known.includes(option.value);
  ways.select.value = way;
  chart.rows = rowsOf(report, decision, way);
  chart.note.textContent = noteOf(way, chart.rows, report);
  chart.frame.again();
  describe(chart.frame, summaryOf(chart.rows, currency));
  chart.parts.replaceChildren(...tableOf(chart.rows, decision, currency));
}

/** Which budgets there are: of scores that set the threshold (reacting), of one threshold. */
function waysOf({ budget }) {
  return ["reacting", "committing"].filter((way) => Object.values(budget).some((one) => one[way]));
}

function rowsOf(report, { budget }, way) {
  return report.models
    .map(({ name }, i) => ({ i, name, ...budget[name]?.[way] }))
    .filter(({ total }) => total !== undefined)
    .sort((a, b) => a.total - b.total)
    .filter(({ i }, k) => k < MOST || stands(i));
}

function noteOf(way, rows, report) {
  const left = report.models.length - rows.length;
  const few = left > 0 ? ` Left out: ${left} that cost more, or have no such scores.` : "";
  return (
    `Cost per 1,000 cases of each model with ${WAYS[way]}, on the rows themselves, by its ` +
    `causes.${few}`
  );
}

function draw(frame, rows, currency) {
  for (const layer of [frame.plot, frame.over]) layer.selectAll("*").remove();
  const costs = rows.map(({ parts }) => positive(parts).reduce((sum, [, x]) => sum + x, 0));
  const x = scaleLinear([0, Math.max(...costs) || 1], [0, frame.width]);
  rows.forEach(({ name, total, parts }, k) => {
    const amount = priced(plainly(total), currency);
    const room = frame.width - widthOf(amount) - 20;
    write(frame, "bar-name", fitted(name, room), 0, k * ROW + 13);
    write(frame, "bar-name", amount, frame.width, k * ROW + 13).attr("text-anchor", "end");
    drawBar(frame, x, positive(parts), k * ROW + 18);
  });
}

/** The parts of one model's money, side by side, named where there is room. */
function drawBar(frame, x, parts, top) {
  let from = 0;
  for (const [part, value] of parts) {
    const [start, end] = [x(from), x(from + value)];
    const kind = part.replaceAll(" ", "-");
    frame.plot
      .append("rect")
      .attr("class", `part ${kind}`)
      .attr("x", start)
      .attr("width", Math.max(end - start - 1, 0.5))
      .attr("y", top)
      .attr("height", BAR);
    const texts = [`${PARTS[part]} ${plainly(value)}`, PARTS[part]];
    const shown = texts.find((text) => widthOf(text) < end - start - 10) ?? "";
    write(frame, `part-name ${kind}`, shown, start + 6, top + 14);
    from += value;
  }
}

function write(frame, kind, text, x, y) {
  return frame.over.append("text").attr("class", kind).attr("x", x).attr("y", y).text(text);
}

/** Parts that are not 0 but for rounding. */
function positive(parts) {
  const all = Object.values(parts).reduce((sum, x) => sum + Math.abs(x), 0);
  return Object.entries(parts).filter(([, value]) => value > 1e-9 * all);
}

/** The parts with their amounts, and what would lower each. */
function tableOf(rows, { remedies, knowing_more: known }, currency) {
  const parts = Object.keys(rows[0].parts).filter((part) =>
    rows.some((row) => positive(row.parts).some(([name]) => name === part) || row.parts[part] < 0),
  );
  const amount = (x) => (Math.abs(x) < NOTHING ? 0 : x);
  return [
    table({
      caption: "Where the cost comes from, by model",
      head: ["Lost to", ...parts.map((part) => [chip(part), PARTS[part]])],
      rows: rows.map(({ name, parts: own }) => [
        named(name),
        ...parts.map((part) =>
          number(amount(own[part]), priced(plainly(amount(own[part])), currency)),
        ),
      ]),
    }),
    el(
      "dl",
      { class: "remedies" },
      parts.map((part) =>
        el("div", {}, el("dt", {}, chip(part), PARTS[part]), el("dd", {}, remedies[part])),
      ),
    ),
    ...(known === null ? [] : [el("p", {}, known)]),
  ];
}

const chip = (part) =>
  el("span", { class: `chip-of ${part.replaceAll(" ", "-")}`, "aria-hidden": true });

function summaryOf(rows, currency) {
  const said = rows.slice(0, 4).map(({ name, total, parts }) => {
    const shares = positive(parts).map(([part, value]) => `${PARTS[part]} ${plainly(value)}`);
    return `${name} ${priced(plainly(total), currency)}: ${listed(shares)}`;
  });
  return `Cost per 1,000 cases by what it is lost to. ${said.join("; ")}.`;
}

function exported(rows) {
  return {
    head: ["model", "lost_to", "cost_per_1000"],
    rows: rows.flatMap(({ name, parts }) =>
      Object.entries(parts).map(([part, value]) => [name, PARTS[part], value]),
    ),
  };
}
