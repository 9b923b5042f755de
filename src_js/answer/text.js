// The answer as plain text, with what it is for.
import { instructionOf, recommendedIn, statedIn, verdictOf } from "./decided.js";
import { namesOf, rulesOf } from "../strategies/alike.js";
import { CASES, estimated, exactly, levelOf, plainly, priced } from "../words/figures.js";
import { inOrder } from "../strategies/strategy_rows.js";
import { phrases } from "../question.js";
import { VARIES, count } from "../words/words.js";

/** What `state` shows, for a mail or a minute. */
export function asText({ decision, question, volume, currency }, contents) {
  const { source, version } = contents;
  const data = `${source.path ?? "arrays in memory"}, ${count(source.rows)} cases; costspace ${version}`;
  if (decision === null) return `No costs are given yet.\nData: ${data}.\n`;
  const { condition, assumptions, recommendation } = decision;
  const cost = recommendedIn(decision)?.cost_per_1000 ?? null;
  const yearly =
    volume === null || cost === null
      ? []
      : [`Per year, of ${count(volume)} cases: ${priced(plainly(cost * (volume / CASES)), currency)}.`];
  const { saving, sure } = verdictOf(decision, { volume, currency, question });
  return [
    [`${instructionOf(decision).text}.`, saving, `${sure}.`].filter(Boolean).join(" "),
    "",
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
  const outcomes = statedIn(decision)?.outcomes;
  if (!outcomes) return [];
  const { flag, pass, review } = outcomes;
  const reviewed = review
    ? `, reviewed positives ${said(review.positive)}, reviewed negatives ${said(review.negative)}`
    : "";
  return [
    "Of 1,000 cases: " +
      `true positives ${said(flag.positive)}, false negatives ${said(pass.positive)}, ` +
      `false positives ${said(flag.negative)}, true negatives ${said(pass.negative)}${reviewed}.`,
  ];
}

function strategiesIn(decision) {
  return inOrder(decision).map((one) => {
    const { choice, cost_per_1000: value, low, high } = one;
    const { models, choices } = namesOf(one, decision);
    const name = [...models, ...choices].join(", ");
    const unruled = choice === "baseline" ? "as decided" : VARIES;
    const does = rulesOf(one, decision, unruled);
    const isExact = low === high && low !== null;
    return `- ${name}: ${does}: ${isExact ? `${exactly(value)} (exact)` : said({ value, low, high })}`;
  });
}

/** An amount and its interval, in the digits of the page. */
function said(one) {
  const { value, interval } = estimated(one);
  return interval === null ? value : `${value} (${interval})`;
}
