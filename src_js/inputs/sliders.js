// Two thumbs on one rail, for the two ends of an amount; one of them for a value.
import { expit, logit } from "../curves/conditions.js";
import { el } from "../dom.js";

const STEPS = 300;
// Of what a thumb is moved to.
const DIGITS = 2;

const SCALES = {
  log: { to: Math.log, from: Math.exp },
  logit: { to: logit, from: expit },
};

/** Thumbs over `domain`, on a "log" or "logit" scale; `moved(ends)` is called as they move. */
export function slider({ label, scale, domain, shown, moved }) {
  const { place, value } = steps(scale, domain);
  const thumbs = ["lowest", "highest"].map((which) =>
    el("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": `${label}, ${which}` }),
  );
  const [low, high] = thumbs;
  const element = el("div", { class: "slider" }, low, high);
  let wide = false;
  // What thumbs stand for, which keeps digits that they have no steps for.
  let at = null;
  for (const [k, thumb] of thumbs.entries()) {
    thumb.addEventListener("input", () => {
      const x = value(thumb);
      const other = wide ? at[1 - k] : x;
      // What is moved pushes the other along.
      if (k === 0 ? x > other : x < other) moved([x, x]);
      else moved(k === 0 ? [x, other] : [other, x]);
    });
  }
  /** Puts the thumbs where two ends are, or nowhere; not one that is being moved. */
  const follow = (ends) => {
    at = ends;
    // Thumbs that meet under way stay two.
    const held = wide && thumbs.includes(document.activeElement);
    wide = ends !== null && (ends[0] < ends[1] || held);
    low.setAttribute("aria-label", wide ? `${label}, lowest` : label);
    high.hidden = !wide;
    for (const [k, thumb] of thumbs.entries()) {
      const x = ends === null ? null : ends[k];
      const moving = document.activeElement === thumb && value(thumb) === x;
      if (!moving) thumb.value = x === null ? STEPS / 2 : place(x);
      thumb.setAttribute("aria-valuetext", x === null ? "not given" : shown(x));
    }
    element.classList.toggle("unset", ends === null);
    const [first, last] = thumbs.map((thumb) => Number(thumb.value) / STEPS);
    element.style.setProperty("--from", String(wide ? first : 0));
    element.style.setProperty("--to", String(wide ? last : first));
  };
  return { element, follow };
}

/** Where a number stands on a rail, and the number that a thumb stands for. */
function steps(scale, domain) {
  const { to, from } = SCALES[scale];
  const [start, end] = domain.map(to);
  const inside = (x) => Math.min(Math.max(to(x), start), end);
  return {
    place: (x) => Math.round((STEPS * (inside(x) - start)) / (end - start)),
    value: (thumb) => rounded(from(start + ((end - start) * Number(thumb.value)) / STEPS)),
  };
}

/** Two ends around a value, and one value between two ends. */
export function widened([value], scale) {
  const { to, from } = SCALES[scale];
  return [-Math.LN2, Math.LN2].map((by) => rounded(from(to(value) + by)));
}

export function narrowed([low, high], scale) {
  const { to, from } = SCALES[scale];
  const middle = rounded(from((to(low) + to(high)) / 2));
  return [middle, middle];
}

/** The costs that thumbs reach: a decade or more around those given. */
export function costDomain(...ends) {
  const decades = [Math.min(...ends), Math.max(...ends)].map(Math.log10);
  return [10 ** (Math.floor(decades[0]) - 1), 10 ** (Math.ceil(decades[1]) + 1)];
}

export function prevalenceDomain(low, high) {
  return [Math.min(0.001, rounded(low / 10)), Math.max(0.9, 1 - rounded((1 - high) / 2))];
}

function rounded(x) {
  return Number(x.toPrecision(DIGITS));
}
