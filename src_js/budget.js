// Where the money of a model goes: parts that add up, each with what mends it.
import { scaleLinear } from "d3-scale";
import { chartIn, describe } from "./chart.js";
import { el, named, number, table } from "./dom.js";
import { listed, plainly, priced } from "./figures.js";
import { figureIn, pick } from "./framing.js";
import { fitted, widthOf } from "./labels.js";
import { stands } from "./style.js";

const PARTS = {
  correct_decisions: "right decisions",
  ranking: "ranking",
  constraints: "limits",
  miscalibration: "miscalibration",
  committing: "one threshold for all",
  "mis-set threshold": "threshold off its best",
};
const WAYS = {
  committing: "a fixed threshold of 0.5",
  reacting: "thresholds that trust the scores",
};
const [BAR, ROW, MOST] = [20, 46, 6];
// Less than this is what rounding leaves.
const NOTHING = 5e-7;

export function showBudget(container, report, state) {
  let way = null;
  let rows = [];
  const made = figureIn(container, {
    title: "Where the money goes",
    name: "Where the money goes",
    table: () => exported(rows),
    className: "budget",
  });
  const ways = pick("With", Object.entries(WAYS), "reacting", (value) => {
    way = value;
    update();
  });
  made.controls.prepend(ways.element);
  const parts = container.appendChild(el("div"));
  let frame = null;
  frame = chartIn(
    made.place,
    sizes,
    (drawn) => rows.length > 0 && draw(drawn, rows, state.values.currency),
  );

  function sizes() {
    return {
      margin: { top: 4, right: 4, bottom: 4, left: 4 },
      height: Math.max(rows.length, 1) * ROW,
    };
  }

  const update = () => {
    const { decision, currency } = state.values;
    // Where money goes is found after what to do.
    const known = decision?.budget ? waysOf(decision) : [];
    container.hidden = known.length === 0;
    if (container.hidden) return;
    const shown = known.includes(way) ? way : known[0];
    for (const option of ways.select.options) option.hidden = !known.includes(option.value);
    ways.select.value = shown;
    rows = rowsOf(report, decision, shown);
    made.note.textContent = noteOf(shown, rows, report);
    frame.again();
    describe(frame, summaryOf(rows, currency));
    parts.replaceChildren(...tableOf(rows, decision, currency));
  };
  state.watch(["decision", "currency"], update);
  update();
}

/** The ways of working whose money is split, that of scores that are trusted first. */
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
  const few = left > 0 ? ` ${left} dearer models are left out.` : "";
  return (
    `Cost per 1,000 cases of each model with ${WAYS[way]}, on the rows themselves, split by what it is ` +
    `lost to.${few}`
  );
}

function draw(frame, rows, currency) {
  for (const layer of [frame.plot, frame.over]) layer.selectAll("*").remove();
  const most = Math.max(
    ...rows.map(({ parts }) => positive(parts).reduce((sum, [, x]) => sum + x, 0)),
    0,
  );
  const x = scaleLinear([0, most || 1], [0, frame.width]);
  rows.forEach(({ name, total, parts }, k) => {
    const top = k * ROW;
    const amount = priced(plainly(total), currency);
    const room = frame.width - widthOf(amount) - 20;
    frame.over
      .append("text")
      .attr("class", "bar-name")
      .attr("x", 0)
      .attr("y", top + 13)
      .text(fitted(name, room));
    frame.over
      .append("text")
      .attr("class", "bar-name")
      .attr("x", frame.width)
      .attr("y", top + 13)
      .attr("text-anchor", "end")
      .text(amount);
    let from = 0;
    for (const [part, value] of positive(parts)) {
      const width = x(from + value) - x(from);
      frame.plot
        .append("rect")
        .attr("class", `part ${part.replaceAll(" ", "-")}`)
        .attr("x", x(from))
        .attr("width", Math.max(width - 1, 0.5))
        .attr("y", top + 18)
        .attr("height", BAR);
      const text = `${PARTS[part]} ${plainly(value)}`;
      const shown =
        widthOf(text) < width - 10 ? text : widthOf(PARTS[part]) < width - 10 ? PARTS[part] : "";
      frame.over
        .append("text")
        .attr("class", `part-name ${part.replaceAll(" ", "-")}`)
        .attr("x", x(from) + 6)
        .attr("y", top + 32)
        .text(shown);
      from += value;
    }
  });
}

/** Parts that cost money. What rounding leaves is none. */
function positive(parts) {
  const all = Object.values(parts).reduce((sum, x) => sum + Math.abs(x), 0);
  return Object.entries(parts).filter(([, value]) => value > 1e-9 * all);
}

/** The parts with their amounts, and what mends each. */
function tableOf(rows, { remedies }, currency) {
  const parts = Object.keys(rows[0].parts).filter((part) =>
    rows.some((row) => positive(row.parts).some(([name]) => name === part) || row.parts[part] < 0),
  );
  const amount = (x) => (Math.abs(x) < NOTHING ? 0 : x);
  return [
    table({
      caption: "Where the money goes, by model",
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
