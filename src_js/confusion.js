// The confusion table of the recommended rule.
import { el, hint, number, table } from "./dom.js";
import { estimated, levelOf, percents, plainly } from "./figures.js";
import { recommendedIn } from "./decided.js";
import { withCsv } from "./sharing.js";

const HEAD = ["", "Flagged", "Not flagged", "All"];
const CELLS = [
  ["flag", "positive", "found"],
  ["pass", "positive", "missed"],
  ["flag", "negative", "false alarms"],
  ["pass", "negative", "rightly passed"],
];

/** Of 1,000 cases, how many are of each kind under the recommended rule. */
export function confusion(decision) {
  const outcomes = recommendedIn(decision)?.outcomes;
  if (!outcomes) return [hint("No rule, no table.")];
  const [found, missed, alarms, passed] = CELLS.map(([action, of]) => outcomes[action][of]);
  const rows = [
    ["Positive", right(found, "found"), wrong(missed, "missed"), total(found, missed)],
    ["Negative", wrong(alarms, "false alarms"), right(passed, "rightly passed"), total(alarms, passed)],
    ["All", total(found, alarms), total(missed, passed), "1,000"],
  ];
  const made = table({ caption: "Of 1,000 cases, right and wrong", className: "confusion", head: HEAD, rows });
  return [withCsv(made, "confusion", confusionCsv(outcomes)), rates(outcomes, levelOf(decision))];
}

const right = (one, name) => ({ content: estimate(one, name), className: "right" });
const wrong = (one, name) => ({ content: estimate(one, name), className: "wrong" });

function estimate(one, name) {
  const { value, interval } = estimated(one);
  return [
    number(one.value, value),
    el("span", { class: "kind" }, name),
    interval ? el("small", {}, interval) : null,
  ];
}

function total(...parts) {
  const sum = parts.reduce((all, { value }) => all + value, 0);
  return number(sum, plainly(sum));
}

function rates({ precision, recall }, level) {
  const said = (one) => {
    const { value, interval } = percents(one);
    return [number(one.value, value), interval ? ` (${interval})` : ""];
  };
  return el(
    "p",
    { class: "rates" },
    ...(recall ? ["Finds ", ...said(recall), " of the positives (recall). "] : []),
    ...(precision ? ["Of the flagged, ", ...said(precision), " are positive (precision). "] : ["Flags no case. "]),
    el("span", { class: "hint" }, `In brackets: ${level} intervals.`),
  );
}

function confusionCsv(outcomes) {
  const rates = ["precision", "recall"].flatMap((name) =>
    outcomes[name] ? [[name, ...threeOf(outcomes[name])]] : [],
  );
  const cells = CELLS.map(([action, of, name]) => [`${name} per 1,000 cases`, ...threeOf(outcomes[action][of])]);
  return { head: ["what", "value", "low", "high"], rows: [...cells, ...rates] };
}

const threeOf = ({ value, low, high }) => [value, low, high];
