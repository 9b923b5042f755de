// How models differ: by colour (CSS classes m0 to m5), by dashes and by marker.
import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
} from "d3-shape";

const COLOURS = 6;
const DASHES = [null, "8 3", "2 2.5", "11 3 2 3", "18 4", "9 3 2 3 2 3", "4 2"];
const MARKERS = [
  [symbolCircle, 0],
  [symbolSquare, 0],
  [symbolTriangle, 0],
  [symbolDiamond, 0],
  [symbolTriangle, 180],
  [symbolCross, 0],
  [symbolCross, 45],
];

export function colourClass(i) {
  return `m${i % COLOURS}`;
}

export function dashes(i) {
  return DASHES[i % DASHES.length];
}

/** Attributes of the marker of a model, around a point. */
export function marker(i, x, y, size = 64) {
  const [type, turn] = MARKERS[i % MARKERS.length];
  return {
    d: symbol(type, size)(),
    transform: `translate(${x},${y})${turn ? ` rotate(${turn})` : ""}`,
    class: `marker ${colourClass(i)}`,
  };
}
