// Every strategy by what it costs on held-out rows, cheapest first, with its interval.
import { chartIn, describe, moneyText, scaleOfMoney, ticksApart } from "../drawing/chart.js";
import { byId, el, left, named, number, table } from "../dom.js";
import { amountOf, estimated, levelOf } from "../words/figures.js";
import { figureIn, onAnswer } from "../drawing/framing.js";
import { readValues } from "../drawing/reading.js";
import { BOLD, fitted, widthOf } from "../drawing/labels.js";
import { drawReferences, rangeWith } from "./references.js";
import { colourClass, followColours, marker, stands } from "../drawing/style.js";
import { rulesOf } from "./alike.js";
import { flagAllOrNone, strategiesOf } from "./strategy_rows.js";
import { beforePrint } from "../turns.js";
import { VARIES, ruleText } from "../words/words.js";

// Of more strategies than this the first are shown until more are asked for.
const [MANY, FEW] = [14, 10];
const [ROW, ROW_NARROW] = [26, 56];
// In pixels: below what width names stand above their dots.
const NARROW = 560;
const SWATCH = 18;
const GAP = 12;

export function showStrategies(report, contents, state) {
  followColours(report, state);
  const container = byId("strategies-chart");
  const chart = { report, state, container, found: null, all: false };
  const made = figureIn(container, {
    title: "Every strategy, cheapest first",
    name: "Strategies",
    table: () => exported(chart.found),
    className: "strategies",
    level: "h2",
  });
  chart.note = made.note;
  const showAll = (all) => update(Object.assign(chart, { all }));
  const toggle = () => showAll(!chart.all);
  chart.more = el("button", { type: "button", class: "screen", onclick: toggle });
  chart.rows = el("div");
  const asTable = el("details", { class: "screen" }, el("summary", {}, "As a table"), chart.rows);
  container.append(chart.more, asTable);
  chart.frame = chartIn(
    made.place,
    (full) => sizes(full, chart),
    (frame) => chart.found && draw(frame, shown(chart), state.values.currency),
  );
  const points = () => pointsOf(chart);
  readValues(chart.frame, ([, y]) => points().find(({ from, to }) => y >= from && y < to) ?? null, points);
  onAnswer(state, () => update(chart));
  beforePrint(() => chart.found && chart.found.rows.length <= 2 * MANY && showAll(true));
  update(chart);
}

/** Each row where its dot is, with its words. */
function pointsOf(chart) {
  const { frame, state } = chart;
  const high = frame.full < NARROW ? ROW_NARROW : ROW;
  return shown(chart).rows.map(({ label, money: value, low, high: most, against }, k) => {
    const { value: amount, interval } = estimated({ value, low, high: most }, state.values.currency);
    const text = `${label}: ${amount}${interval === null ? "" : ` (${interval})`}, ${against}`;
    return { x: frame.moneyAt(value), y: middleOf(frame, k), from: k * high, to: (k + 1) * high, text };
  });
}

/** How far down the dot of a row is. */
const middleOf = (frame, k) => (frame.full < NARROW ? k * ROW_NARROW + 43 : (k + 0.5) * ROW);

function shown({ found, all }) {
  const few = !all && found.rows.length > MANY;
  return { ...found, rows: few ? firstOf(found) : found.rows };
}

/** Of many models the strategies of the best, else the cheapest strategies. */
function firstOf({ rows }) {
  const best = rows.filter(({ i, recommended }) => recommended || i === null || stands(i));
  return best.length < rows.length ? best : rows.slice(0, FEW);
}

/** What the button shows: the others are told by how many models they are of. */
function moreIn({ rows }, all) {
  const first = firstOf({ rows });
  if (all) return `Show the first ${first.length}`;
  const models = new Set(rows.map(({ i }) => i).filter((i) => i !== null && !stands(i)));
  return models.size > 0 ? `Show ${models.size} others` : `Show all ${rows.length}`;
}

