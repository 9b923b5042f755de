// What is chosen on the page, and who wants to know when it changes.
import { conditionOf, fromAxis, toAxis } from "./condition.js";

/** The state of the page; `set` changes some of it and tells those who watch that. */
export function stateOf(report, contents) {
  const watchers = [];
  const { fp_cost: fpCost, fn_cost: fnCost, prevalence } = contents.initial;
  const values = {
    fpCost,
    fnCost,
    prevalence,
    models: report.models.map(() => true),
    // Shown of a curve first; the others can be switched on.
    choices: [report.optimal],
    axis: "cost",
    scale: "linear",
    // A condition looked at (a cost proportion) in place of the one typed in, kept or pointed at.
    kept: null,
    pointed: null,
    // An operating point of a model looked at: {model, at}.
    rocPoint: null,
  };
  const state = {
    values,
    condition: conditionOf(values),
    range: [0, 0],
    watch(names, update) {
      watchers.push([names, update]);
    },
    set(changes) {
      const before = { axis: values.axis, prevalence: state.condition.prevalence };
      const changed = new Set(Object.keys(changes));
      const { range, ...others } = changes;
      Object.assign(values, others);
      if (["fpCost", "fnCost", "prevalence"].some((name) => changed.has(name))) {
        state.condition = conditionOf(values);
        values.kept = values.pointed = null;
        changed.add("condition");
      }
      if (range) state.range = range;
      else if (changed.has("axis") || changed.has("scale")) {
        state.range = carried(state.range, before);
        changed.add("range");
      }
      for (const [names, update] of watchers) {
        if (names.some((name) => changed.has(name))) update(changed);
      }
    },
    /** The cost proportion that the charts show. */
    get shown() {
      return values.pointed ?? values.kept ?? state.condition.c;
    },
    get looking() {
      return values.pointed !== null || values.kept !== null;
    },
    shownModels() {
      return report.models.flatMap((_, i) => (values.models[i] ? [i] : []));
    },
    knots() {
      return report.knots(values.scale);
    },
    /** The knots nearest to two values on the axis, ascending and never the same. */
    snapped(low, high) {
      return report.snapped(low, high, values.scale);
    },
  };

  /** A range on another axis or scale. */
  function carried([low, high], { axis, prevalence: p }) {
    return state.snapped(...[low, high].map((x) => toAxis(values.axis, fromAxis(axis, x, p), p)));
  }

  const [low, high] = state.condition.costs;
  const knots = state.knots();
  state.range = low < high ? state.snapped(low, high) : [knots[0], knots[knots.length - 1]];
  return state;
}
