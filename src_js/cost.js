// Cost space: each model's loss curve for the threshold choices shown, and the condition that they are read at.
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { chartIn, conditionAxis, drawAxes, drawMarkers, onPoint } from "./chart.js";
import { costLine, fromAxis, toAxis } from "./condition.js";
import { byId } from "./dom.js";
import { colourClass, dashes } from "./style.js";
import { AXES, brief } from "./words.js";

// Where straight lines are drawn through, since a logit scale bends them.
const STEPS = 200;
const FINE = 500;
const TRIVIAL = [
  ["flag everybody", { fpr: 1, fnr: 0 }],
  ["flag nobody", { fpr: 0, fnr: 1 }],
];
// The least height of the axis of losses, and how many times its height a line may reach: browsers
// draw in single precision.
const [LOWEST, FARTHEST] = [1e-25, 1e6];
// At which share of the height they are named, and how wide, in pixels, the names are.
const NAMED_AT = 0.86;
const ROOM = 100;

export function showCost(report, state) {
  let x = null;
  let y = null;
  let drawn = null;
  const frame = chartIn(byId("cost"), "Cost space", (made) => {
    drawn = made;
    curves();
  });

  function curves() {
    const { axis, scale, choices } = state.values;
    const p = state.condition.prevalence;
    x = conditionAxis(scale, drawn.width);
    const several = choices.length > 1;
    const found = [];
    for (const i of state.shownModels()) {
      for (const [k, choice] of choices.entries()) {
        if (!report.available(i, choice)) continue;
        found.push({
          i,
          dash: dashes(several ? k : i),
          ...report.curve(i, choice, axis, p, scale),
        });
      }
    }
    const trivial = TRIVIAL.map(([, point]) => costLine(axis, point, p));
    // The highest that the better of the two reaches, where they cross.
    const [everybody, nobody] = trivial.map((ends) => max(ends));
    const tent = (everybody * nobody) / (everybody + nobody);
    const top = Math.max(tent, max(found, (curve) => max(curve.y)) ?? 0, LOWEST);
    y = scaleLinear([0, top * 1.06], [drawn.height, 0]).nice();
    drawAxes(drawn, { x, y, xLabel: axisLabel(axis, drawn.narrow()), yLabel: AXES[axis][2] });
    drawn.plot
      .selectAll("path.trivial")
      .data(trivial)
      .join("path")
      .attr("class", "trivial")
      .attr("d", straight);
    drawn.plot
      .selectAll("path.curve")
      .data(found)
      .join("path")
      .attr("class", ({ i }) => `curve ${colourClass(i)}`)
      .attr("stroke-dasharray", ({ dash }) => dash)
      .attr("d", (curve) => smooth(curve));
    nameTrivial(trivial);
    const [low, high] = ends(axis);
    drawn.plot
      .selectAll("rect.known")
      .data(low < high ? [0] : [])
      .join("rect")
      .attr("class", "known")
      .attr("x", x.at(low))
      .attr("width", Math.max(x.at(high) - x.at(low), 1))
      .attr("y", 0)
      .attr("height", drawn.height);
    points();
    state.frame = { x, drawn };
  }

  /** The names of the two rules that need no model, beside their lines. */
  function nameTrivial(lines) {
    const shown = lines.flatMap(([first, last], k) => {
      const height = NAMED_AT * Math.min(y.domain()[1], Math.max(first, last));
      const at = x.at((height - first) / (last - first));
      const left = last > first;
      // Outside the two, if there is room.
      if ((left ? at : drawn.width - at) < ROOM) return [];
      return {
        text: TRIVIAL[k][0],
        at: at + (left ? -8 : 8),
        height,
        anchor: left ? "end" : "start",
      };
    });
    drawn.over
      .selectAll("text.trivial-name")
      .data(shown)
      .join("text")
      .attr("class", "trivial-name")
      .attr("y", ({ height }) => y(height) + 4)
      .attr("x", ({ at }) => at)
      .attr("text-anchor", ({ anchor }) => anchor)
      .text(({ text }) => text);
  }

  /** The conditions that were typed in, on an axis. */
  function ends(axis) {
    if (axis === "cost") return state.condition.costs;
    const [low, high] = state.condition.skews;
    return axis === "skew" ? [low, high] : [1 - high, 1 - low];
  }

  function straight([first, last]) {
    const xs = Array.from({ length: STEPS + 1 }, (_, k) => x.invert((k * drawn.width) / STEPS));
    const highest = FARTHEST * y.domain()[1];
    return line(
      (at) => x.at(at),
      (at) => y(Math.min(first + (last - first) * at, highest)),
    )(xs);
  }

  /** A polyline, with points between where a logit scale would bend it. */
  function smooth(curve) {
    const path = line(
      (at) => x.at(at[0]),
      (at) => y(at[1]),
    );
    const pairs = Array.from(curve.x, (at, k) => [at, curve.y[k]]);
    if (state.values.scale === "linear") return path(pairs);
    const fine = [pairs[0]];
    for (let k = 1; k < pairs.length; k += 1) {
      const [[x0, y0], [x1, y1]] = [pairs[k - 1], pairs[k]];
      const between = Math.min(
        Math.ceil(Math.abs(x.at(x1) - x.at(x0)) / (drawn.width / FINE)),
        FINE,
      );
      for (let j = 1; j < between; j += 1) {
        const at = x.invert(x.at(x0) + ((x.at(x1) - x.at(x0)) * j) / between);
        if (x1 > x0 && at > x0 && at < x1)
          fine.push([at, y0 + ((y1 - y0) * (at - x0)) / (x1 - x0)]);
      }
      fine.push(pairs[k]);
    }
    return path(fine);
  }

  /** Where the curves are read, and the cost line of a ROC point that is pointed at. */
  function points() {
    const { axis, choices, rocPoint } = state.values;
    const p = state.condition.prevalence;
    const at = toAxis(axis, state.shown, p);
    const found = [];
    for (const i of state.shownModels()) {
      for (const choice of choices) {
        if (report.available(i, choice)) {
          found.push({ i, loss: report.lossAt(i, choice, axis, at, p) });
        }
      }
    }
    drawn.plot
      .selectAll("line.condition")
      .data([at])
      .join("line")
      .attr("class", `condition${state.looking ? " looking" : ""}`)
      .attr("x1", x.at)
      .attr("x2", x.at)
      .attr("y1", 0)
      .attr("y2", drawn.height);
    drawMarkers(drawn, found, ({ loss }) => [x.at(at), y(loss)]);
    const label = drawn.over
      .selectAll("text.condition")
      .data([at])
      .join("text")
      .attr("class", "condition");
    const right = x.at(at) < drawn.width / 2;
    label
      .attr("x", x.at(at) + (right ? 8 : -8))
      .attr("y", 14)
      .attr("text-anchor", right ? "start" : "end")
      .text(`${AXES[axis][0]} ${brief(at)}`);
    drawn.plot
      .selectAll("path.cost-line")
      .data(rocPoint === null ? [] : [rocPoint])
      .join("path")
      .attr("class", ({ model }) => `cost-line ${colourClass(model)}`)
      .attr("d", (point) => straight(costLine(axis, point, p)));
  }

  const conditionAt = ([px]) =>
    fromAxis(state.values.axis, x.invert(px), state.condition.prevalence);
  onPoint(
    frame,
    (at) => state.set({ pointed: at === null ? null : conditionAt(at) }),
    (at) => state.set({ kept: conditionAt(at) }),
  );
  const slider = byId("look");
  const follow = () => {
    const at = toAxis(state.values.axis, state.shown, state.condition.prevalence);
    slider.value = String(Math.round((1000 * x.at(at)) / drawn.width));
    slider.setAttribute("aria-valuetext", `${AXES[state.values.axis][0]} ${brief(at)}`);
  };
  slider.addEventListener("input", () => {
    state.set({ kept: conditionAt([(Number(slider.value) / 1000) * drawn.width]) });
  });
  byId("look-back").addEventListener("click", () => state.set({ kept: null, pointed: null }));
  byId("look-use").addEventListener("click", () => {
    // The cost of a false negative stays, and that of a false positive makes the proportion.
    const c = Math.min(Math.max(state.shown, 1e-6), 1 - 1e-6);
    const [low, high] = state.values.fnCost;
    const fn = Math.sqrt(low * high);
    const fp = Number(((fn * c) / (1 - c)).toPrecision(6));
    state.set({ fpCost: [fp, fp], fnCost: [fn, fn] });
  });
  state.watch(["condition", "models", "choices", "axis", "scale"], () => {
    curves();
    describe();
    follow();
  });
  state.watch(["pointed", "kept", "rocPoint"], () => {
    points();
    follow();
  });

  function describe() {
    const { axis, choices } = state.values;
    const names = state.shownModels().map((i) => report.models[i].name);
    drawn.root.attr(
      "aria-label",
      `${AXES[axis][2]} against ${AXES[axis][0].toLowerCase()} of ${names.join(", ")}, thresholds ` +
        `set by: ${choices.map(({ label }) => label).join(", ")}. The table below gives the values.`,
    );
  }
  describe();
  follow();
}

function axisLabel(axis, narrow) {
  const [name, meaning] = AXES[axis];
  return narrow ? name : `${name}: ${meaning}`;
}
