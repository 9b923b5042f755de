// Which models, threshold choices, axis and scale are shown.
import { byId, el, svg } from "./dom.js";
import { dashes, swatch } from "./style.js";
import { AXES } from "./words.js";

const SCALES = { linear: "Linear", logit: "Logit" };

export function showControls(report, state) {
  const models = report.models.map((model, i) =>
    chip("checkbox", "model", model.name, true, swatch(i), (on) => {
      const shown = [...state.values.models];
      shown[i] = on;
      // The last one stays, so that there is something to see.
      if (!shown.some(Boolean)) return false;
      state.set({ models: shown, rocPoint: null });
      return true;
    }),
  );
  const strokes = new Map(report.choices.map((choice) => [choice, stroke()]));
  const choices = report.choices.map((choice) =>
    chip(
      "checkbox",
      "choice",
      choice.label,
      state.values.choices.includes(choice),
      strokes.get(choice),
      (on) => {
        const { choices: before } = state.values;
        const shown = report.choices.filter((one) => (one === choice ? on : before.includes(one)));
        if (shown.length === 0) return false;
        state.set({ choices: shown });
        return true;
      },
      !report.models.some((_, i) => report.available(i, choice)),
    ),
  );
  const radios = (key, names) =>
    names.map(([value, name]) =>
      chip("radio", key, name, value === state.values[key], null, () => {
        state.set({ [key]: value });
        return true;
      }),
    );
  // Walking along the curve of a model shows that too.
  state.watch(["models"], () => {
    for (const [i, chip] of models.entries()) chip.firstChild.checked = state.values.models[i];
  });
  const explained = el(
    "details",
    {},
    el("summary", {}, "What the threshold choices do"),
    el(
      "dl",
      { class: "explained" },
      report.choices.map(({ label, about }) =>
        el("div", {}, el("dt", {}, label), el("dd", {}, about)),
      ),
    ),
  );
  // Of several choices each has its dashes; of one, each model has.
  state.watch(["choices"], () => {
    const { choices: shown } = state.values;
    for (const [choice, line] of strokes) {
      const k = shown.indexOf(choice);
      line.toggleAttribute("hidden", shown.length < 2 || k < 0);
      line.firstChild.setAttribute("stroke-dasharray", dashes(k < 0 ? 0 : k) ?? "none");
    }
  });
  byId("controls").append(
    group("Models", models),
    group("Thresholds set by", choices, explained),
    group(
      "Axis of the cost curves",
      radios(
        "axis",
        Object.entries(AXES).map(([axis, [name]]) => [axis, name]),
      ),
    ),
    group("Scale", radios("scale", Object.entries(SCALES))),
  );
}

function group(name, chips, ...more) {
  return el("fieldset", {}, el("legend", {}, name), el("div", { class: "chips" }, chips), more);
}

function chip(type, name, label, checked, icon, change, disabled = false) {
  const input = el("input", { type, name, checked, disabled });
  input.addEventListener("change", () => {
    if (!change(input.checked)) input.checked = !input.checked;
  });
  return el("label", { class: "chip" }, input, icon, el("span", {}, label));
}

/** A line without a colour. */
function stroke() {
  return svg(
    "svg",
    {
      class: "swatch",
      width: 34,
      height: 14,
      viewBox: "0 0 34 14",
      "aria-hidden": "true",
      hidden: true,
    },
    svg("line", { class: "stroke", x1: 0, x2: 34, y1: 7, y2: 7 }),
  );
}
