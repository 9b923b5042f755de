// Money against the threshold: a line a model, the recommended rule, and the scores of both classes.
import { chartIn, describe } from "./chart.js";
import { byId, el } from "./dom.js";
import { figureIn, onAnswer, pick } from "./framing.js";
import { drawScores } from "./histogram.js";
import { knobIn } from "./knob.js";
import { drawMoney } from "./money_panel.js";
import { bestScale, SCALES, scalesFor, thresholdAxis } from "./scales.js";
import { followColours } from "./style.js";
import { thresholdFacts } from "./threshold_facts.js";
import { showTrying } from "./trying.js";

// In pixels: the two panels and what is between them.
const [HIGH, HIGH_NARROW, GAP, SCORES] = [290, 240, 34, 104];

export function showThreshold(report, contents, state) {
  followColours(report, state);
  const container = byId("threshold-chart");
  let facts = null;
  let axis = null;
  let scaleOfScores = "auto";
  const made = figureIn(container, {
    title: "Money against the threshold",
    name: "Money against the threshold",
    table: () => facts.table(),
    className: "threshold",
    level: "h2",
  });
  const scale = pick("Scores", [["auto", "automatic"]], "auto", (kind) => {
    scaleOfScores = kind;
    draw();
  });
  made.controls.prepend(scale.element);
  for (const kind of scalesFor(report.models)) {
    scale.select.append(el("option", { value: kind }, SCALES[kind]));
  }
  let frame = null;
  frame = chartIn(made.place, sizes, () => draw());
  const knob = knobIn(made.place, frame, {
    at: () => axis.at(facts.shown.i, facts.shown.t),
    move: (pixel) => set(axis.invert(facts.shown.i, pixel)),
    words: () => facts.inWords(state.values.currency),
  });
  const set = (at) => state.set({ threshold: { model: facts.shown.i, at } });
  const trying = showTrying(container, report, state, () => facts, () => frame.narrow());

  function draw() {
    if (!frame?.width || facts === null) return;
    facts.show(state.values.threshold);
    axis = thresholdAxis(kindNow(), report.models, {
      width: frame.width,
      p: facts.amounts.p,
      marks: facts.marks,
    });
    frame.money = frame.height - GAP - SCORES;
    drawMoney(frame, axis, facts, state.values.currency);
    follow();
  }

  function kindNow() {
    return scaleOfScores === "auto" ? bestScale(report.models, facts.marks) : scaleOfScores;
  }

  function follow() {
    if (!frame?.width || facts === null) return;
    facts.show(state.values.threshold);
    drawScores(frame, axis, facts, { top: frame.money + GAP, height: SCORES });
    knob.place();
  }

  const update = () => {
    facts = thresholdFacts(report, state.values);
    container.hidden = facts === null;
    if (facts === null) return;
    facts.show(state.values.threshold);
    scale.select.options[0].textContent = `automatic: ${SCALES[kindNow()]}`;
    made.note.textContent = facts.note(state.values.currency);
    draw();
    describe(frame, facts.summary(state.values.currency));
    trying();
  };
  onAnswer(state, update);
  state.watch(["threshold"], () => {
    if (facts === null) return;
    follow();
    trying();
  });
  state.watch(["volume"], () => trying());
  update();
}

function sizes(full) {
  const money = full < 460 ? HIGH_NARROW : HIGH;
  return {
    margin: { top: 30, right: 12, bottom: 46, left: full < 460 ? 46 : 58 },
    height: money + GAP + SCORES,
  };
}
