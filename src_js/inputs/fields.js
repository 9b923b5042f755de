// One field: an amount typed in or set by thumbs, with its error next to it.
import { el } from "../dom.js";
import { ends as endsOf, one } from "./parsing.js";
import { narrowed, slider, widened } from "./sliders.js";

/**
 * A labelled field of an amount, or of the two ends of one.
 *
 * `get()` gives what is known, or null; `put(ends)` takes it, and null where the field is `optional`
 * and empty; `wrong(id, whether)` hears of what cannot be read.
 */
export function field({ id, label, hint, placeholder, thumbs, get, put, ...given }) {
  const note = el("p", { class: "error", id: `${id}-error`, role: "alert" });
  const input = el("input", {
    id,
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: placeholder ?? null,
    "aria-describedby": hint ? `${id}-hint ${id}-error` : `${id}-error`,
  });
  const rail = thumbs && railOf({ label, thumbs, shown: given.shown, get, put, after: () => fill(true) });
  const fill = reading({ id, input, note, rail, get, put, ...given });
  const element = el(
    "div",
    { class: thumbs ? "field" : "field short" },
    el("div", { class: "field-head" }, el("label", { for: id }, label), rail?.toggle),
    input,
    rail?.element,
    hint ? el("p", { class: "hint", id: `${id}-hint` }, hint) : null,
    note,
  );
  return { element, input, follow: () => fill(), reset: () => fill(true) };
}

/** Reads what is typed in; gives what fills the field with what is known, even over what was typed. */
function reading({ id, input, note, rail, kind, optional, shown, get, put, wrong }) {
  const text = () => (get() === null ? "" : written(get(), shown));
  const meant = () => typed(input.value, { kind, optional });
  const say = (problem) => {
    note.textContent = problem;
    input.toggleAttribute("aria-invalid", false);
    if (problem !== "") input.setAttribute("aria-invalid", "true");
    wrong(id, problem !== "");
  };
  let known = get();
  input.value = text();
  rail?.follow(known);
  const read = () => {
    // What was not changed keeps the digits that are not shown.
    const { ends, problem = "" } = input.value === text() ? { ends: get() } : meant();
    say(problem);
    if (problem !== "") return;
    put(ends);
    rail?.follow(ends);
  };
  input.addEventListener("input", read);
  return (evenTyped = false) => {
    const isNew = !isSame(known, get());
    known = get();
    rail?.follow(known);
    // What was typed stays as it is while it says the same, or cannot be read.
    const { ends } = meant();
    // What could not be read may be read beside another field.
    if (!evenTyped && ends !== undefined && input.hasAttribute("aria-invalid")) {
      read();
      return;
    }
    const says = ends === undefined ? !isNew : isSame(ends, known);
    if (!evenTyped && (says || document.activeElement === input)) return;
    input.value = text();
    say("");
  };
}

function typed(text, { kind, optional }) {
  if (text.trim() === "" && optional) return { ends: null };
  if (kind.ranged) return endsOf(text, kind);
  const { value, problem } = one(text, kind);
  return problem === undefined ? { ends: [value, value] } : { problem };
}

/** Thumbs for a field, and what makes a range of its value or a value of its range. */
function railOf({ label, shown, thumbs, get, put, after }) {
  const { scale, domain } = thumbs;
  const set = (ends) => {
    put(ends);
    after();
  };
  const rail = slider({ label, scale, domain, shown, moved: set });
  const toggle = el("button", { type: "button", class: "plain" });
  toggle.addEventListener("click", () => {
    const ends = get();
    set(ends[0] < ends[1] ? narrowed(ends, scale) : widened(ends, scale));
  });
  const follow = (ends) => {
    rail.follow(ends);
    const wide = ends !== null && ends[0] < ends[1];
    toggle.hidden = ends === null;
    toggle.textContent = wide ? "one value" : "give a range";
    toggle.setAttribute("aria-label", `${label}: ${toggle.textContent}`);
  };
  return { element: rail.element, toggle, follow };
}

function written([low, high], shown) {
  return low === high ? shown(low) : `${shown(low)} to ${shown(high)}`;
}

function isSame(a, b) {
  if (!a || !b) return a === b;
  return a[0] === b[0] && a[1] === b[1];
}
