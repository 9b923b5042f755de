// A range of conditions, brushed or set by two sliders, and each curve's mean loss over it.
import { bisectCenter } from "d3-array";
import { brushX } from "d3-brush";
import { select } from "d3-selection";
import { LEFT } from "./chart.js";
import { byId, el, number, table } from "./dom.js";
import { modelLabel } from "./style.js";
import { AXES, brief, exact } from "./words.js";

const HEIGHT = 24;

export function showRange(report, state) {
  const root = select(byId("brush"))
    .append("svg")
    .attr("class", "brush-strip")
    .attr("aria-hidden", "true");
  const strip = root.append("g");
  const track = strip.append("rect").attr("class", "rail");
  const brush = brushX();
  const selection = strip.append("g").attr("class", "brush");
  const [low, high] = ["range-low", "range-high"].map(byId);
  let moving = false;

  const place = () => {
    const { x, drawn } = state.frame;
    root
      .attr("viewBox", `0 0 ${drawn.full} ${HEIGHT}`)
      .attr("width", drawn.full)
      .attr("height", HEIGHT);
    strip.attr("transform", `translate(${LEFT},0)`);
    track.attr("width", drawn.width).attr("height", HEIGHT);
    brush.extent([
      [0, 0],
      [drawn.width, HEIGHT],
    ]);
    moving = true;
    selection.call(brush).call(brush.move, state.range.map(x.at));
    moving = false;
  };
  brush.on("brush end", ({ selection: at, sourceEvent, type }) => {
    if (moving || !sourceEvent) return;
    const { x } = state.frame;
    if (at !== null) {
      // While it is dragged the brush stays under the pointer; let go, it snaps to its knots.
      state.set({ range: state.snapped(...at.map(x.invert)) });
    }
    if (type === "end") place();
  });
  const sliders = () => {
    const knots = state.knots();
    for (const [k, slider] of [low, high].entries()) {
      slider.min = "0";
      slider.max = String(knots.length - 1);
      slider.value = String(bisectCenter(knots, state.range[k]));
      slider.setAttribute("aria-valuetext", brief(state.range[k]));
    }
  };
  for (const slider of [low, high]) {
    slider.addEventListener("input", () => {
      const knots = state.knots();
      const last = knots.length - 1;
      let [from, to] = [Number(low.value), Number(high.value)];
      // The end that is not moved is pushed along.
      if (from >= to) {
        if (slider === low) [from, to] = [Math.min(from, last - 1), Math.min(from + 1, last)];
        else [from, to] = [Math.max(to - 1, 0), Math.max(to, 1)];
      }
      state.set({ range: [knots[from], knots[to]] });
      place();
    });
  }
  const update = () => {
    sliders();
    byId("means").replaceChildren(...means(report, state));
  };
  state.watch(["range", "condition", "models", "choices", "axis", "scale"], (changed) => {
    if (changed.has("axis") || changed.has("scale")) place();
    update();
  });
  new ResizeObserver(place).observe(byId("cost"));
  place();
  update();
}

function means(report, state) {
  const { axis, choices, scale } = state.values;
  const p = state.condition.prevalence;
  const shown = state.shownModels();
  let [low, high] = state.range;
  const found = choices.map((choice) =>
    shown.map((i) => {
      if (!report.available(i, choice)) return null;
      const mean = report.meanLoss(i, choice, axis, ...state.range, p, scale);
      ({ low, high } = mean);
      return mean.value;
    }),
  );
  const least = Math.min(...found.flat().filter((value) => value !== null));
  return [
    el(
      "p",
      { class: "at" },
      el("b", {}, "Mean loss"),
      ` over ${AXES[axis][0].toLowerCase()} from `,
      number(low, brief(low)),
      " to ",
      number(high, brief(high)),
      `, prevalence ${brief(p)}`,
    ),
    table({
      caption: "Mean loss over the range, by threshold choice and model",
      head: ["Threshold set by", ...shown.map((i) => modelLabel(i, report.models[i].name))],
      rows: choices.map((choice, row) => [
        choice.label,
        ...found[row].map((value) => ({
          content: number(value ?? Number.NaN, exact(value)),
          className: value !== null && value <= least + 1e-12 ? "best" : null,
        })),
      ]),
    }),
  ];
}
