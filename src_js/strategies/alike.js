// Strategies that do the same on all rows: they are one, named together.
import { ruleText } from "../words/words.js";

/** One of each that do the same: what stands for all of them. */
export function distinctIn({ strategies }) {
  return strategies.filter(({ same_as: same }) => !same);
}

/** {models, choices, terms}: the names of a strategy and of those that do the same as it, and the field's. */
export function namesOf(one, { strategies, labels, terms }) {
  const others = strategies.filter(({ same_as: same }) => same && isOne(same, one));
  const all = one.model === null ? [one] : [one, ...others];
  const used = others.filter(({ choice }) => choice === "baseline");
  const chosen = [...all, ...used].map(({ choice }) => choice);
  const models = all.map(({ model }) => model).filter((model) => model !== null);
  const of = (names, missing) => [...new Set(chosen.map((choice) => names[choice] ?? missing(choice)))];
  return {
    models: [...new Set(models)],
    choices: of(labels, (choice) => choice),
    terms: of(terms, () => null).filter(Boolean),
  };
}

/** What a strategy does, in words, if other models that do the same on all rows do so by that. */
export function rulesOf(one, { strategies }, unruled) {
  const said = ({ rule }) => (rule === null ? unruled : ruleText(rule));
  const others = strategies.filter(({ model, same_as: same }) => {
    return same && isOne(same, one) && model !== null && model !== one.model;
  });
  const same = one.model === null || others.every((other) => said(other) === said(one));
  return same ? said(one) : "a threshold of each model's own";
}

export function isOne(one, { model, choice }) {
  return one.model === model && one.choice === choice;
}
