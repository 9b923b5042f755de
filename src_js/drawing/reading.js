// Values of a chart beside what is pointed at; where it has points, by arrow keys too.
import { byId, el } from "../dom.js";
import { placeOf } from "./chart.js";

// How far, in pixels, a line may be from a pointer that reads it, and a value from its point.
const REACH = 40;
const APART = 10;
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Shows what `near([x, y])` finds there: {x, y, text}, in pixels, or null. `points()` are all of
 * these in order, for who has no pointer.
 */
export function readValues(frame, near, points = null) {
  const value = el("div", { class: "value screen", hidden: true });
  const dot = el("div", { class: "value-dot screen", hidden: true });
  frame.container.append(dot, value);
  const show = (found) => {
    value.hidden = dot.hidden = found === null;
    if (found === null) return;
    const [x, y] = [frame.margin.left + found.x, frame.margin.top + found.y];
    Object.assign(dot.style, { left: `${x}px`, top: `${y}px` });
    value.textContent = found.text;
    const left = Math.max(Math.min(x - value.offsetWidth / 2, frame.full - value.offsetWidth), 0);
    const above = y - value.offsetHeight - APART;
    Object.assign(value.style, { left: `${left}px`, top: `${above < 0 ? y + APART : above}px` });
  };
  const svg = frame.root.node();
  for (const name of ["pointermove", "pointerdown"]) {
    // What is dragged says itself what it does.
    svg.addEventListener(name, (event) => show(event.buttons && name === "pointermove" ? null : near(placeOf(frame, event))));
  }
  svg.addEventListener("pointerleave", () => show(null));
  if (points === null) return;
  let at = -1;
  svg.setAttribute("tabindex", 0);
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(null);
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    const all = points();
    at = Math.min(Math.max(at + STEPS[event.key], 0), all.length - 1);
    show(all[at] ?? null);
    byId("said").textContent = all[at]?.text ?? "";
  });
  svg.addEventListener("blur", () => show(null));
}

/** Which of some points is nearest to a place, the nearest line to its height within reach; null if none is. */
export function nearestOf(found, [px, py]) {
  let best = null;
  let least = REACH;
  for (const one of found) {
    const far = Math.hypot(one.x - px, one.y - py);
    if (far < least) [best, least] = [one, far];
  }
  return best;
}
