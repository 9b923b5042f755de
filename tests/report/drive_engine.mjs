// The charts' engine, asked for what it reads of stored models: curves, cuts, and points of interest.
import { open } from "../../src_js/curves/curves.js";
import { cornerAt } from "../../src_js/why/linked.js";
import { ratesAt } from "../../src_js/threshold/thresholds.js";

const plain = (key, value) => {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return value === Infinity ? "inf" : value === -Infinity ? "-inf" : value;
};

const ANSWERS = {
  roc: (report, i) => report.rocLine(i),
  outline: (report, i) => report.rocOutline(i),
  cuts: (report, i) => {
    const model = report.models[i];
    const { scores, fpr, fnr } = model;
    return { scores, fpr, fnr, thresholds: Array.from(fpr, (_, k) => model.cutAfter(k)) };
  },
  corners: (report, i, skews) => skews.map((z) => cornerAt(report.models[i].hull, z)),
  rates: (report, i, thresholds) => thresholds.map((t) => ratesAt(report.models[i], Number(t))),
};

/** Answers questions, [name, model, ...], of each [contents, questions] in turn. */
export function answer(text) {
  const answers = JSON.parse(text).map(([contents, questions]) => {
    const report = open(contents);
    return questions.map(([name, ...rest]) => ANSWERS[name](report, ...rest));
  });
  return JSON.stringify(answers, plain);
}
