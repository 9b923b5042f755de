// The page: what it is asked, what it answers, and the charts that say why.
import { showActions } from "./actions.js";
import { showAnswer } from "./answer.js";
import { openDecider } from "./decider.js";
import { byId } from "./dom.js";
import { open } from "./engine.js";
import { showInputs } from "./inputs.js";
import { showPeek } from "./peek.js";
import { stateOf } from "./state.js";
import { showStrategies } from "./strategies.js";
import { showThreshold } from "./threshold.js";
import { inTurns } from "./turns.js";
import { showWhy } from "./why.js";

const page = document.documentElement;
const contents = JSON.parse(byId("contents").textContent);
const report = open(contents);
const state = stateOf(contents, openDecider(contents));

page.classList.remove("plain");
showAnswer(report, contents, state);
const inputs = showInputs(state, contents);
showActions(state, contents, inputs);

inTurns([
  () => showThreshold(report, contents, state),
  () => showStrategies(report, contents, state),
  () => showWhy(report, contents, state),
  () => showPeek(state),
  () => page.classList.add("ready"),
]);
