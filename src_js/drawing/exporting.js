// Charts as SVG or PNG, and tables as CSV, for what people write themselves.
import { el } from "../dom.js";

const SVG = "http://www.w3.org/2000/svg";
// How many pixels of a PNG one of the page is, so that it prints sharp.
const SHARPNESS = 3;
const AROUND = 12;
// Everything that style sheets say of a drawing.
const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "paint-order",
  "font-size",
  "font-weight",
  "font-family",
  "font-style",
  "text-anchor",
  "visibility",
  "display",
];
// What a spreadsheet would take for a formula.
const FORMULA = /^[=+\-@\t\r]/;

/** A table as CSV, numbers with all their digits. No text of it is run as a formula. */
export function csvOf(head, rows) {
  return [head, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

function field(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hands a file to the reader, as from a link that is clicked. */
export function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A small menu to save a drawing within a place, and what it shows as a table: {head, rows}. */
export function exportMenu(place, name, table = null) {
  const file = () => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const button = (text, act) => el("button", { type: "button", onclick: act }, text);
  const buttons = [];
  if (place !== null) {
    const drawing = () => place.querySelector("svg.chart");
    buttons.push(
      button("SVG", () => download(`${file()}.svg`, "image/svg+xml", svgText(drawing()))),
      button("PNG", () => savePng(drawing(), `${file()}.png`)),
    );
  }
  if (table !== null) {
    buttons.push(
      button("CSV", () => {
        const { head, rows } = table();
        // With the mark that tells spreadsheets of its encoding.
        download(`${file()}.csv`, "text/csv;charset=utf-8", `\ufeff${csvOf(head, rows)}`);
      }),
    );
  }
  const menu = el(
    "details",
    { class: "export screen" },
    el("summary", { "aria-label": `Save ${name}` }, "Save"),
    el("div", {}, buttons),
  );
  const close = () => (menu.open = false);
  menu.addEventListener("click", (event) => event.target.closest("button") && close());
  menu.addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("pointerdown", (event) => menu.contains(event.target) || close());
  return menu;
}

/** A drawing as a file of its own, on white: with the styles that the page gives it on paper. */
function svgText(drawing) {
  const { width, height } = drawing.viewBox.baseVal;
  const copy = drawing.cloneNode(true);
  const paper = el("div", { class: "paper unseen" }, copy);
  document.body.append(paper);
  inlineStyles(copy);
  paper.remove();
  const box = [-AROUND, -AROUND, width + 2 * AROUND, height + 2 * AROUND];
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("viewBox", box.join(" "));
  copy.setAttribute("width", box[2]);
  copy.setAttribute("height", box[3]);
  const white = document.createElementNS(SVG, "rect");
  for (const [at, value] of ["x", "y", "width", "height"].entries()) {
    white.setAttribute(value, box[at]);
  }
  white.setAttribute("fill", "#ffffff");
  copy.prepend(white);
  return new XMLSerializer().serializeToString(copy);
}

function inlineStyles(root) {
  const elements = [root, ...root.querySelectorAll("*")];
  for (const element of elements) {
    const style = getComputedStyle(element);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value !== "" && value !== "normal") element.setAttribute(name, value);
    }
  }
  // What a style is said of may be told by a class further out.
  for (const element of elements) element.removeAttribute("class");
}

function savePng(drawing, name) {
  const text = svgText(drawing);
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = SHARPNESS * image.width;
    canvas.height = SHARPNESS * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(name, "image/png", blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
