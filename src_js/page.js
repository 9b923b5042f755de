// The page: what it stores, drawn and answered anew whenever something on it changes.
import { showAnswer } from "./answer.js";
import { showControls } from "./controls.js";
import { showCost } from "./cost.js";
import { showDecision } from "./decision.js";
import { byId } from "./dom.js";
import { open } from "./engine.js";
import { showHistograms } from "./histograms.js";
import { showInputs } from "./inputs.js";
import { showMetrics } from "./metrics.js";
import { costsIn, showMoney } from "./money.js";
import { showNotes } from "./notes.js";
import { showRange } from "./range.js";
import { showReadout } from "./readout.js";
import { showRoc, showRocWalk } from "./roc.js";
import { stateOf } from "./state.js";
import { showSurface } from "./surface.js";
import { inTurns } from "./turns.js";
import { count, percent } from "./words.js";

const contents = JSON.parse(byId("contents").textContent);
const report = open(contents);
const state = stateOf(report, contents);

const { source, models } = contents;
const title = source.path?.split(/[\\/]/).pop() ?? "Models compared";
document.title = `${title} \u00b7 costspace`;
byId("title").textContent = title;
byId("summary").textContent =
  `${count(source.rows)} cases, ${percent(contents.prevalence)} positive` +
  `${source.weighted ? " (weighted)" : ""} \u00b7 ${models.length} ${models.length === 1 ? "model" : "models"}` +
  ` \u00b7 costspace ${contents.version}`;

const costs = costsIn(report, state);
showInputs(state, contents);
showAnswer(report, contents, state, costs);
showControls(report, state);

// What lies further down comes once the answer can be seen.
inTurns([
  () => showRoc(report, state),
  () => showCost(report, state),
  () => {
    showReadout(report, state);
    showRange(report, state);
  },
  () => showMoney(report, state, costs),
  () => showHistograms(report, contents, state, costs),
  () => showDecision(contents),
  () => showMetrics(contents),
  () => showNotes(contents),
  () => showSurface(report, state),
  () => showRocWalk(report, state),
  () => document.documentElement.classList.add("ready"),
]);
