// A surface in three dimensions, projected here. It turns by dragging and by the arrow keys.
import { select } from "d3-selection";
import { byId, el } from "./dom.js";
import { colourClass } from "./style.js";
import { CELLS, lossSurface, rocSurface, TICKS } from "./surfaces.js";
import { beforePrint } from "./turns.js";
import { brief } from "./words.js";

const [WIDTH, HEIGHT] = [640, 410];
const SIZE = 270;
const STEP = 5;
// As in the style: texts are larger there, beside what is drawn.
const SMALL = matchMedia("(max-width: 44rem)");
const START = { turn: -38, tilt: 26 };

export function showSurface(report, state) {
  const root = select(byId("surface"))
    .append("svg")
    .attr("class", "chart surface")
    .attr("viewBox", `0 0 ${WIDTH} ${HEIGHT}`)
    .attr("role", "img")
    .attr("aria-label", "A surface in three dimensions")
    .attr("tabindex", 0);
  const floor = root.append("g");
  const cells = root.append("g");
  const over = root.append("g");
  const kind = byId("surface-kind");
  const which = byId("surface-model");
  which.append(...report.models.map(({ name }, i) => el("option", { value: i }, name)));
  const view = { ...START };
  let made = null;

  function make() {
    const models = which.value === "all" ? state.shownModels() : [Number(which.value)];
    made =
      kind.value === "roc"
        ? rocSurface(report, models)
        : lossSurface(report, models, state.values.choices[0]);
    root.attr("aria-label", `${made.title}. ${made.summary} Arrow keys turn it.`);
    byId("surface-said").textContent = `${made.title}. ${made.summary}`;
    draw();
  }

  function draw() {
    const at = projection(view, made.top);
    const quads = [];
    for (let i = 0; i < CELLS; i += 1) {
      for (let j = 0; j < CELLS; j += 1) {
        const corners = [
          [i, j],
          [i + 1, j],
          [i + 1, j + 1],
          [i, j + 1],
        ].map(([a, b]) => at(a / CELLS, b / CELLS, made.heights[a][b]));
        const colour = made.colours[i][j];
        const height = (made.heights[i][j] + made.heights[i + 1][j + 1]) / 2 / made.top;
        quads.push({
          depth: corners.reduce((sum, [, , far]) => sum + far, 0),
          points: corners.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" "),
          name: colour === null ? "quad trivial" : `quad ${colourClass(colour)}`,
          shade: (0.35 + 0.6 * Math.min(Math.max(height, 0), 1)).toFixed(2),
        });
      }
    }
    quads.sort((a, b) => a.depth - b.depth);
    cells
      .selectAll("polygon")
      .data(quads)
      .join("polygon")
      .attr("class", ({ name }) => name)
      .attr("fill-opacity", ({ shade }) => shade)
      .attr("points", ({ points }) => points);
    frame(at);
    pin();
  }

  function frame(at) {
    const path = (...points) =>
      `M${points.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join("L")}`;
    const lines = TICKS.flatMap((t) => [
      path(at(t, 0, 0), at(t, 1, 0)),
      path(at(0, t, 0), at(1, t, 0)),
    ]);
    floor.selectAll("path").data(lines).join("path").attr("class", "floor").attr("d", String);
    // Ticks stand at the two edges that are nearest, heights at the leftmost upright.
    const near = (a, b) => (a[2] > b[2] ? a : b);
    const frontY = near([0, 0, at(0.5, 0, 0)[2]], [0, 1, at(0.5, 1, 0)[2]])[1];
    const frontX = near([0, 0, at(0, 0.5, 0)[2]], [0, 1, at(1, 0.5, 0)[2]])[1];
    const away = (t) => (t === 0 ? -0.08 : 1.08);
    const [out, each] = SMALL.matches ? [0.42, 2] : [0.27, 1];
    const far = (t) => (t === 0 ? -out : 1 + out);
    const some = (ticks) => ticks.filter((_, k) => k % each === 0);
    const corner = [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ].reduce((a, b) => (at(...a, 0)[0] <= at(...b, 0)[0] ? a : b));
    const texts = [
      ...some(TICKS).map((t) => ({ at: at(t, away(frontY), 0), text: brief(t) })),
      ...some(made.yTicks).map(([t, text]) => ({ at: at(away(frontX), t, 0), text })),
      { at: at(0.5, far(frontY), 0), text: made.xLabel, title: true },
      { at: at(far(frontX), 0.5, 0), text: made.yLabel, title: true },
      ...[0.5, 1].map((t) => {
        const [a, b] = at(...corner, t * made.top);
        return { at: [a - 26, b], text: Number((t * made.top).toPrecision(3)).toString() };
      }),
    ];
    over
      .selectAll("text")
      .data(texts)
      .join("text")
      .attr("class", ({ title }) => (title ? "label" : "tick"))
      .attr("x", ({ at: [a] }) => a)
      .attr("y", ({ at: [, b] }) => b + 4)
      .text(({ text }) => text);
    over
      .selectAll("path.upright")
      .data([path(at(...corner, 0), at(...corner, made.top))])
      .join("path")
      .attr("class", "upright")
      .attr("d", String);
  }

  /** The condition that was typed in, on the surface. */
  function pin() {
    const at = projection(view, made.top);
    const place = made.pin(state.condition);
    const inside = place.every((part) => Number.isFinite(part));
    const ends = inside ? [at(place[0], place[1], 0), at(...place)] : [];
    over
      .selectAll("line.pin")
      .data(inside ? [ends] : [])
      .join("line")
      .attr("class", "pin")
      .attr("x1", ([a]) => a[0])
      .attr("y1", ([a]) => a[1])
      .attr("x2", ([, b]) => b[0])
      .attr("y2", ([, b]) => b[1]);
    over
      .selectAll("circle.pin")
      .data(inside ? [ends[1]] : [])
      .join("circle")
      .attr("class", "pin")
      .attr("r", 5)
      .attr("cx", ([a]) => a)
      .attr("cy", ([, b]) => b);
  }

  const turn = (by, up) => {
    view.turn += by;
    view.tilt = Math.min(Math.max(view.tilt + up, 5), 85);
    draw();
  };
  let from = null;
  root
    .on("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      root.node().setPointerCapture(event.pointerId);
    })
    .on("pointermove", (event) => {
      if (from === null) return;
      turn((event.clientX - from[0]) / 3, (event.clientY - from[1]) / 3);
      from = [event.clientX, event.clientY];
    })
    .on("pointerup pointercancel", () => {
      from = null;
    })
    .on("keydown", (event) => {
      const keys = {
        ArrowLeft: [-STEP, 0],
        ArrowRight: [STEP, 0],
        ArrowUp: [0, STEP],
        ArrowDown: [0, -STEP],
      };
      if (!(event.key in keys)) return;
      event.preventDefault();
      turn(...keys[event.key]);
    });
  kind.addEventListener("change", make);
  which.addEventListener("change", make);
  byId("surface-reset").addEventListener("click", () => {
    Object.assign(view, START);
    draw();
  });
  // Not before somebody looks: the page should open at once.
  let stale = true;
  let seen = false;
  const look = () => {
    if (!seen || !stale) return;
    stale = false;
    make();
  };
  new IntersectionObserver(
    ([entry]) => {
      seen = entry.isIntersecting;
      look();
    },
    { rootMargin: "200px" },
  ).observe(byId("surface"));
  beforePrint(() => {
    seen = true;
    look();
  });
  state.watch(["models", "choices"], () => {
    stale = true;
    look();
  });
  state.watch(["condition"], () => {
    if (made !== null) pin();
  });
}

/** From a box of sides 1 and a height to pixels; the third number grows towards the eye. */
function projection({ turn, tilt }, top) {
  const [a, b] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180];
  const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return (x, y, z) => {
    const [u, v, w] = [x - 0.5, y - 0.5, z / top - 0.5];
    const across = u * ca + v * sa;
    const deep = -u * sa + v * ca;
    return [
      WIDTH / 2 + SIZE * 1.15 * across,
      HEIGHT / 2 - 14 - SIZE * (w * cb * 0.85 + deep * sb),
      -deep * cb + w * sb,
    ];
  };
}
