// What the page was made of and how, so that it can be checked later.
import { byId, el } from "./dom.js";
import { brief, count } from "./words.js";

const READING = [
  "A case is flagged if its score is above the threshold. Costs are those of a mistake: correct decisions cost nothing.",
  "Loss at cost proportion c and prevalence p is 2 (c (1 \u2212 p) FPR + (1 \u2212 c) p FNR); on the skew axis z it is z FPR + (1 \u2212 z) FNR.",
  "Of a range of costs every order of magnitude is as likely as another, of a range of prevalence every stretch of log-odds; all three are independent.",
  "Curves are drawn from each class\u2019s rates, so that another prevalence changes them and not the ROC curve.",
];

export function showNotes(contents) {
  const { source, models } = contents;
  const facts = [
    ["Data", source.path ?? "arrays in memory"],
    [
      "Rows",
      `${count(source.rows)}: ${count(source.negatives)} negative, ${count(source.positives)} positive` +
        (source.weighted ? ", weighted" : ""),
    ],
    ["Prevalence in the data", brief(contents.prevalence)],
    ["Prevalence of the tables of metrics", brief(contents.condition.prevalence)],
    ...["label", "weight", "groups"].flatMap((name) =>
      contents[name] ? [[`Column of ${name}${name === "label" ? "s" : ""}`, contents[name]]] : [],
    ),
    ["Models", models.map(({ name }) => name).join(", ")],
    ["Made with", `costspace ${contents.version}`],
    ...models.flatMap(({ name, cuts, distinct, tolerance }) =>
      tolerance > 0
        ? [
            [
              `Cuts of ${name}`,
              `${count(cuts)} of ${count(distinct)}: rates between them are off by at most ${tolerance.toPrecision(2)}`,
            ],
          ]
        : [],
    ),
  ];
  const list = (title, texts) =>
    texts.length > 0
      ? [
          el("h3", {}, title),
          el(
            "ul",
            {},
            texts.map((text) => el("li", {}, text)),
          ),
        ]
      : [];
  const missing = models.flatMap(({ name, notes }) =>
    [...new Set(Object.values(notes ?? {}))].map((note) => `${name}: ${note}`),
  );
  byId("notes").append(
    el(
      "dl",
      { class: "facts" },
      facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
    ),
    ...list("Assumptions", contents.assumptions),
    ...list("Notes", [...contents.notes, ...missing]),
    ...list("How to read this page", READING),
  );
}
