// Names at lines and points of a chart, where they hide neither lines nor each other.

const HIGH = 15;
const GAP = 5;
// Of a line, where a name may stand: so many pixels from one place to the next.
const STEP = 8;
// What a name on a line costs, against one as near as it can be: per pixel of a line that it hides.
const HIDDEN = 200;
const OVERLAPPING = 1e6;
const CLOSE = 60;
// The share of a chart's width that a name may have.
const MOST = 0.42;

let context = null;

const PLAIN = "12px system-ui, sans-serif";
export const BOLD = `600 ${PLAIN}`;

/** How wide a text is, in pixels. */
export function widthOf(text, font = PLAIN) {
  context ??= document.createElement("canvas").getContext("2d");
  context.font = font;
  return context.measureText(text).width;
}

/** A text with an ellipsis within it, if it is wider than there is room: names may differ at either end. */
export function fitted(text, room, font = PLAIN) {
  if (widthOf(text, font) <= room) return text;
  const cut = (kept) => {
    const end = Math.floor(kept / 2);
    return `${text.slice(0, kept - end)}\u2026${end > 0 ? text.slice(-end) : ""}`;
  };
  let kept = text.length - 1;
  while (kept > 1 && widthOf(cut(kept), font) > room) kept -= 1;
  return cut(kept);
}

/**
 * Where the names of lines stand: {x, y, text, line} of each that finds room.
 * A line is {text, points: [[x, y], ...]} of ascending x, in pixels; one without a text is only kept
 * free, and one that is `whole` is never shortened. `taken` holds boxes that are taken: {x, y, width, height}.
 */
export function placeNames(lines, { width, height, taken = [] }) {
  const columns = Array.from({ length: Math.floor(width / STEP) + 1 }, (_, k) => k * STEP);
  const heights = lines.map(({ points }) => sampled(points, columns));
  const spans = lines.map(({ points }) => spansOf(points, columns));
  const boxes = [...taken];
  return lines.flatMap((line, k) => {
    if (!line.text) return [];
    const text = line.whole ? line.text : fitted(line.text, MOST * width, BOLD);
    const found = bestPlace(widthOf(text, line.whole ? PLAIN : BOLD), k, { columns, heights, spans, boxes, width, height });
    if (found === null) return [];
    boxes.push(found);
    return [{ line, text, x: found.x, y: found.y + HIGH - 4 }];
  });
}

/**
 * Where a text stands best near a point: {x, y, box}, its left end and base line. `lines` are those
 * that it should not hide, as in `placeNames`.
 */
export function placeNear(text, [px, py], lines, { width, height, taken = [], font }) {
  const columns = Array.from({ length: Math.floor(width / STEP) + 1 }, (_, k) => k * STEP);
  const spans = lines.map(({ points }) => spansOf(points, columns));
  const wide = widthOf(text, font);
  let best = null;
  let least = Infinity;
  for (let down = -6; down <= 6; down += 1) {
    for (const shift of [-0.5, -1, 0, -0.75, -0.25]) {
      const y = py + 11 * down - HIGH / 2;
      const x = Math.min(
        Math.max(px + shift * wide - Math.sign(shift + 0.5) * -14, 2),
        width - wide - 2,
      );
      if (y < 0 || y + HIGH > height) continue;
      const box = { x, y, width: wide, height: HIGH };
      const far = Math.abs(11 * down) / 4 + Math.abs(shift + 0.5) * 10;
      const cost = far + costOf(box, -1, 0, { columns, heights: [], spans, boxes: taken });
      if (cost < least) [best, least] = [box, cost];
    }
  }
  return best && { x: best.x, y: best.y + HIGH - 4, box: best };
}

function bestPlace(wide, k, { columns, heights, spans, boxes, width, height }) {
  let best = null;
  let least = OVERLAPPING;
  for (const [j, column] of columns.entries()) {
    const own = heights[k][j];
    if (!(own >= 0 && own <= height)) continue;
    for (const [y, shifts] of [
      [own - HIGH - GAP, [0, -wide / 2, -wide]],
      [own + GAP, [0, -wide / 2, -wide]],
      // Beside a line that is steep there.
      [own - HIGH / 2, [1, 2, 3].flatMap((far) => [far * STEP + GAP, -wide - far * STEP - GAP])],
    ]) {
      for (const shift of shifts) {
        const x = column + shift;
        if (x < 2 || x + wide > width - 2 || y < 0 || y + HIGH > height) continue;
        const box = { x, y, width: wide, height: HIGH };
        const cost = costOf(box, k, j, { columns, heights, spans, boxes });
        if (cost < least) [best, least] = [box, cost];
      }
    }
  }
  return best;
}

/** What is wrong with a box: what it hides, and how near the line is to others. */
function costOf(box, k, j, { columns, heights, spans, boxes }) {
  let cost = boxes.some((other) => overlap(box, other)) ? OVERLAPPING : 0;
  const first = Math.max(Math.floor((box.x - 2) / STEP), 0);
  const last = Math.min(Math.floor((box.x + box.width + 2) / STEP), columns.length - 1);
  for (const { tops, bottoms } of spans) {
    for (let n = first; n <= last; n += 1) {
      if (bottoms[n] > box.y - 1 && tops[n] < box.y + box.height + 1) cost += HIDDEN;
    }
  }
  for (const [m, line] of heights.entries()) {
    if (k >= 0 && m !== k) cost += Math.max(CLOSE - Math.abs(line[j] - (box.y + HIGH / 2)), 0) || 0;
  }
  return cost;
}

export function overlap(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Heights of a line at ascending places, NaN where it is not. */
function sampled(points, columns) {
  const found = new Float64Array(columns.length).fill(NaN);
  let at = 0;
  for (const [j, x] of columns.entries()) {
    while (at < points.length - 2 && points[at + 1][0] < x) at += 1;
    const [[x0, y0], [x1, y1]] = [points[at], points[Math.min(at + 1, points.length - 1)]];
    if (x < x0 || x > x1) continue;
    found[j] = x1 > x0 ? y0 + ((y1 - y0) * (x - x0)) / (x1 - x0) : y0;
  }
  return found;
}

/** From where to where a line goes in each stretch that begins at a place, steps and all: Infinity to -Infinity where it is not. */
function spansOf(points, columns) {
  const tops = new Float64Array(columns.length).fill(Infinity);
  const bottoms = new Float64Array(columns.length).fill(-Infinity);
  const pass = (n, y) => {
    if (!(n >= 0 && n < columns.length)) return;
    tops[n] = Math.min(tops[n], y);
    bottoms[n] = Math.max(bottoms[n], y);
  };
  for (let k = 0; k < points.length; k += 1) {
    const [[x0, y0], [x1, y1]] = [points[Math.max(k - 1, 0)], points[k]];
    const [a, b] = [Math.floor(x0 / STEP), Math.floor(x1 / STEP)];
    pass(a, y0);
    pass(b, y1);
    for (let n = a + 1; n <= b; n += 1) {
      const y = y0 + ((y1 - y0) * (n * STEP - x0)) / (x1 - x0);
      pass(n - 1, y);
      pass(n, y);
    }
  }
  return { tops, bottoms };
}
