// What is known about deployment, in sight of the answer to it.
import { byId, el, hint } from "../dom.js";
import { field } from "./fields.js";
import { inBatches, isCapacity } from "../question.js";
import { BATCH, CORRECT_COST, COST, LIMIT, moneyOf, PREVALENCE, printable, VOLUME } from "./parsing.js";
import { costDomain, prevalenceDomain } from "./sliders.js";
import { ruleInUse } from "./in_use.js";
import { asPercent, plain } from "./shown.js";
import { ifReviewed, reviewFields } from "./review.js";

const LIMITED = {
  capacity: ["Flag at most", "capacity: a share of all cases, or a number of those of a batch"],
  review_capacity: ["Review at most", "of all cases, or of those of a batch"],
  min_precision: ["Precision at least", "of the flagged, how many are positive"],
  min_recall: ["Recall at least", "of the positives, how many are flagged"],
  min_npv: ["Predictive value at least", "of those not flagged, how many are negative"],
  max_fpr: ["False positive rate at most", "of the negatives, how many are flagged"],
};
const CORRECT = {
  tp_cost: "A true positive costs",
  tn_cost: "A true negative costs",
};

export function showInputs(state, contents) {
  const form = byId("situation");
  const wrong = wrongIn(state);
  const main = mainFields(state, contents, wrong);
  const known = knownBoxes(state);
  const business = businessFields(state, wrong);
  const more = rarer(state, contents, wrong);
  const parts = [main, known, business, more];
  form.append(...parts.map(({ element }) => element));
  form.addEventListener("submit", (event) => event.preventDefault());
  const { fixed = null } = contents;
  if (fixed !== null) disable(form, fixed);
  // Without a question, as where each case has costs of its own, there is nothing to show there.
  if (fixed !== null && !contents.question) {
    for (const { element } of [main, known, more]) element.hidden = true;
  }
  // Links, thumbs and the start can set what fields show.
  state.watch(["asked", "volume", "currency"], () => {
    for (const { follow } of parts) follow();
  });
  return {
    reset() {
      for (const { reset } of parts) reset();
    },
  };
}

/** Keeps which fields cannot be read. */
function wrongIn(state) {
  return (id, whether) => {
    const others = state.values.wrong.filter((one) => one !== id);
    state.set({ wrong: whether ? [...others, id] : others });
  };
}

/** Fields as one part of the form. */
function together(fields, element) {
  return {
    element,
    follow: () => fields.forEach(({ follow }) => follow()),
    reset: () => fields.forEach(({ reset }) => reset()),
  };
}

/** Reads and changes one thing of the question last put. */
function of(state, name) {
  return {
    get: () => state.values.asked?.[name] ?? null,
    put: (ends) => state.set({ question: { ...state.values.asked, [name]: ends } }),
  };
}

/** Reads and changes the prevalence: it is estimated from the rows until one is given. */
function ofPrevalence(state, contents) {
  const put = (ends) => {
    const own = [contents.prevalence, contents.prevalence];
    const given = { prevalence: ends ?? own, estimated: ends === null };
    state.set({ question: { ...state.values.asked, ...given } });
  };
  return { get: () => state.values.asked?.prevalence ?? null, put };
}

function mainFields(state, contents, wrong) {
  const start = contents.question ?? { fp_cost: [1, 1], fn_cost: [1, 100], ...contents.initial };
  const costs = costDomain(...start.fp_cost, ...start.fn_cost);
  const cost = { kind: moneyOf(state, COST), thumbs: { scale: "log", domain: costs }, shown: plain, wrong };
  const fields = [
    field({ id: "fp-cost", label: "A false positive costs", ...cost, ...of(state, "fp_cost") }),
    field({ id: "fn-cost", label: "A false negative costs", ...cost, ...of(state, "fn_cost") }),
    field({
      id: "prevalence",
      label: "Prevalence",
      hint: "share of positives where the model will be used; left empty it is that of these rows, with its interval",
      kind: PREVALENCE,
      optional: true,
      placeholder: `${asPercent(contents.prevalence)} in these rows`,
      thumbs: { scale: "logit", domain: prevalenceDomain(...start.prevalence) },
      shown: asPercent,
      wrong,
      ...ofPrevalence(state, contents),
    }),
  ];
  return together(fields, el("div", { class: "fields" }, fields.map(({ element }) => element)));
}

/** What of the ranges is known when each case is decided. */
function knownBoxes(state) {
  const boxes = ["costs", "prevalence"].map((name) => {
    const box = el("input", { type: "checkbox", id: `known-${name}` });
    box.addEventListener("change", () => {
      const { asked } = state.values;
      const others = asked.known.filter((one) => one !== name);
      state.set({ question: { ...asked, known: box.checked ? [...others, name].sort() : others } });
    });
    return { name, box };
  });
  const follow = () => {
    for (const { name, box } of boxes) box.checked = state.values.asked?.known.includes(name) ?? false;
  };
  follow();
  const element = el(
    "fieldset",
    { class: "known" },
    el("legend", {}, "Known when a case is decided"),
    el(
      "div",
      { class: "chips" },
      boxes.map(({ name, box }) => el("label", { class: "chip" }, box, `the ${name}`)),
    ),
    hint("Will you know the exact costs or the prevalence of each case then? Tick it: each case gets its own threshold."),
  );
  return { element, follow, reset: follow };
}

