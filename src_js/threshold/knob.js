// The handles on a chart that move along its axis: by mouse, by touch, and by keyboard.
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

/**
 * One for each step between neighbouring actions: `names()` are what they move, `at(k)` is where one is,
 * in pixels; `move(k, pixel)` puts it; `words(k)` says what that is.
 */
export function knobsIn(place, frame, { most, names, at, move, words }) {
  const put = (k, pixel) => move(k, Math.min(Math.max(pixel, 0), frame.width));
  const knobs = Array.from({ length: most }, (_, k) => {
    const knob = el("div", {
      class: "knob screen",
      role: "slider",
      tabindex: 0,
      "aria-valuemin": 0,
      "aria-valuemax": STEPS,
    });
    // The handle alone is no press to begin with: it moves once the pointer does, and as far.
    let off = 0;
    const grasp = (event) => (off = placeOf(frame, event)[0] - at(k));
    draggable(knob, grasp, (event) => put(k, placeOf(frame, event)[0] - off));
    knob.addEventListener("keydown", (event) => {
      const { key } = event;
      if (!(key in KEYS) && !(key in ENDS)) return;
      event.preventDefault();
      put(k, key in ENDS ? ENDS[key] * frame.width : at(k) + KEYS[key] * frame.width);
    });
    return knob;
  });
  // What is pressed beside them moves the nearest; of two in one place that on its side.
  let held = 0;
  const follow = (event) => put(held, placeOf(frame, event)[0]);
  const press = (event) => {
    const pixel = placeOf(frame, event)[0];
    const far = names().map((_, k) => Math.abs(at(k) - pixel));
    const nearest = Math.min(...far);
    held = pixel < at(0) ? far.indexOf(nearest) : far.lastIndexOf(nearest);
    follow(event);
  };
  draggable(frame.root.node(), press, follow);
  return {
    place() {
      const shown = names();
      for (const knob of knobs.slice(shown.length)) knob.remove();
      for (const [k, knob] of knobs.slice(0, shown.length).entries()) {
        if (!knob.isConnected) place.append(knob);
        const pixel = at(k);
        // Two in one place stand side by side.
        knob.className = shown.length > 1 ? `knob screen ${["left", "right"][k]}` : "knob screen";
        knob.style.left = `${frame.margin.left + pixel}px`;
        knob.style.top = `${frame.margin.top + frame.money}px`;
        knob.setAttribute("aria-label", shown[k]);
        knob.setAttribute("aria-valuenow", Math.round((STEPS * pixel) / frame.width));
        knob.setAttribute("aria-valuetext", words(k));
      }
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
