// Exports: the answer as text, the page as a link or a file, each table as CSV.
import { el } from "../dom.js";
import { csvOf, download } from "../drawing/exporting.js";

const SAID_FOR = 2000;

/** A table with a button that saves it; a spreadsheet needs the mark at the start for names. */
export function withCsv(made, name, { head, rows }) {
  const button = el("button", { type: "button", class: "plain csv", "aria-label": `Save ${name} as CSV` }, "CSV");
  button.addEventListener("click", () =>
    download(`${name}.csv`, "text/csv;charset=utf-8", `\ufeff${csvOf(head, rows)}`),
  );
  return el("div", { class: "with-csv" }, made, button);
}

/** A button that copies what `text` gives, and says so. */
export function copyButton(label, text) {
  const button = el("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    const done = await copied(text());
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    setTimeout(() => {
      button.textContent = label;
    }, SAID_FOR);
  });
  return button;
}

/** Puts a text on the clipboard; by the old command where the page, opened from a disk, may not. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "unseen", "aria-hidden": "true", tabindex: -1 });
    area.value = text;
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus();
    return done;
  }
}
