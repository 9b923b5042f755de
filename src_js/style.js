// How models differ: by colour (CSS classes m0 to m5), by dashes and by marker.
import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
} from "d3-shape";
import { el, named, svg } from "./dom.js";

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
export function marker(i, x, y, size) {
  const [type, turn] = MARKERS[i % MARKERS.length];
  return {
    d: symbol(type, size)(),
    transform: `translate(${x},${y})${turn ? ` rotate(${turn})` : ""}`,
    class: `marker ${colourClass(i)}`,
  };
}

/** The line and marker of a model. */
export function swatch(i) {
  return svg(
    "svg",
    { class: "swatch", width: 34, height: 14, viewBox: "0 0 34 14", "aria-hidden": "true" },
    svg("line", {
      class: `curve ${colourClass(i)}`,
      x1: 0,
      x2: 34,
      y1: 7,
      y2: 7,
      "stroke-dasharray": dashes(i),
    }),
    svg("path", marker(i, 17, 7, 52)),
  );
}

/** A model by its swatch and its name. */
export function modelLabel(i, name) {
  return el("span", { class: "model" }, swatch(i), named(name));
}
