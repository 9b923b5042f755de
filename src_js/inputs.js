// What is known about deployment: each a value, or the two ends of a range.
import { byId, el } from "./dom.js";
import { between } from "./words.js";

// Products of two costs stay finite up to here, as in the library.
const LARGEST = 1e50;
const isCost = (x) => x > 0 && x <= LARGEST;
const FIELDS = [
  {
    key: "fpCost",
    id: "fp-cost",
    label: "A false positive costs",
    short: "false positives at",
    hint: "a false alarm",
    rule: isCost,
    wanted: "a cost above 0, at most 1e50,",
    example: "2.5",
  },
  {
    key: "fnCost",
    id: "fn-cost",
    label: "A false negative costs",
    short: "false negatives at",
    hint: "a missed positive",
    rule: isCost,
    wanted: "a cost above 0, at most 1e50,",
    example: "2.5",
  },
  {
    key: "prevalence",
    id: "prevalence",
    label: "Prevalence",
    short: "prevalence",
    hint: "the share of positives, between 0 and 1",
    rule: (x) => x > 0 && x < 1,
    wanted: "a share above 0 and below 1,",
    example: "0.05",
  },
];

export function showInputs(state, contents) {
  const form = byId("situation");
  const fields = FIELDS.map((field) => fieldSet(field, state));
  const mark = () => putAside(form.querySelector("[aria-invalid]") !== null, state.values);
  const own = el("button", { type: "button", class: "plain" }, "Back to what the page came with");
  own.addEventListener("click", () => {
    const { fp_cost: fpCost, fn_cost: fnCost, prevalence } = contents.initial;
    state.set({ fpCost, fnCost, prevalence });
    for (const field of fields) field.fill();
    mark();
  });
  form.append(...fields.map((field) => field.element), el("p", { class: "hint" }, own));
  form.addEventListener("submit", (event) => event.preventDefault());
  // After the fields themselves have read what was typed.
  form.addEventListener("input", mark);
  // The charts can set the costs too.
  state.watch(["fpCost", "fnCost", "prevalence"], (changed) => {
    for (const field of fields) if (changed.has(field.key)) field.follow();
    mark();
  });
}

/** Dims what is no answer to what stands in the fields, and says what it is an answer to. */
function putAside(wrong, values) {
  document.documentElement.classList.toggle("unanswered", wrong);
  byId("answer").setAttribute("aria-busy", String(wrong));
  const last = FIELDS.map(({ key, short }) => `${short} ${between(values[key])}`).join(", ");
  byId("unanswered").textContent = wrong
    ? `The answer is to the last inputs that could be used: ${last}.`
    : "";
}

function fieldSet({ key, id, label, hint, rule, wanted, example }, state) {
  const note = el("p", { class: "error", id: `${id}-error`, role: "alert" });
  const [from, to] = ["from", "to"].map((end) =>
    el("input", {
      id: `${id}-${end}`,
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": end === "from" ? label : `${label}, up to (leave empty for one value)`,
      "aria-describedby": `${id}-hint ${id}-error`,
      placeholder: end === "to" ? "same" : null,
    }),
  );
  const fill = () => {
    const [low, high] = state.values[key];
    from.value = shown(low);
    to.value = low === high ? "" : shown(high);
    said("");
  };
  const said = (text, ...wrong) => {
    note.textContent = text;
    for (const input of [from, to]) {
      input.toggleAttribute("aria-invalid", false);
      if (wrong.includes(input)) input.setAttribute("aria-invalid", "true");
    }
  };
  const read = () => {
    const numbers = [from, to].map((input, k) => {
      // What was not changed keeps the digits that are not shown.
      const before = state.values[key][k];
      return input.value === shown(before) ? before : parsed(input.value);
    });
    if (numbers[0] === null || !rule(numbers[0]))
      return said(`Give ${wanted} such as ${example}.`, from);
    const low = numbers[0];
    if (to.value.trim() !== "" && (numbers[1] === null || !rule(numbers[1]))) {
      return said(`Give ${wanted} or leave the second field empty.`, to);
    }
    const high = to.value.trim() === "" ? low : numbers[1];
    if (low > high) return said("The first number must not be above the second.", from, to);
    said("");
    const [was, until] = state.values[key];
    if (low !== was || high !== until) state.set({ [key]: [low, high] });
    return undefined;
  };
  for (const input of [from, to]) input.addEventListener("input", read);
  fill();
  const element = el(
    "fieldset",
    {},
    el("legend", {}, label, " ", el("span", { class: "hint", id: `${id}-hint` }, hint)),
    el("div", { class: "pair" }, from, el("span", { "aria-hidden": "true" }, "to"), to),
    note,
  );
  const follow = () => {
    // Not while it is being typed in.
    if (document.activeElement !== from && document.activeElement !== to) fill();
  };
  return { element, fill, follow };
}

/** A number in six digits, as a field has room for. */
function shown(value) {
  return String(Number(value.toPrecision(6)));
}

/** The number that a text is; null if it is none, or if a comma leaves open which it is. */
function parsed(text) {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}