function businessFields(state, wrong) {
  const volume = field({
    id: "cases",
    label: "Cases a year",
    kind: VOLUME,
    optional: true,
    placeholder: "none",
    shown: (x) => plain(x),
    wrong,
    get: () => (state.values.volume === null ? null : [state.values.volume, state.values.volume]),
    put: (ends) => state.set({ volume: ends === null ? null : ends[0] }),
  });
  const currency = el("input", { id: "currency", type: "text", maxlength: 12, autocomplete: "off", placeholder: "none" });
  currency.addEventListener("input", () => state.set({ currency: printable(currency.value).trim() }));
  const follow = () => {
    if (document.activeElement !== currency) currency.value = state.values.currency;
  };
  follow();
  const sign = el(
    "div",
    { class: "field short" },
    el("div", { class: "field-head" }, el("label", { for: "currency" }, "Currency")),
    currency,
  );
  const asPart = { element: sign, follow, reset: follow };
  return together([volume, asPart], el("div", { class: "fields" }, volume.element, sign));
}

function rarer(state, contents, wrong) {
  const [capacity, reviewed, ...others] = Object.entries(LIMITED).map(([name, [label, about]]) =>
    limitField({ state, name, label, about, wrong }),
  );
  const limits = [capacity, ifReviewed(state, reviewed), batchField(state, wrong), ...others];
  const correct = Object.entries(CORRECT).map(([name, label]) => correctField({ state, name, label, wrong }));
  const inUse = ruleInUse(state, contents, wrong);
  const review = reviewFields(state, wrong);
  const group = (name, ...parts) => el("fieldset", {}, el("legend", {}, name), ...parts);
  const element = el(
    "details",
    { class: "rarer" },
    el("summary", {}, "Review, limits, more costs, rule in use"),
    group("Review: a person looks at some cases", ...review.map((one) => one.element)),
    group("Limits", ...limits.map((one) => one.element)),
    group("Cost of right decisions (a gain is below 0)", ...correct.map((one) => one.element)),
    group("Rule in use", inUse.element),
  );
  element.open = isRare(state.values.asked);
  const part = together([...review, ...limits, ...correct, inUse], element);
  const reset = () => {
    part.reset();
    // What a link asks for is in sight.
    if (isRare(state.values.asked)) element.open = true;
  };
  return { ...part, reset };
}

/** Whether a question has something that is folded away else. */
function isRare(asked) {
  if (asked === null) return false;
  const correct = [...asked.tp_cost, ...asked.tn_cost].some((x) => x !== 0);
  const { review = null, baseline, limits } = asked;
  return correct || review !== null || baseline !== null || Object.keys(limits).length > 0;
}

function limitField({ state, name, label, about, wrong }) {
  return field({
    id: name.replace("_", "-"),
    label,
    hint: about + severalSizes(name, state.values.asked?.batch),
    kind: isCapacity(name) ? ofABatch(state) : LIMIT,
    optional: true,
    placeholder: "none",
    shown: asPercent,
    wrong,
    get: () => {
      const limit = state.values.asked?.limits[name];
      return limit === undefined ? null : [limit, limit];
    },
    put: (ends) => {
      const { [name]: _, ...others } = state.values.asked.limits;
      const limits = ends === null ? others : { ...others, [name]: ends[0] };
      state.set({ question: { ...state.values.asked, limits } });
    },
  });
}

/** A share, or a number of cases of the batch that is typed beside it. */
function ofABatch(state) {
  return {
    ...LIMIT,
    get batch() {
      const size = state.values.asked?.batch;
      return typeof size === "number" ? size : null;
    },
  };
}

/** How many cases a capacity is of at a time, all of them while the field is empty. */
function batchField(state, wrong) {
  return field({
    id: "batch",
    label: "in batches of",
    hint: "how many cases are in a queue at a time; empty for one queue of all",
    kind: BATCH,
    optional: true,
    placeholder: "all",
    shown: plain,
    wrong,
    get: () => {
      const size = state.values.asked?.batch ?? null;
      // Batches of several sizes are told beside the capacity.
      return typeof size === "number" ? [size, size] : null;
    },
    put: (ends) => state.set({ question: { ...state.values.asked, batch: ends === null ? null : ends[0] } }),
  });
}

/** In which batches a capacity is, if they have several sizes, which no field can take. */
function severalSizes(name, batch) {
  return Array.isArray(batch) ? inBatches(name, batch) : "";
}

/** What a right decision costs, nothing while the field is empty. */
function correctField({ state, name, label, wrong }) {
  const { get, put } = of(state, name);
  return field({
    id: name.replace("_", "-"),
    label,
    kind: moneyOf(state, CORRECT_COST),
    optional: true,
    placeholder: "0",
    shown: plain,
    wrong,
    get: () => (get()?.some((x) => x !== 0) ? get() : null),
    put: (ends) => put(ends ?? [0, 0]),
  });
}

/** Leaves only what asks nothing anew: how many cases there are, and the currency. */
function disable(form, reason) {
  const asking = "input:not(#cases, #currency), select, button";
  for (const control of form.querySelectorAll(asking)) control.disabled = true;
  form.prepend(el("p", { class: "fixed" }, reason));
}
