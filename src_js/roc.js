// ROC space: each model's curve and hull, its operating points and the isometric at the condition.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { chartIn, drawAxes, drawMarkers, onPoint } from "./chart.js";
import { skewFromCost } from "./condition.js";
import { byId, el } from "./dom.js";
import { colourClass, dashes } from "./style.js";

// How far from a curve, in pixels, a pointer still points at it.
const REACH = 28;

export function showRoc(report, state) {
  let x = null;
  let y = null;
  let drawn = null;
  const frame = chartIn(byId("roc"), "ROC space", (made) => {
    x = scaleLinear([0, 1], [0, made.width]);
    y = scaleLinear([0, 1], [made.height, 0]);
    drawAxes(made, {
      x: { scale: x },
      y,
      xLabel: "False positive rate",
      yLabel: "True positive rate",
    });
    drawn = made;
    curves();
    points();
  });

  function path({ fpr, tpr }) {
    return line(
      (_, k) => x(fpr[k]),
      (_, k) => y(tpr[k]),
    )(fpr);
  }

  function curves() {
    const shown = state.shownModels();
    const names = shown.map((i) => report.models[i].name).join(", ");
    drawn.root.attr(
      "aria-label",
      `ROC curves of ${names}. The table below gives their operating points.`,
    );
    drawn.plot
      .selectAll("path.curve")
      .data([
        ...shown.map((i) => ({ i, kind: "hull", shape: path(report.hull(i)) })),
        ...shown.map((i) => ({ i, kind: "", shape: path(report.rocOutline(i)) })),
      ])
      .join("path")
      .attr("class", ({ i, kind }) => `curve ${kind} ${colourClass(i)}`)
      .attr("stroke-dasharray", ({ i, kind }) => (kind ? null : dashes(i)))
      .attr("d", ({ shape }) => shape);
    drawn.plot
      .selectAll("line.chance")
      .data([0])
      .join("line")
      .attr("class", "chance")
      .attr("x1", x(0))
      .attr("y1", y(0))
      .attr("x2", x(1))
      .attr("y2", y(1));
  }

  /** The operating points at the condition shown, the isometric of the best, and what is pointed at. */
  function points() {
    const at = { c: state.shown, prevalence: state.condition.prevalence };
    const skew = skewFromCost(at.c, at.prevalence);
    const found = [];
    for (const i of state.shownModels()) {
      for (const choice of state.values.choices) {
        if (!report.available(i, choice)) continue;
        const point = report.operatingPoint(i, choice, at);
        found.push({ i, point, loss: skew * point.fpr + (1 - skew) * point.fnr });
      }
    }
    const best = found.reduce((a, b) => (a === null || b.loss < a.loss ? b : a), null);
    drawn.plot
      .selectAll("line.isometric")
      .data(best === null ? [] : [report.isometric({ skew }, best.point)])
      .join("line")
      .attr("class", "isometric")
      .attr("x1", ({ fpr }) => x(fpr[0]))
      .attr("y1", ({ tpr }) => y(tpr[0]))
      .attr("x2", ({ fpr }) => x(fpr[1]))
      .attr("y2", ({ tpr }) => y(tpr[1]));
    drawMarkers(drawn, found, ({ point }) => [x(point.fpr), y(1 - point.fnr)]);
    const { rocPoint } = state.values;
    drawn.over
      .selectAll("circle.pointed")
      .data(rocPoint === null ? [] : [rocPoint])
      .join("circle")
      .attr("class", ({ model }) => `pointed ${colourClass(model)}`)
      .attr("r", 7)
      .attr("cx", ({ fpr }) => x(fpr))
      .attr("cy", ({ fnr }) => y(1 - fnr));
  }

  const nearest = ([px, py]) => {
    let found = null;
    let least = REACH ** 2;
    for (const model of state.shownModels()) {
      const { fpr, tpr } = report.rocLine(model);
      for (let k = 0; k < fpr.length; k += 1) {
        const far = (x(fpr[k]) - px) ** 2 + (y(tpr[k]) - py) ** 2;
        if (far < least) {
          least = far;
          found = [model, k];
        }
      }
    }
    return found && pointOn(report, ...found);
  };
  let kept = null;
  onPoint(
    frame,
    (at) => {
      const found = at === null ? kept : nearest(at);
      if (found !== state.values.rocPoint) state.set({ rocPoint: found });
    },
    (at) => {
      kept = nearest(at);
      state.set({ rocPoint: kept });
    },
  );
  state.watch(["models"], () => {
    kept = null;
    curves();
  });
  state.watch(["condition", "models", "choices", "pointed", "kept", "rocPoint"], points);
}

function pointOn(report, model, k) {
  const { fpr, tpr, thresholds } = report.rocLine(model);
  return { model, fpr: fpr[k], fnr: 1 - tpr[k], threshold: thresholds[k] };
}

/** A model and a position on its curve: what the pointer does, by keyboard. */
export function showRocWalk(report, state) {
  const which = byId("roc-model");
  const along = byId("roc-along");
  which.append(...report.models.map(({ name }, i) => el("option", { value: i }, name)));
  const put = () => {
    const model = Number(which.value);
    const last = report.rocLine(model).fpr.length - 1;
    along.max = String(last);
    const point = pointOn(report, model, Math.min(Number(along.value), last));
    along.setAttribute(
      "aria-valuetext",
      `false positive rate ${point.fpr.toFixed(4)}, true positive rate ${(1 - point.fnr).toFixed(4)}`,
    );
    const models = [...state.values.models];
    if (models[model]) state.set({ rocPoint: point });
    else {
      models[model] = true;
      state.set({ models, rocPoint: point });
    }
  };
  which.addEventListener("change", put);
  along.addEventListener("input", put);
  along.addEventListener("blur", () => state.set({ rocPoint: null }));
  along.max = String(report.rocLine(0).fpr.length - 1);
}