function sizes(full, chart) {
  const count = chart.found === null ? 1 : shown(chart).rows.length;
  // Names of references may stand above each other.
  const tiers = Math.max(chart.found?.references.length ?? 0, 2);
  return {
    margin: { top: 8 + 15 * tiers, right: 4, bottom: 24, left: 4 },
    height: count * (full < NARROW ? ROW_NARROW : ROW),
  };
}

function update(chart) {
  const { decision, currency } = chart.state.values;
  const found = decision === null ? null : strategiesOf(chart.report, decision);
  chart.found = found;
  chart.container.hidden = found === null || found.rows.length === 0;
  if (chart.container.hidden) return;
  chart.note.textContent = noteOf(found);
  chart.more.hidden = found.rows.length <= MANY;
  chart.more.textContent = moreIn(found, chart.all);
  chart.frame.again();
  describe(chart.frame, summary(found, currency));
  chart.rows.replaceChildren(tableOf(found, currency));
}

function noteOf({ decision }) {
  const alike = flagAllOrNone(decision).map(([label, does]) => ` With ${label}: ${does}.`);
  return (
    `On held-out rows (${decision.condition.compared_on}), with ${levelOf(decision)} intervals, per ` +
    "1,000 cases. \u201cNot told apart\u201d: all comparisons allowed for, the data do not separate it from the " +
    "recommended." +
    alike.join("")
  );
}

function draw(frame, { rows, references }, currency) {
  const narrow = frame.full < NARROW;
  const high = narrow ? ROW_NARROW : ROW;
  const { name, words } = columnsOf(frame, rows, narrow);
  const from = narrow ? 8 : name + GAP;
  const to = narrow ? frame.width - 8 : frame.width - words.all - GAP;
  const { domain, beyond } = rangeWith(rows, references);
  const x = scaleOfMoney(domain, [from, beyond.length > 0 ? to - 46 : to]);
  frame.moneyAt = x;
  for (const layer of [frame.axes, frame.plot, frame.over]) layer.selectAll("*").remove();
  rows.forEach((row, k) => {
    if (row.recommended) {
      frame.axes
        .append("rect")
        .attr("class", "row-chosen")
        .attr("width", frame.width)
        .attr("height", high)
        .attr("rx", 5)
        .attr("y", k * high);
    }
  });
  drawTicks(frame, x, rows.length * high);
  drawReferences(frame, x, references, { beyond, to, height: rows.length * high, currency });
  rows.forEach((row, k) => {
    const text = k * high + (narrow ? 14 : high / 2 + 4);
    drawDot(frame, x, row, middleOf(frame, k));
    drawTexts(frame, row, { text, name: narrow ? frame.width - words.all - 8 : name, words, narrow });
  });
}

/** How wide the columns of names and of words are. */
function columnsOf(frame, rows, narrow) {
  const names = rows.map((row) => widthOf(row.label, BOLD) + SWATCH);
  // Amounts end, and what is said of them begins, in columns of their own.
  const [amounts, said] = ["shown", "verdict"].map((part) =>
    Math.max(...rows.map((row) => widthOf(row[part], BOLD))),
  );
  const words = { all: amounts + said + 16, said: said + 6 };
  return {
    name: Math.min(Math.max(...names), frame.width * (narrow ? 0.62 : 0.38)),
    words,
  };
}

function drawTicks(frame, x, height) {
  const shown = moneyText(x, 6);
  const ticks = x.ticks(6);
  const room = Math.max(...ticks.map((tick) => widthOf(shown(tick)))) + GAP;
  for (const tick of ticksApart(ticks, x, room)) {
    frame.axes
      .append("line")
      .attr("class", "tick-line")
      .attr("x1", x(tick))
      .attr("x2", x(tick))
      .attr("y2", height);
    frame.axes
      .append("text")
      .attr("class", "tick-name")
      .attr("text-anchor", "middle")
      .attr("x", x(tick))
      .attr("y", height + 16)
      .text(shown(tick));
  }
}

