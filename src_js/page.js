// The page: what it is asked, what it answers, and the charts that say why.
import { showActions } from "./answer/actions.js";
import { showAnswer } from "./answer/answer.js";
import { showScenarios } from "./answer/scenarios.js";
import { openDecider } from "./decider.js";
import { byId } from "./dom.js";
import { open } from "./curves/curves.js";
import { showInputs } from "./inputs/inputs.js";
import { showPeek } from "./answer/peek.js";
import { explainTerms } from "./words/explaining.js";
import { stateOf } from "./state.js";
import { showStrategies } from "./strategies/strategies.js";
import { showThreshold } from "./threshold/threshold.js";
import { inTurns } from "./turns.js";
import { showWhy } from "./why/why.js";

const page = document.documentElement;
const contents = JSON.parse(byId("contents").textContent);
const report = open(contents);
const state = stateOf(contents, openDecider(contents));

page.classList.remove("plain");
showAnswer(report, contents, state);
showScenarios(state, contents);
const inputs = showInputs(state, contents);
showActions(state, contents, inputs);

inTurns([
  () => showThreshold(report, contents, state),
  () => showStrategies(report, contents, state),
  () => showWhy(report, contents, state),
  () => showPeek(state),
  explainTerms,
  () => page.classList.add("ready"),
]);
