// Cost space, drawn: curves with their bands, what was asked about, and the condition looked at.
import { drawAxes, labelled, moneyText, scaleOfMoney } from "../drawing/chart.js";
import { AXES, curvesOf } from "./cost_space.js";
import { placeNames } from "../drawing/labels.js";
import { areaWithin, lineThrough } from "../drawing/paths.js";
import { cornerAt, lossAt } from "./linked.js";
import { colourClass, marker, stands } from "../drawing/style.js";

export const NOBODY = { fpr: 0, fnr: 1 };
export const EVERYBODY = { fpr: 1, fnr: 0 };

export function drawSpace(frame, report, space, currency) {
  const found = curvesOf(report, space, frame.width);
  const { curves, straight } = found;
  const [nobody, everybody] = [NOBODY, EVERYBODY].map(straight);
  const seen = curves.flatMap(({ i, money }) => (stands(i) ? money : []));
  const most = Math.max(...nobody.map((x, k) => Math.min(x, everybody[k])), ...seen);
  const least = Math.min(space.constant, 0);
  const y = scaleOfMoney([least, most + 0.12 * (most - least || 1)], [frame.height, 0]).nice(5);
  space.y = y;
  const name = AXES[space.view.axis];
  drawAxes(
    frame,
    { ...space, label: frame.narrow() ? name.split(":")[0] : name },
    { scale: y, label: `Cost per 1,000 cases${currency ? ` (${currency})` : ""}`, text: moneyText(y, 5) },
  );
  for (const layer of [frame.plot, frame.over]) layer.selectAll("*").remove();
  drawRange(frame, space);
  drawCurves(frame, found, y);
  const path = pathOf(found, y);
  for (const money of [nobody, everybody]) {
    frame.plot.append("path").attr("class", "reference").attr("d", path(money));
  }
  if (space.chosen) {
    frame.plot
      .append("path")
      .attr("class", "chosen-line")
      .attr("d", path(straight(space.chosen)));
  }
  nameLines(frame, found, y, space.chosen);
}

const pointsOf = ({ pixels }, y, money) => pixels.map((x, k) => [x, y(money[k])]);

const pathOf = (found, y) => (money) => lineThrough(pointsOf(found, y, money));

function drawCurves(frame, found, y) {
  const { curves } = found;
  const path = pathOf(found, y);
  const ordered = [...curves].sort((a, b) => Number(stands(a.i)) - Number(stands(b.i)));
  for (const { i, low, high } of ordered.filter((curve) => stands(curve.i))) {
    frame.plot
      .append("path")
      .attr("class", `band ${colourClass(i)}`)
      .attr("d", areaWithin([...pointsOf(found, y, high), ...pointsOf(found, y, low).reverse()]));
  }
  for (const { i, money } of ordered) {
    frame.plot
      .append("path")
      .attr("class", `curve ${colourClass(i)}`)
      .attr("d", path(money));
  }
}

function drawRange(frame, { at, ends, deciles }) {
  const [low, high] = ends.map(at);
  frame.plot
    .append("rect")
    .attr("class", "range-asked")
    .attr("x", low)
    .attr("width", Math.max(high - low, 1))
    .attr("height", frame.height);
  if (high - low < 4) return;
  for (const decile of deciles) {
    frame.plot
      .append("line")
      .attr("class", "decile")
      .attr("x1", at(decile))
      .attr("x2", at(decile))
      .attr("y1", frame.height - 7)
      .attr("y2", frame.height);
  }
}

function nameLines(frame, found, y, chosen) {
  const { curves, straight } = found;
  const others = curves.filter(({ i }) => !stands(i));
  const points = (money) => pointsOf(found, y, money);
  const lines = [
    ...curves
      .filter(({ i }) => stands(i))
      .map(({ i, name, money }) => ({ kind: colourClass(i), text: name, points: points(money) })),
    ...[
      ["chosen-name", "recommended rule", chosen],
      ["reference-name", "flag nobody", NOBODY],
      ["reference-name", "flag everybody", EVERYBODY],
    ].flatMap(([kind, text, point]) =>
      point ? [{ kind, text, points: points(straight(point)) }] : [],
    ),
    ...others.map(({ money }, k) => ({
      kind: "others",
      text: k === 0 ? `${others.length} others` : null,
      points: points(money),
    })),
  ];
  for (const { line: own, text, x, y: base } of placeNames(lines, frame)) {
    labelled(frame.over, text, x, base)
      .attr("class", `line-name ${own.kind}`)
      .attr("text-anchor", "start");
  }
}

/** The condition looked at, each model there, and the line of what is pointed at in ROC space. */
export function drawLooked(frame, report, space, { skew, point }) {
  const { at, y, stake, constant, mean } = space;
  const z = skew ?? mean;
  const found = report.models
    .map((model, i) => ({ i, name: model.name, ...cornerAt(model.hull, z) }))
    .map((one) => ({ ...one, money: constant + stake * lossAt(z, one) }));
  frame.over.selectAll(".looked").remove();
  const layer = frame.over.append("g").attr("class", "looked");
  layer
    .append("line")
    .attr("class", "condition")
    .attr("x1", at(z))
    .attr("x2", at(z))
    .attr("y2", frame.height);
  for (const { i, money } of found) {
    if (!stands(i) || money > y.domain()[1]) continue;
    const { d, transform, class: name } = marker(i, at(z), y(money), 64);
    layer.append("path").attr("class", name).attr("d", d).attr("transform", transform);
  }
  if (point !== null) {
    const pixels = Array.from({ length: 101 }, (_, k) => (k * frame.width) / 100);
    const amount = (pixel) => constant + stake * lossAt(space.invert(pixel), point);
    layer
      .append("path")
      .attr("class", `cost-line ${colourClass(point.i)}`)
      .attr("clip-path", frame.plot.attr("clip-path"))
      .attr("d", lineThrough(pixels.map((pixel) => [pixel, y(amount(pixel))])));
  }
  return { found, z, isMean: skew === null };
}
