// Elements whose every text is set as text.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, and children that are elements or texts. */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same in SVG. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A number as shown, with its full value as an attribute. */
export function number(value, text) {
  const full = Number.isFinite(value) ? String(value) : "";
  return el("data", { value: full, title: full === "" ? null : full }, text);
}

export function byId(id) {
  return document.getElementById(id);
}

/** A paragraph of a note. */
export function hint(...texts) {
  return el("p", { class: "hint" }, ...texts);
}

/** Words that are for print alone. */
export function onPaper(...texts) {
  return el("span", { class: "on-paper" }, ...texts);
}

/** A name of any length and direction, as a cell of a table has room for it. */
export function named(name) {
  return el("bdi", { class: "named" }, name);
}

/** A table with a caption for screen readers; cells are elements or texts. */
export function table({ caption, head, rows, className = "" }) {
  const cells = (tag, row, scope) =>
    row.map((cell, i) =>
      i === 0 || tag === "th"
        ? el("th", { scope, class: classOf(cell) }, content(cell))
        : el("td", { class: classOf(cell) }, content(cell)),
    );
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    el(
      "table",
      { class: className },
      el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, cells("th", head, "col"))),
      el(
        "tbody",
        {},
        rows.map((row) => el("tr", { class: row.className ?? null }, cells("td", row, "row"))),
      ),
    ),
  );
}

/** A cell of text, which starts at the left. */
export function left(content) {
  return { content, className: "text" };
}

/** A cell may be {content, className}. */
function classOf(cell) {
  return isDescribed(cell) ? (cell.className ?? null) : null;
}

function isDescribed(cell) {
  return cell !== null && typeof cell === "object" && !(cell instanceof Node) && "content" in cell;
}

function content(cell) {
  if (cell === null || cell === undefined) return "";
  return isDescribed(cell) ? cell.content : cell;
}
