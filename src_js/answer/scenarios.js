// Answers side by side: those that were pinned, the one of now, and what each costs against that.
import { instructionOf, perOf, recommendedIn, timesOf, verdictOf } from "./decided.js";
import { byId, el, left, table } from "../dom.js";
import { addressOf, fromAddress, MOST_PINNED } from "../inputs/address.js";
import { phrases } from "../question.js";
import { isolated } from "../words/names.js";
import { estimated, sides } from "../words/figures.js";
import { count } from "../words/words.js";

const PIN = "Pin this answer, to compare it with others";

export function showScenarios(state, contents) {
  if (contents.fixed !== null) return;
  const pin = el("button", { type: "button", class: "screen" }, PIN);
  const pinned = el("div");
  pin.addEventListener("click", () => {
    const { pins, decision } = state.values;
    state.set({ pins: [...pins, { text: textOf(state.values), decision }] });
  });
  const textOf = ({ question: asked, volume, currency }) => addressOf({ asked, volume, currency, pins: [] }, contents);
  const remove = (one) => {
    state.set({ pins: state.values.pins.filter((other) => other !== one) });
    pin.focus();
  };
  const update = (changed) => {
    const { decision, pins, question, busy } = state.values;
    const full = pins.length >= MOST_PINNED;
    pin.hidden = decision === null || question === null;
    pin.textContent = full ? `${MOST_PINNED} answers are pinned: remove one to pin another` : PIN;
    pin.disabled = busy || full || (!pin.hidden && pins.some(({ text }) => text === textOf(state.values)));
    if (changed?.has("details")) return;
    const shown = decision !== null && pins.length > 0;
    pinned.replaceChildren(...(shown ? [compared(state.values, { contents, remove })] : []));
  };
  byId("scenarios").append(pinned, pin);
  state.watch(["decision", "pins", "volume", "currency", "busy"], update);
  state.watch(["pins"], () => answerPins(state, contents));
  update();
}

/** Asks for the answers of what a link has pinned, one after the other. */
async function answerPins(state, contents) {
  for (const one of state.values.pins.filter(({ decision }) => decision === undefined)) {
    // Asked for, with no answer yet.
    one.decision = null;
    const { decision = null, error } = await state.answer(fromAddress(one.text, contents).asked);
    const found = { ...one, decision, error };
    state.set({ pins: state.values.pins.map((other) => (other === one ? found : other)) });
  }
}

/** A row of each, the answer of now first. */
function compared(values, { contents, remove }) {
  const names = contents.models.map(({ name }) => name);
  const now = { ...values, told: toldOf(values.question, values) };
  const others = values.pins.map((one) => {
    const { asked, volume } = fromAddress(one.text, contents);
    return { ...one, volume, currency: values.currency, told: toldOf(asked, { ...values, volume }) };
  });
  const all = [now, ...others];
  const shared = now.told.filter((phrase) => all.every(({ told }) => told.includes(phrase)));
  const differs = ({ told }) => told.filter((phrase) => !shared.includes(phrase)).join("; ") || "the same";
  const row = (name, one, ...rest) => [
    { content: [el("b", {}, name), ` ${differs(one)}`] },
    left(isolated(one.decision ? doneBy(one.decision, one) : (one.error ?? "Computing \u2026"), names)),
    left(costOf(one)),
    ...rest.map(left),
  ];
  return table({
    caption: "Answers side by side",
    className: "scenarios",
    head: ["Scenario", left("What to do"), left("Cost"), left("Against now"), ""],
    rows: [
      row("Now:", now, "", ""),
      ...others.map((one, k) => row(`Pinned ${k + 1}:`, one, againstNow(one, now), removal(k, () => remove(values.pins[k])))),
    ],
  });
}

function removal(k, act) {
  const label = `Remove pinned answer ${k + 1}`;
  return el("button", { type: "button", class: "plain", "aria-label": label, onclick: act }, "Remove");
}

/** What a scenario takes for granted, phrase by phrase. */
function toldOf(question, { volume, currency }) {
  return [...phrases(question, currency), ...(volume === null ? [] : [`${count(volume)} cases a year`])];
}

function doneBy(decision, values) {
  const { saving } = verdictOf(decision, values);
  return `${instructionOf(decision).text}. ${saving ?? ""}`;
}

/** What the rule that is recommended costs, of a year where a volume is known; null where nothing is. */
function amountIn({ decision, volume }) {
  const { cost_per_1000: value = null, low, high } = (decision && recommendedIn(decision)) ?? {};
  return value === null ? null : timesOf({ value, low: low ?? value, high: high ?? value }, { volume });
}

function costOf(one) {
  const amount = amountIn(one);
  if (amount === null) return "\u2013";
  const { value, interval } = estimated(amount, one.currency);
  return `${value} ${perOf(one)}${interval === null ? "" : ` (${interval})`}`;
}

/** What an answer costs more, or less, than that of now, if both are of a year or both are not. */
function againstNow(one, now) {
  const [own, other] = [one, now].map(amountIn);
  if (own === null || other === null || (one.volume === null) !== (now.volume === null)) return "\u2013";
  const difference = own.value - other.value;
  const apart = sides({ difference, low: null, high: null }, now.currency);
  return difference === 0 ? "costs the same" : `costs ${apart} than now`;
}
