// How each class's scores lie, one small picture a model.
import { axisBottom } from "d3-axis";
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { area, curveStepAfter } from "d3-shape";
import { byId, el, svg } from "./dom.js";
import { thresholdOf } from "./engine/rule.js";
import { colourClass, swatch } from "./style.js";
import { thresholdText } from "./words.js";

const WIDTH = 340;
const HEIGHT = 150;
const MARGIN = { left: 12, right: 12, top: 22, bottom: 28 };

export function showHistograms(report, contents, state, costsNow) {
  const pictures = contents.models.map(picture);
  byId("histograms").append(...pictures.map(({ element }) => element));
  const update = () => {
    for (const { element } of pictures) element.hidden = true;
    for (const { i, single } of costsNow().models) {
      pictures[i].element.hidden = false;
      pictures[i].mark(thresholdOf(single.point.rule));
    }
  };
  state.watch(["condition", "models"], update);
  update();
}

function picture({ name, histogram: { edges, negatives, positives } }, i) {
  const bins = edges.length - 1;
  const x = scaleLinear([edges[0], edges[bins]], [MARGIN.left, WIDTH - MARGIN.right]);
  const shares = [negatives, positives].map((counts) => {
    const all = counts.reduce((a, b) => a + b, 0);
    return counts.map((value) => value / (all || 1));
  });
  const top = max(shares.flat());
  const y = scaleLinear([0, top], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const root = svg("svg", {
    class: "chart histogram",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": `Scores of ${name} by class`,
  });
  const shape = area(
    (_, k) => x(edges[Math.min(k, bins)]),
    y(0),
    (value) => y(value),
  ).curve(curveStepAfter);
  for (const [k, share] of shares.entries()) {
    root.append(
      svg("path", {
        class: k === 0 ? "negatives" : `positives ${colourClass(i)}`,
        d: shape([...share, share[bins - 1]]),
      }),
    );
  }
  select(root)
    .append("g")
    .attr("class", "axis")
    .attr("transform", `translate(0,${HEIGHT - MARGIN.bottom})`)
    .call(axisBottom(x).ticks(5).tickSizeOuter(0));
  const cut = svg("line", { class: "cut", y1: MARGIN.top - 6, y2: HEIGHT - MARGIN.bottom });
  const text = svg("text", { class: "cut", y: MARGIN.top - 10 });
  root.append(cut, text);
  const mark = (threshold) => {
    const inside = threshold >= edges[0] && threshold <= edges[bins];
    for (const part of [cut, text]) part.setAttribute("visibility", inside ? "visible" : "hidden");
    if (!inside) return;
    const at = x(threshold);
    cut.setAttribute("x1", at);
    cut.setAttribute("x2", at);
    const left = at < WIDTH / 2;
    text.setAttribute("x", at + (left ? -1 : 1));
    text.setAttribute("text-anchor", left ? "start" : "end");
    text.textContent = `flag above ${thresholdText(threshold)}`;
  };
  const element = el(
    "figure",
    {},
    el("figcaption", {}, el("span", { class: "model" }, swatch(i), name)),
    root,
  );
  return { element, mark };
}
