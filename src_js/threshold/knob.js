// The handle on a chart that moves along its axis: by mouse, by touch, and by keyboard.
import { el } from "../dom.js";
import { placeOf } from "../drawing/chart.js";

// Shares of the width that keys move it by.
const KEYS = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
};
const ENDS = { Home: 0, End: 1 };
const STEPS = 1000;

/** `at()` is where it is, in pixels; `move(pixel)` puts it; `words()` says what that is. */
export function knobIn(place, frame, { at, move, words }) {
  const knob = el("div", {
    class: "knob screen",
    role: "slider",
    tabindex: 0,
    "aria-label": "Threshold",
    "aria-valuemin": 0,
    "aria-valuemax": STEPS,
  });
  place.append(knob);
  const put = (pixel) => move(Math.min(Math.max(pixel, 0), frame.width));
  const follow = (event) => put(placeOf(frame, event)[0]);
  draggable(frame.root.node(), follow, follow);
  // The handle alone is no press to begin with: it moves once the pointer does.
  draggable(knob, () => {}, follow);
  knob.addEventListener("keydown", (event) => {
    const { key } = event;
    if (!(key in KEYS) && !(key in ENDS)) return;
    event.preventDefault();
    put(key in ENDS ? ENDS[key] * frame.width : at() + KEYS[key] * frame.width);
  });
  return {
    place() {
      const pixel = at();
      knob.style.left = `${frame.margin.left + pixel}px`;
      knob.style.top = `${frame.margin.top + frame.money}px`;
      knob.setAttribute("aria-valuenow", Math.round((STEPS * pixel) / frame.width));
      knob.setAttribute("aria-valuetext", words());
    },
  };
}

/** Calls back when something is pressed, and while it is dragged from there. */
function draggable(part, pressed, dragged) {
  let dragging = false;
  part.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    dragging = true;
    part.setPointerCapture(event.pointerId);
    pressed(event);
  });
  part.addEventListener("pointermove", (event) => dragging && dragged(event));
  for (const end of ["pointerup", "pointercancel"]) {
    part.addEventListener(end, () => (dragging = false));
  }
}
