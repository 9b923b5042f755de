// The frame of a chart: a figure with its title, controls, note and exports.
import { el } from "../dom.js";
import { exportMenu } from "./exporting.js";

/**
 * A figure in a container: {figure, heading, place, controls, note}. `table()` gives what it shows
 * as {head, rows}, for export; `level` is that of its heading.
 */
export function figureIn(container, { title, name, table, className = "", level = "h3" }) {
  const place = el("div", { class: "frame" });
  const controls = el("div", { class: "chart-controls screen" });
  const note = el("p", { class: "hint" });
  const heading = el(level, { class: "chart-title" }, title);
  const figure = el(
    "figure",
    { class: `chart-figure ${className}` },
    el("figcaption", {}, heading, exportMenu(place, name, table)),
    controls,
    place,
    note,
  );
  container.append(figure);
  return { figure, heading, place, controls, note };
}

/** A choice of few, with its label before it. */
export function pick(label, options, chosen, onChange) {
  const select = el(
    "select",
    { onchange: (event) => onChange(event.target.value) },
    options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
  );
  return { element: el("label", { class: "pick" }, `${label} `, select), select };
}

/** Calls back when the page has another answer or currency, not when more is known of the answer. */
export function onAnswer(state, update) {
  state.watch(["decision", "currency"], (changed) => {
    if (!changed.has("details")) update();
  });
}
