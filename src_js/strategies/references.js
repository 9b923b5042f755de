// What is drawn across a dot plot for reference, and where its axis is broken for what is far off.
import { overlap, widthOf } from "../drawing/labels.js";

// An axis is broken for what is so many times beyond all else.
const FAR = 5;
const FROM_ZERO = 0.35;
const PADDING = 0.04;
const TIER = 15;

/** {domain, beyond}: the range of an axis, and the references that it is broken for. */
export function rangeWith(rows, references) {
  const highs = rows.map(({ money, high }) => Math.max(money, high ?? money));
  const lows = rows.map(({ money, low }) => Math.min(money, low ?? money));
  let [least, most] = [Math.min(...lows), Math.max(...highs)];
  const beyond = [];
  for (const one of [...references].sort((a, b) => a.money - b.money)) {
    if (most > 0 && one.money > FAR * most) beyond.push(one);
    else [least, most] = [Math.min(least, one.money), Math.max(most, one.money)];
  }
  const room = PADDING * (most - least || Math.abs(most) || 1);
  const start = least >= 0 && least < FROM_ZERO * most ? 0 : least - room;
  return { domain: [start, most + room], beyond };
}

export function drawReferences(frame, x, references, { beyond, to, height, currency }) {
  const boxes = [];
  const end = x.range()[1];
  const ordered = [...references].sort((a, b) => a.money - b.money);
  ordered.forEach((one) => {
    const far = beyond.indexOf(one);
    const at = far < 0 ? x(one.money) : to - 6 - 14 * (beyond.length - 1 - far);
    frame.axes
      .append("line")
      .attr("class", "reference")
      .attr("x1", at)
      .attr("x2", at)
      .attr("y1", -4)
      .attr("y2", height);
    const text = `${one.name} ${one.said(currency)}`;
    const box = placed(text, at, frame, boxes);
    boxes.push(box);
    frame.axes
      .append("text")
      .attr("class", "reference-name")
      .attr("x", box.x)
      .attr("y", box.y + 11)
      .text(text);
  });
  if (beyond.length > 0) drawBreak(frame, end + 14, height);
  if (x.domain()[0] > 0) drawBreak(frame, x.range()[0] - 4, height);
}

/** A text above a line, in the lowest tier that has room. */
function placed(text, at, frame, boxes) {
  const width = widthOf(text) + 4;
  const x = Math.min(Math.max(at - width / 2, 0), frame.width - width);
  for (const tier of [0, 1, 2]) {
    const box = { x, y: -20 - TIER * tier, width: width + 4, height: TIER - 1 };
    if (!boxes.some((other) => overlap(box, other))) return box;
  }
  return { x, y: -20, width, height: TIER - 1 };
}

/** Two strokes over the axis, where a stretch of it is left out. */
function drawBreak(frame, at, height) {
  for (const shift of [0, 5]) {
    frame.axes
      .append("path")
      .attr("class", "break")
      .attr("d", `M${at + shift - 3},${height + 6}l6,-12M${at + shift - 3},6l6,-12`);
  }
}
