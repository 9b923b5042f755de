// Terms explained where they stand: marked once a panel, with a sentence on hover, focus and touch.
import {
  auc, brier_score, calibrated_probability, confidence_interval, convex_hull, cost_proportion, cost_space,
  cross_validation, expected_cost, expected_loss, false_positive, h_measure, held_out, macro, margin,
  mean_absolute_error, miscalibration, optimal, positive, prevalence, rate_driven, refinement_loss, roc_space,
  rule_in_use, score, score_driven, score_uniform, skew, smoothed, stake, strategy, threshold, told_apart, voros,
} from "../../docs/concepts/words.md";
import { el } from "../dom.js";

// How each is written, where several fit at one place the longer first.
const TERMS = [
  [score_driven, "score-driven|probabilities taken at face value"],
  [smoothed, "smoothed|learned from labels"],
  [score_uniform, "(?:score|rate)-uniform"],
  [rate_driven, "rate-driven"],
  [optimal, "optimal"],
  [held_out, "held-out"],
  [prevalence, "prevalence"],
  [skew, "skews?"],
  [calibrated_probability, "calibrat(?:ed|ion)"],
  [false_positive, "false (?:positives?|negatives?|alarms?)|miss"],
  [strategy, "strateg(?:y|ies)"],
  [cost_space, "cost space"],
  [convex_hull, "(?:convex )?hull"],
  [confidence_interval, "(?:95\\s%\\s)?intervals?"],
  [roc_space, "ROC(?: curves?| space)?"],
  [auc, "AUC"],
  [brier_score, "Brier score"],
  [mean_absolute_error, "mean absolute error"],
  [macro, "classes balanced"],
  [h_measure, "H-measure"],
  [voros, "VOROS"],
  [miscalibration, "miscalibration"],
  [refinement_loss, "refinement loss"],
  [expected_cost, "expected cost"],
  [expected_loss, "expected loss"],
  [cost_proportion, "cost (?:proportion|axis)"],
  [told_apart, "(?:not |tell the two |do not tell )?(?:told )?apart"],
  [cross_validation, "cross-validation(?: folds)?"],
  [rule_in_use, "rule in use"],
  [margin, "margin"],
  [stake, "stake"],
  [threshold, "thresholds?"],
  [score, "scores?"],
  [positive, "positives?|negatives?"],
];
const ANY = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${TERMS.map(([, pattern]) => `(${pattern})`).join("|")})(?![\\p{L}\\p{N}_-])`,
  "giu",
);
const PANELS = "#hero, #staying, #scenarios, #counts, #inputs, #money, #strategies, #cost, #roc, #why section";
// Names of models, what is pressed, and drawings are left as they are.
const LEFT =
  "svg, select, button, summary, a, bdi, .named, .unseen, .static, .on-paper, .readout, .term, #instruction, #h-strategies";
// How far, in pixels, an explanation is from what it explains, and from the edge of the window.
const [APART, EDGE] = [6, 8];
// How long, in milliseconds, a pointer may take from a term to its explanation.
const LINGER = 150;

/** Explains terms in each panel, whatever is written there later. */
export function explainTerms() {
  const tips = tipsFor();
  const observer = new MutationObserver((changes) => {
    const panels = new Set(changes.map(({ target }) => panelOf(target)));
    for (const panel of panels) if (panel !== null) mark(panel, tips);
    tips.check();
    // The marks themselves are no news.
    observer.takeRecords();
  });
  for (const panel of document.querySelectorAll(PANELS)) mark(panel, tips);
  observer.observe(document.querySelector("main"), { childList: true, characterData: true, subtree: true });
}

function panelOf(target) {
  const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
  return element?.closest("svg") ? null : (element?.closest(PANELS) ?? null);
}

/** Marks each term where it first stands in a panel, and in each part of it that is folded by itself. */
function mark(panel, tips) {
  const marked = new Map();
  const markedIn = (node) => {
    const part = node.parentElement.closest(`details, ${PANELS}`);
    if (!marked.has(part)) marked.set(part, new Set());
    return marked.get(part);
  };
  for (const term of panel.querySelectorAll(".term")) markedIn(term).add(term.getAttribute("aria-describedby"));
  const walker = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement.closest(LEFT)) continue;
    const found = markedIn(text);
    let rest = text;
    let start = 0;
    for (const match of text.data.matchAll(ANY)) {
      const [id, sentence] = TERMS[match.slice(1).findIndex((group) => group !== undefined)][0];
      if (found.has(id)) continue;
      found.add(id);
      tips.has(id, sentence);
      rest = rest.splitText(match.index - start);
      const term = el("dfn", { class: "term", tabindex: 0, "aria-describedby": id }, match[0]);
      rest.before(term);
      rest.deleteData(0, match[0].length);
      start = match.index + match[0].length;
    }
  }
}

/** The explanations: one element a term, which screen readers find though it is hidden. */
function tipsFor() {
  const place = document.body;
  let [term, shown, waiting, pressed] = [null, null, null, null];
  const hide = () => {
    clearTimeout(waiting);
    if (shown !== null) shown.hidden = true;
    term = shown = null;
  };
  const show = (one) => {
    clearTimeout(waiting);
    if (one === term) return;
    hide();
    term = one;
    shown = document.getElementById(one.getAttribute("aria-describedby"));
    shown.hidden = false;
    put(shown, one);
  };
  const later = () => {
    clearTimeout(waiting);
    if (document.activeElement !== term) waiting = setTimeout(hide, LINGER);
  };
  const termOf = ({ target }) => target.closest?.(".term") ?? null;
  const over = (event) => {
    if (event.pointerType === "touch") return;
    const own = termOf(event);
    if (own !== null) show(own);
    else if (shown?.contains(event.target)) clearTimeout(waiting);
    else if (shown !== null) later();
  };
  const on = (name, act, capture = false) => addEventListener(name, act, capture);
  on("pointerover", over);
  on("focusin", (event) => (termOf(event) === null ? hide() : show(termOf(event))));
  on("focusout", hide);
  on("pointerdown", (event) => {
    // What a tap shows, the next one hides; a mouse shows it already.
    pressed = event.pointerType === "touch" ? term : null;
    if (termOf(event) === null && !shown?.contains(event.target)) hide();
  });
  on("click", (event) => {
    const own = termOf(event);
    if (own === null) return;
    // Within a label a tap is for the term.
    event.preventDefault();
    if (own === pressed) hide();
    else show(own);
  });
  on("keydown", (event) => {
    if (event.key === "Escape") hide();
    else if (event.key === "Enter" && termOf(event) !== null) show(termOf(event));
  });
  // Whatever scrolls but the page moves terms from their explanation.
  on("scroll", (event) => shown !== null && event.target !== document && put(shown, term), true);
  on("resize", hide);
  return {
    has(id, sentence) {
      if (document.getElementById(id) !== null) return;
      place.append(el("div", { id, role: "tooltip", class: "tip screen", hidden: true }, sentence));
    },
    check: () => term?.isConnected === false && hide(),
  };
}

/** Puts an explanation below a term, or above it where there is no room, within the window. */
function put(tip, term) {
  const [{ width, height }, at] = [tip.getBoundingClientRect(), term.getClientRects()[0]];
  const most = document.documentElement.clientWidth - EDGE - width;
  const above = at.bottom + APART + height > innerHeight && at.top > height + APART;
  const top = above ? at.top - APART - height : at.bottom + APART;
  tip.style.left = `${scrollX + Math.max(Math.min(at.left, most), EDGE)}px`;
  tip.style.top = `${scrollY + top}px`;
}
