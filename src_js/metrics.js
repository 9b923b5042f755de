// Every metric and expected loss, with its interval.
import { byId, el, hideUnless, named, number, table } from "./dom.js";
import { exact, inOrder, methodName, METRICS, percent } from "./words.js";

const LOSS_AXES = { cost: "cost axis", skew: "skew axis" };

export function showMetrics(contents) {
  const { models } = contents;
  const names = models.map(({ name }) => named(name));
  const level = models.find(({ intervals }) => intervals?.level)?.intervals.level;
  const rows = Object.keys(models[0].metrics ?? {}).map((metric) => {
    const [label, better] = METRICS[metric] ?? [metric, null];
    return [
      { content: [label, arrow(better)] },
      ...numbers(models, better, (model) => [
        model.metrics[metric],
        model.intervals?.[metric],
        model.notes?.[metric],
      ]),
    ];
  });
  const parts = [];
  if (rows.length > 0) {
    parts.push(
      table({
        caption: "Metrics of each model",
        head: ["Metric", ...names],
        rows,
        className: "intervals",
      }),
    );
  }
  for (const [axis, label] of Object.entries(LOSS_AXES)) {
    const methods = Object.keys(models[0].expected_loss?.[axis] ?? {});
    if (methods.length === 0) continue;
    parts.push(
      el("h3", {}, `Expected loss on the ${label}, conditions ${contents.costs}`),
      table({
        caption: `Expected loss on the ${label}`,
        className: "intervals",
        head: ["Threshold set by", ...models.map(({ name }) => named(name))],
        rows: inOrder(methods).map((method) => [
          // Evaluations trust scores as they are.
          methodName(method === "score_driven" ? "score_driven_uncorrected" : method),
          ...numbers(models, "down", (model) => [
            model.expected_loss[axis][method],
            model.intervals?.expected_loss?.[axis]?.[method],
            model.notes?.[`expected_loss.${axis}.${method}`],
          ]),
        ]),
      }),
    );
  }
  if (level !== undefined) {
    parts.push(
      el(
        "p",
        { class: "hint" },
        `Below each number: its ${percent(level)} interval, as the notes explain it.`,
      ),
    );
  }
  hideUnless(byId("metrics"), parts);
}

/** The cells of a row: numbers with their intervals, the best of several in bold. */
function numbers(models, better, find) {
  const found = models.map(find);
  const known = found
    .map(([value]) => value)
    .filter((value) => value !== null && value !== undefined);
  const best =
    models.length < 2 || known.length === 0 || better === null
      ? null
      : better === "up"
        ? Math.max(...known)
        : Math.min(...known);
  return found.map(([value, interval, note]) => ({
    className: value !== null && value === best ? "best" : null,
    content: [
      value === null || value === undefined
        ? el("span", { title: note ?? null }, "\u2013")
        : number(value, exact(value)),
      interval ? el("small", {}, ends(interval)) : null,
    ],
  }));
}

function ends({ low, high, method }) {
  return method === "upper bound"
    ? `up to ${high.toFixed(4)}`
    : `${low.toFixed(4)} to ${high.toFixed(4)}`;
}

function arrow(better) {
  if (better === null) return null;
  const [sign, said] =
    better === "up" ? ["\u2191", "larger is better"] : ["\u2193", "smaller is better"];
  return el("span", { class: "arrow", title: said, role: "img", "aria-label": said }, sign);
}
