// The answer as plain text, with what it is for.
import { recommendedIn } from "./decided.js";
import { distinctIn, namesOf } from "../strategies/alike.js";
import { CASES, levelOf, plainly, priced } from "../words/figures.js";
import { phrases } from "../question.js";
import { count, ruleText } from "../words/words.js";

// Of thresholds, as on the command line.
const DIGITS = 6;

/** What `state` shows, for a mail or a minute. */
export function asText({ decision, question, volume, currency }, contents) {
  const { source, version } = contents;
  const data = `${source.path ?? "arrays in memory"}, ${count(source.rows)} cases; costspace ${version}`;
  if (decision === null) return `No costs are given yet.\nData: ${data}.\n`;
  const { condition, assumptions, recommendation } = decision;
  const yearly =
    volume === null || recommendation.cost_per_1000 === null
      ? []
      : [`Per year, of ${count(volume)} cases: ${priced(plainly(recommendation.cost_per_1000 * (volume / CASES)), currency)}.`];
  return [
    recommendation.text,
    "",
    ...(question === null ? [] : [`For: ${phrases(question, currency).join("; ")}.`]),
    ...(currency === "" ? [] : [`Amounts are in ${currency}.`]),
    ...yearly,
    ...outcomesIn(decision),
    "",
    `Strategies, cost per 1,000 cases (${levelOf(decision)} interval), on held-out rows (${condition.compared_on}):`,
    ...strategiesIn(decision),
    "",
    `Assumed: ${assumptions.join("; ")}.`,
    `Data: ${data}.`,
    "",
  ].join("\n");
}

function outcomesIn(decision) {
  const outcomes = recommendedIn(decision)?.outcomes;
  if (!outcomes) return [];
  const { flag, pass } = outcomes;
  const said = ({ value, low, high }) => `${round(value)} (${round(low)} to ${round(high)})`;
  return [
    "Of 1,000 cases: " +
      `true positives ${said(flag.positive)}, false negatives ${said(pass.positive)}, ` +
      `false positives ${said(flag.negative)}, true negatives ${said(pass.negative)}.`,
  ];
}

function strategiesIn(decision) {
  return distinctIn(decision)
    .filter(({ cost_per_1000: cost }) => cost !== null)
    .sort((a, b) => a.cost_per_1000 - b.cost_per_1000)
    .map((one) => {
      const { choice, rule, cost_per_1000: cost, low, high } = one;
      const { models, choices } = namesOf(one, decision);
      const name = [...models, ...choices].join(", ");
      const unruled = choice === "baseline" ? "as it decided" : "follows what is known";
      const does = rule === null ? unruled : ruleText(rule, DIGITS);
      return `- ${name}: ${does}: ${round(cost)} (${round(low)} to ${round(high)})`;
    });
}

function round(x) {
  return x === null ? "unknown" : String(Number(x.toPrecision(6)));
}
