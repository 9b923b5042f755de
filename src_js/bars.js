// Amounts as bars, one below the other.
import { el, number } from "./dom.js";

/** Bars of {label, amount, text, share, className, best}; the share is of the room for a bar. */
export function bars(rows) {
  return el("dl", { class: "bars" }, rows.map(bar));
}

function bar({ label, amount, text, share, className, best = false }) {
  const drawn = el("span", { class: `bar ${className}` });
  drawn.style.setProperty("--share", String(share));
  return el(
    "div",
    { class: best ? "best" : null },
    el("dt", {}, label),
    el(
      "dd",
      {},
      el("span", { class: "track", "aria-hidden": "true" }, drawn),
      number(amount, text),
    ),
  );
}
