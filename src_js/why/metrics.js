// Every metric and expected loss, with its interval.
import { byId, el, hint, named, number, table } from "../dom.js";
import { withCsv } from "../answer/sharing.js";
import { estimated, together } from "../words/figures.js";
import { exact, percent } from "../words/words.js";

export function showMetrics(contents) {
  const { choices, condition, models } = contents;
  const level = models.find(({ intervals }) => intervals?.level)?.intervals.level;
  const parts = [
    metricTable({ caption: "Metrics of each model", first: "Metric", file: "metrics", models }, metricsOf(contents)),
  ];
  const axes = Object.keys(models[0].expected_loss);
  // The axis that was asked for comes first.
  axes.sort((a, b) => Number(b === condition.axis) - Number(a === condition.axis));
  for (const axis of axes) {
    parts.push(
      el("h3", {}, `Expected loss on the ${axis} axis, conditions ${condition.costs}`),
      metricTable(
        {
          caption: `Expected loss on the ${axis} axis`,
          first: "Threshold set by",
          file: `expected-loss-${axis}`,
          models,
        },
        lossesOn(axis, models, choices),
      ),
    );
  }
  if (level !== undefined) {
    parts.push(hint(`Below each number: its ${percent(level)} interval, as the notes explain it.`));
  }
  byId("metrics").append(...parts);
}

/** Each metric: its label, which side is better, and [value, interval, note] of each model. */
function metricsOf({ metrics, models }) {
  return metrics.map(({ name: metric, label, larger_is_better: larger }) => {
    const better = larger ? "up" : "down";
    const found = models.map((model) => [
      model.metrics[metric],
      model.intervals?.[metric],
      model.notes?.[metric],
    ]);
    return { label, better, found, arrow: arrow(better) };
  });
}

function lossesOn(axis, models, choices) {
  return choices
    .filter(({ evaluated: name }) => name in models[0].expected_loss[axis])
    .map(({ label, term, evaluated: name }) => ({
      label,
      term,
      better: "down",
      found: models.map((model) => [
        model.expected_loss[axis][name],
        model.intervals?.expected_loss?.[axis]?.[name],
        model.notes?.[`expected_loss.${axis}.${name}`],
      ]),
      arrow: null,
    }));
}

function metricTable({ caption, first, file, models }, rows) {
  const made = table({
    caption,
    head: [first, ...models.map(({ name }) => named(name))],
    rows: rows.map(({ label, term, better, found, arrow: sign }) => [
      { content: [label, sign, term ? el("small", {}, term) : null] },
      ...numbers(better, found),
    ]),
  });
  return withCsv(made, file, {
    head: [first, "model", "value", "low", "high"],
    rows: rows.flatMap(({ label, found }) =>
      found.map(([value, interval], i) => [label, models[i].name, value, interval?.low, interval?.high]),
    ),
  });
}

/** The cells of a row: numbers with their intervals, the best of several in bold. */
function numbers(better, found) {
  const known = found
    .map(([value]) => value)
    .filter((value) => value !== null && value !== undefined);
  const best =
    found.length < 2 || known.length === 0
      ? null
      : better === "up"
        ? Math.max(...known)
        : Math.min(...known);
  return found.map(([value, interval, note]) => {
    if (value === null || value === undefined) return el("span", { title: note ?? null }, "\u2013");
    const { text, ends } = interval ? within(value, interval) : { text: exact(value), ends: null };
    return {
      className: value === best ? "best" : null,
      content: [number(value, text), ends === null ? null : el("small", {}, ends)],
    };
  });
}

/** A number and its interval, in the digits of that: {text, ends}. */
function within(value, { low, high, method }) {
  if (method === "upper bound") {
    const shown = together([value, high], high);
    return { text: shown(value), ends: `up to ${shown(high)}` };
  }
  const { value: text, interval } = estimated({ value, low, high });
  return interval === null ? { text: exact(value), ends: null } : { text, ends: interval };
}

function arrow(better) {
  const [sign, said] =
    better === "up" ? ["\u2191", "larger is better"] : ["\u2193", "smaller is better"];
  return el("span", { class: "arrow", title: said, role: "img", "aria-label": said }, sign);
}
