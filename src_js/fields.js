// One thing that a reader knows: typed in, or set by thumbs, and what is wrong with it beside it.
import { el } from "./dom.js";
import { ends as endsOf, one } from "./parsing.js";
import { narrowed, slider, widened } from "./sliders.js";

/**
 * A labelled field of an amount, or of the two ends of one.
 *
 * `get()` gives what is known, or null; `put(ends)` takes it, and null where the field is `optional`
 * and empty; `wrong(id, whether)` hears of what cannot be read.
 */
export function field({ id, label, hint, kind, thumbs, optional = false, placeholder, shown, get, put, wrong }) {
  const note = el("p", { class: "error", id: `${id}-error`, role: "alert" });
  const input = el("input", {
    id,
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: placeholder ?? null,
    "aria-describedby": hint ? `${id}-hint ${id}-error` : `${id}-error`,
  });
  const text = () => (get() === null ? "" : written(get(), shown));
  const say = (problem) => {
    note.textContent = problem;
    input.toggleAttribute("aria-invalid", false);
    if (problem !== "") input.setAttribute("aria-invalid", "true");
    wrong(id, problem !== "");
  };
  const rail = thumbs && railOf({ label, shown, thumbs, get, put, after: () => fill(true) });
  const read = () => {
    // What was not changed keeps the digits that are not shown.
    const found = input.value === text() ? { ends: get() } : typed(input.value, { kind, optional });
    say(found.problem ?? "");
    if (found.problem !== undefined) return;
    put(found.ends);
    rail?.follow(found.ends);
  };
  let known = get();
  const fill = (evenTyped = false) => {
    const isNew = !isSame(known, get());
    known = get();
    rail?.follow(known);
    // What was typed stays as it is while it says the same, or cannot be read.
    const said = typed(input.value, { kind, optional }).ends;
    if (!evenTyped && (!isNew || document.activeElement === input || isSame(said, known))) return;
    input.value = text();
    say("");
  };
  input.addEventListener("input", read);
  input.value = text();
  rail?.follow(get());
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
