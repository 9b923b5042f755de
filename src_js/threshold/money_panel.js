// The upper panel of cost by threshold: lines, references, and what is recommended.
import { drawAxes, labelled, markBreak, moneyText, scaleOfMoney } from "../drawing/chart.js";
import { estimated } from "../words/figures.js";
import { BOLD, placeNames, placeNear, widthOf } from "../drawing/labels.js";
import { moneyLine, rangeOfMoney } from "./lines.js";
import { lineThrough } from "../drawing/paths.js";
import { colourClass, stands } from "../drawing/style.js";

const NAMES = { nobody: "flag nobody", everybody: "flag everybody", reviewed: "review everybody" };

export function drawMoney(frame, axis, facts, currency) {
  const lines = facts.lines.map((one) => ({
    ...one,
    ...moneyLine(one.model, facts, axis.places(one.i), (t) => axis.at(one.i, t)),
  }));
  const y = scaleOfMoney(rangeOfMoney(lines, facts), [frame.money, 0]).nice(5);
  frame.moneyAt = y;
  drawAxes(
    frame,
    { scale: axis.scale, values: axis.values, text: axis.text, label: axis.label },
    {
      scale: y,
      label: `Cost per 1,000 cases${currency ? ` (${currency})` : ""}`,
      text: moneyText(y, 5),
    },
  );
  // Lines end where the panel does, above the scores.
  frame.clip.attr("height", frame.money);
  markBreak(frame, y.domain(), frame.money);
  frame.over.selectAll("*").remove();
  const curves = lines.map(({ i, parts }) => ({
    i,
    points: parts.flatMap(({ points }) => points.map(([x, money]) => [x, y(money)])),
  }));
  const references = drawReferences(frame, y, facts, curves, currency);
  drawLines(frame, y, lines);
  const around = [...curves, ...references];
  const upright = facts.marked.map((one) => {
    const [x, height] = drawChosen(frame, axis, y, one);
    nameChosen(frame, one, [x, height], around, currency);
    return { x: x - 3, y: 0, width: 6, height: frame.money };
  });
  drawNames(frame, lines, curves, references, upright);
}

/** The lines of what needs no model, with their names; returns them, as `placeNames` takes them. */
function drawReferences(frame, y, { references, referenceIn }, curves, currency) {
  const most = y.domain()[1];
  const above = Object.values(references).filter((one) => one > most).length > 1 || frame.narrow() ? "" : ", above the chart";
  const lines = Object.entries(references).map(([name, amount]) => {
    const inside = amount <= most;
    const height = inside ? y(amount) : 0;
    const text = `${NAMES[name]} ${referenceIn(name, currency)}`;
    const points = [
      [0, height],
      [frame.width, height],
    ];
    return { inside, height, text: inside ? text : `${text}${above} \u2191`, points, whole: true };
  });
  const seen = lines.filter(({ inside }) => inside);
  for (const { height } of seen) {
    frame.over.append("line").attr("class", "reference").attr("x2", frame.width).attr("y1", height).attr("y2", height);
  }
  for (const { text, x, y: base } of placeNames([...lines, ...curves], { width: frame.width, height: frame.money })) {
    frame.over.append("text").attr("class", "reference-name").attr("x", x).attr("y", base).text(text);
  }
  return seen.map(({ points }) => ({ points }));
}

const inside = (scale, amount) => amount >= scale.domain()[0] && amount <= scale.domain()[1];

function drawLines(frame, y, lines) {
  const path = (points) => lineThrough(points.map(([x, money]) => [x, y(money)]));
  const parts = lines
    .flatMap((one) => one.parts.map((part) => ({ ...one, ...part })))
    // Those in colour over the others.
    .sort((a, b) => Number(stands(a.i)) - Number(stands(b.i)));
  frame.plot
    .selectAll("path.curve")
    .data(parts)
    .join("path")
    .attr("class", ({ i, allowed }) => `curve ${colourClass(i)}${allowed ? "" : " broken"}`)
    .attr("d", ({ points }) => path(points));
  frame.over
    .selectAll("circle.least")
    .data(
      lines
        .filter(({ i, best }) => best !== null && stands(i) && inside(y, best.money))
        .flatMap((one) => one.atBest.map((at) => ({ ...one, at }))),
    )
    .join("circle")
    .attr("class", ({ i }) => `least ${colourClass(i)}`)
    .attr("r", 4)
    .attr("cx", ({ at }) => at)
    .attr("cy", ({ best }) => y(best.money));
}