function drawDot(frame, x, row, y) {
  const group = frame.over
    .append("g")
    .attr("class", row.i === null ? "strategy" : colourClass(row.i));
  if (row.high > row.low) {
    group
      .append("line")
      .attr("class", "interval")
      .attr("x1", x(row.low))
      .attr("x2", x(row.high))
      .attr("y1", y)
      .attr("y2", y);
  }
  const at = [x(row.money), y];
  if (row.recommended) {
    group
      .append("path")
      .attr("class", "point recommended")
      .attr("d", "M-7,0L0,-7L7,0L0,7Z")
      .attr("transform", `translate(${at})`);
  } else {
    const { d, transform, class: name } = marker(row.i, ...at, 64);
    group.append("path").attr("class", name).attr("d", d).attr("transform", transform);
  }
}

/** A row's name, with its method below where it is narrow, and what it costs. */
function drawTexts(frame, row, { text, name, words, narrow }) {
  const group = frame.over
    .append("g")
    .attr("class", row.recommended ? "row-name chosen" : "row-name");
  const write = (content, x, anchor, part, y = text) =>
    group
      .append("text")
      .attr("class", part)
      .attr("x", x)
      .attr("y", y)
      .attr("text-anchor", anchor)
      .text(content);
  const font = row.recommended ? BOLD : undefined;
  const label = narrow && row.models !== "" ? fitted(row.models, name - 8, font) : shortened(row.label, name - 8, font);
  write(label, 6, "start", "row-label");
  if (narrow && row.models !== "") write(fitted(row.method, frame.width - 12), 6, "start", "row-verdict", text + 14);
  write(row.shown, frame.width - words.said - 6, "end", "row-amount");
  write(row.verdict, frame.width - words.said, "start", "row-verdict");
}

/** A label in so many pixels, which still tells that there is no review, or a queue. */
function shortened(label, width, font) {
  const end = /, (?:no review|queue)\)$/.exec(label)?.[0] ?? "";
  if (end === "" || widthOf(label, font) <= width) return fitted(label, width, font);
  const start = label.slice(0, -end.length);
  return fitted(start, width - widthOf(end, font), font) + end;
}

function summary({ rows, references }, currency) {
  const first = rows.slice(0, 4).map((row) => `${row.label} ${row.shown}, ${row.verdict}`);
  const others = references.map(({ name, said }) => `${name} ${said(currency)}`);
  return (
    `Cost per 1,000 cases of ${rows.length} strategies on held-out rows, cheapest first: ` +
    `${first.join("; ")}. For reference: ${others.join(", ")}.`
  );
}

function tableOf({ rows, decision }, currency) {
  const cells = ({ money, low, high }) => {
    const { interval } = estimated({ value: money, low, high }, currency);
    return [number(money, amountOf({ value: money, low, high }, currency)), interval ?? "\u2013"];
  };
  return table({
    caption: "Every strategy by its cost per 1,000 cases on held-out rows",
    head: [
      "Strategy",
      left("Rule"),
      "Cost",
      `${levelOf(decision)} interval`,
      left("Against the recommended"),
    ],
    rows: rows.map((row) => [
      { content: [named(row.label), ...(row.terms ? [el("small", {}, row.terms)] : [])] },
      {
        content: rulesOf(row.one, decision, VARIES),
        className: "text rule",
      },
      ...cells(row),
      { content: row.against, className: "text against" },
    ]),
  });
}

function exported({ rows, references }) {
  return {
    head: [
      "model",
      "choice",
      "rule",
      "cost_per_1000",
      "low",
      "high",
      "difference",
      "difference_low",
      "difference_high",
      "p_adjusted",
      "verdict",
    ],
    rows: [...rows, ...references].map(({ one, verdict, rule, money, low = one.low, high = one.high }) => [
      one.model,
      one.choice,
      rule === null || rule === undefined ? null : ruleText(rule),
      money,
      low,
      high,
      one.more?.difference,
      one.more?.low,
      one.more?.high,
      one.more?.p_adjusted,
      verdict ?? "reference",
    ]),
  };
}
