// What was typed in, as the part of an address after the #: only what differs from what it came with.
import { BATCH, printable } from "./parsing.js";
import { firstQuestion, LIMITS, RANGES, REVIEW, same } from "../question.js";
import { decisionsIn } from "./in_use.js";

const KEYS = { fp_cost: "fp", fn_cost: "fn", tp_cost: "tp", tn_cost: "tn", prevalence: "prevalence" };
const KNOWN = ["costs", "prevalence"];
const LONGEST = 12;
// Answers that are pinned.
export const MOST_PINNED = 3;

/** The part after the #, empty where nothing differs. */
export function addressOf({ asked, volume, currency, pins }, contents) {
  const found = new URLSearchParams();
  if (asked !== null && !same(asked, contents.question)) {
    const base = contents.question ?? firstQuestion(contents, [null, null]);
    for (const name of RANGES) {
      const [low, high] = asked[name];
      if (name === "prevalence" && asked.estimated !== base.estimated) {
        found.set(KEYS[name], asked.estimated ? "" : rangeText(asked[name]));
        continue;
      }
      if (low === base[name][0] && high === base[name][1]) continue;
      found.set(KEYS[name], rangeText(asked[name]));
    }
    for (const name of REVIEW) {
      const [own, first] = [asked, base].map(({ review }) => (review ? rangeText(review[name]) : ""));
      // Without errors a review has none to tell.
      if (own !== first && !(first === "" && own === "1")) found.set(`review-${name}`, own);
    }
    if (String([...asked.known].sort()) !== String([...base.known].sort())) {
      found.set("known", [...asked.known].sort().join(","));
    }
    for (const name of Object.keys(LIMITS)) {
      if (asked.limits[name] === base.limits[name]) continue;
      found.set(name.replace("_", "-"), asked.limits[name] ?? "");
    }
    const [batch, first] = [asked, base].map((one) => [one.batch ?? []].flat().join(","));
    if (batch !== first) found.set("batch", batch);
    const rule = ruleOf(asked.baseline);
    if (rule !== ruleOf(base.baseline)) found.set("in-use", rule);
  }
  if (volume !== contents.initial.cases) found.set("cases", volume === null ? "" : String(volume));
  if (currency !== contents.initial.currency) found.set("currency", currency);
  for (const { text } of pins) found.append("pin", text);
  return found.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
}

function rangeText([low, high]) {
  return low === high ? String(low) : `${low}:${high}`;
}

function ruleOf(baseline) {
  return baseline ? `${baseline.threshold}:${baseline.model}` : "";
}

/** What an address says, where it makes sense: {asked, volume, currency, pins}. */
export function fromAddress(text, contents) {
  const given = new URLSearchParams(text.replace(/^#/, ""));
  const { cases, currency } = contents.initial;
  const volume = given.has("cases") ? numberOf(given.get("cases")) : cases;
  return {
    asked: questionOf(given, contents),
    volume: volume !== null && volume > 0 ? volume : null,
    currency: printable(given.get("currency") ?? currency).slice(0, LONGEST),
    pins: given.getAll("pin").slice(0, MOST_PINNED).map((own) => ({ text: own })),
  };
}

function questionOf(given, contents) {
  const ranges = Object.fromEntries(RANGES.map((name) => [name, rangeOf(given.get(KEYS[name]))]));
  const base = contents.question ?? (ranges.fn_cost && firstQuestion(contents, ranges.fn_cost));
  if (!base) return null;
  const question = { ...base, limits: { ...base.limits } };
  for (const name of RANGES) question[name] = ranges[name] ?? base[name];
  if (given.get(KEYS.prevalence) === "") {
    Object.assign(question, { prevalence: [contents.prevalence, contents.prevalence], estimated: true });
  } else if (ranges.prevalence) question.estimated = false;
  if (given.has("known")) {
    question.known = KNOWN.filter((name) => given.get("known").split(",").includes(name));
  }
  for (const name of Object.keys(LIMITS)) {
    const text = given.get(name.replace("_", "-"));
    if (text === "") delete question.limits[name];
    else if (numberOf(text) !== null) question.limits[name] = numberOf(text);
  }
  question.review = reviewOf(given, base.review ?? null);
  if (question.review === null) delete question.limits.review_capacity;
  if (given.has("batch")) question.batch = batchOf(given.get("batch"));
  if (given.has("in-use") && decisionsIn(contents) === null) question.baseline = baselineOf(given.get("in-use"), contents);
  return question;
}

/** What a review costs, with the rates of what it decides rightly; null where none is known of. */
function reviewOf(given, base) {
  const [cost, ...rates] = REVIEW.map((name) => {
    const text = given.get(`review-${name}`);
    return text === "" ? null : (rangeOf(text) ?? base?.[name] ?? null);
  });
  return cost === null ? null : { cost, sensitivity: rates[0] ?? [1, 1], specificity: rates[1] ?? [1, 1] };
}

function batchOf(text) {
  const size = numberOf(text);
  return size !== null && BATCH.holds(size) ? size : null;
}

function rangeOf(text) {
  if (!text) return null;
  const ends = text.split(":").map(numberOf);
  const [low, high = low] = ends;
  return ends.length <= 2 && low !== null && high !== null && low <= high ? [low, high] : null;
}

function baselineOf(text, { models }) {
  const [, threshold, model] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const known = models.some(({ name }) => name === model);
  return known && numberOf(threshold) !== null ? { model, threshold: numberOf(threshold) } : null;
}

function numberOf(text) {
  const value = text === null || text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
