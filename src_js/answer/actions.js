// What can be done with the page as a whole: copied, linked to, saved as it is left, put back.
import { addressOf, fromAddress } from "../inputs/address.js";
import { byId, el } from "../dom.js";
import { download } from "../drawing/exporting.js";
import { copyButton } from "./sharing.js";
import { asText } from "./text.js";

const LOCAL = "Others cannot open a link to a file: save the page and send that.";
const LEFT_AS = 'meta[name="left-as"]';

/** Buttons of the page, and its state in the address from now on. */
export function showActions(state, contents, inputs) {
  const restore = (text) => {
    const { asked, volume, currency, pins } = fromAddress(text, contents);
    const question = contents.fixed ? contents.question : asked;
    // Those that are pinned already have their answers.
    const kept = pins.map((one) => state.values.pins.find(({ text: own }) => own === one.text) ?? one);
    state.set({ question, volume, currency, pins: kept });
    inputs.reset();
  };
  const reset = el("button", { type: "button", id: "reset" }, "Reset");
  reset.addEventListener("click", () => restore(""));
  const save = el("button", { type: "button", id: "save" }, "Save page");
  save.addEventListener("click", () => download(fileName(), "text/html;charset=utf-8", copyOf(state, contents)));
  byId("actions").append(
    copyButton("Copy as text", () => asText(state.values, contents)),
    linkButton(state, contents, save),
    save,
  );
  byId("h-inputs").after(reset);
  const begin = location.hash.length > 1 ? location.hash : document.querySelector(LEFT_AS).content;
  restore(begin);
  state.watch(["asked", "volume", "currency", "pins"], () => show(addressOf(state.values, contents)));
  addEventListener("hashchange", () => restore(location.hash));
  keepAddressOf(document.querySelector(".skip"));
}

/** Copies a link; where the page is a file of this computer, which others cannot open, it offers that. */
function linkButton(state, contents, save) {
  if (location.protocol !== "file:") return copyButton("Copy link", () => linkTo(addressOf(state.values, contents)));
  const button = el("button", { type: "button", title: LOCAL }, "Copy link");
  button.addEventListener("click", () => {
    button.replaceWith(el("span", { class: "hint", role: "status" }, LOCAL));
    save.classList.add("primary");
    save.focus();
  });
  return button;
}

/** Follows a link within the page; the address keeps the state. */
function keepAddressOf(link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    byId(link.hash.slice(1)).focus();
  });
}

function linkTo(text) {
  const [page] = location.href.split("#");
  return text === "" ? page : `${page}#${text}`;
}

/** Puts the state into the address, without a step back for every key. */
function show(text) {
  history.replaceState(null, "", linkTo(text));
}

function fileName() {
  const name = byId("title").textContent.replace(/\.\w+$/, "").replace(/[^\p{L}\p{N}_-]+/gu, " ");
  return `${name.trim() || "report"}.html`;
}

/** This page with the state in it, so that it opens as it was left, also where there is no script. */
function copyOf(state, contents) {
  const copy = document.documentElement.cloneNode(true);
  copy.className = "plain";
  copy.querySelector(LEFT_AS).content = addressOf(state.values, contents);
  for (const id of ["actions", "situation", "threshold-chart", "strategies-chart", "knowing", "staying", "said"]) {
    copy.querySelector(`#${id}`).replaceChildren();
  }
  const why = copy.querySelector("#why");
  why.replaceChildren(why.querySelector("summary"));
  why.open = false;
  // Without a script a term has no explanation to show.
  for (const term of copy.querySelectorAll(".term")) term.replaceWith(...term.childNodes);
  for (const tip of copy.querySelectorAll(".tip")) tip.remove();
  for (const button of copy.querySelectorAll("main button, #first, #missed")) button.remove();
  return `<!doctype html>\n${copy.outerHTML}\n`;
}
