// Every metric and expected loss, with its interval.
import { byId, el, named, number, table } from "./dom.js";
import { exact, METRICS, percent } from "./words.js";

export function showMetrics(contents) {
  const { choices, condition, models } = contents;
  const names = () => models.map(({ name }) => named(name));
  const level = models.find(({ intervals }) => intervals?.level)?.intervals.level;
  const rows = Object.keys(models[0].metrics).map((metric) => {
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
  const parts = [table({ caption: "Metrics of each model", head: ["Metric", ...names()], rows })];
  const axes = Object.keys(models[0].expected_loss);
  // The axis that was asked for comes first.
  axes.sort((a, b) => Number(b === condition.axis) - Number(a === condition.axis));
  for (const axis of axes) {
    const evaluated = choices.filter(({ evaluated: name }) => name in models[0].expected_loss[axis]);
    parts.push(
      el("h3", {}, `Expected loss on the ${axis} axis, conditions ${condition.costs}`),
      table({
        caption: `Expected loss on the ${axis} axis`,
        head: ["Threshold set by", ...names()],
        rows: evaluated.map(({ label, evaluated: name }) => [
          label,
          ...numbers(models, "down", (model) => [
            model.expected_loss[axis][name],
            model.intervals?.expected_loss?.[axis]?.[name],
            model.notes?.[`expected_loss.${axis}.${name}`],
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
  byId("metrics").append(...parts);
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