/** A rule with its interval, where its thresholds are, or all across if it has none; returns where. */
function drawChosen(frame, axis, y, { kind, i, thresholds, money, low, high }) {
  const group = frame.over.append("g").attr("class", `chosen ${kind}`);
  const places = [...new Set(thresholds?.map((t) => axis.at(i ?? 0, t)))];
  const at = places.at(-1) ?? null;
  const inside = (amount) => Math.min(Math.max(y(amount), 0), frame.money);
  const [bottom, top, height] = [low ?? money, high ?? money, money].map(inside);
  if (at === null) {
    group
      .append("rect")
      .attr("class", "interval")
      .attr("width", frame.width)
      .attr("y", top)
      .attr("height", bottom - top);
    group.append("path").attr("class", "level").attr("d", `M0,${height}H${frame.width}`);
    return [frame.width / 2, height];
  }
  if (bottom > top) {
    group
      .append("path")
      .attr("class", "interval")
      .attr("d", `M${at},${bottom}V${top}M${at - 4},${bottom}h8M${at - 4},${top}h8`);
  }
  // What is reviewed is between two of them.
  if (places.length > 1) group.append("path").attr("class", "level").attr("d", `M${places[0]},${height}H${at}`);
  for (const place of places) {
    group
      .append("path")
      .attr("class", "point")
      .attr("d", kind === "recommended" ? "M-7,0L0,-7L7,0L0,7Z" : "M-5,-5H5V5H-5Z")
      .attr("transform", `translate(${place},${height})`);
  }
  return [at, height];
}

function nameChosen(frame, { kind, said, money, low, high }, place, curves, currency) {
  const { value, interval } = estimated({ value: money, low, high }, currency);
  const full = interval ? `${said} ${value} (${interval})` : `${said} ${value}`;
  const text = widthOf(full, BOLD) < 0.75 * frame.width ? full : `${said} ${value}`;
  const found = placeNear(text, place, curves, {
    width: frame.width,
    height: frame.money,
    taken: boxesIn(frame),
    font: BOLD,
  });
  labelled(frame.over, text, found.x, found.y)
    .attr("class", `chosen-name ${kind}`)
    .attr("text-anchor", "start");
}

/** Names at the lines in colour, clear of what is there and of handles; the others have one together. */
function drawNames(frame, lines, curves, references, handles) {
  const others = lines.filter(({ i }) => !stands(i));
  const nameOf = (one) => {
    if (stands(one.i)) return one.name;
    return one === others[0] ? `${others.length} others` : null;
  };
  const named = lines.map((one, k) => ({ ...curves[k], text: nameOf(one) }));
  const found = placeNames(
    // Those in colour find a place first.
    [...named.sort((a, b) => Number(stands(b.i)) - Number(stands(a.i))), ...references],
    { width: frame.width, height: frame.money, taken: [...boxesIn(frame), ...handles] },
  );
  frame.over
    .selectAll("text.line-name")
    .data(found)
    .join("text")
    .attr("class", ({ line: { i } }) => `line-name ${colourClass(i)}`)
    .attr("x", ({ x }) => x)
    .attr("y", ({ y }) => y)
    .text(({ text }) => text);
}

/** What texts and marks there are already. */
function boxesIn(frame) {
  return [...frame.over.node().querySelectorAll("text, .chosen, .least")].map((element) => {
    const { x, y, width, height } = element.getBBox();
    return { x: x - 3, y: y - 2, width: width + 6, height: height + 4 };
  });
}
