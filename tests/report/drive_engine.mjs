// Answers questions put to the engine: of each [contents, [[question, ...arguments], ...]] in turn.
// A threshold choice is asked for by its name.
import { open } from "../../src_js/engine.js";

const plain = (key, value) => {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return value === Infinity ? "inf" : value === -Infinity ? "-inf" : value;
};

export function answer(text) {
  const answers = JSON.parse(text).map(([contents, questions]) => {
    const report = open(contents);
    const choice = (given) => report.choices.find(({ name }) => name === given) ?? given;
    return questions.map(([name, ...rest]) => report[name](...rest.map(choice)));
  });
  return JSON.stringify(answers, plain);
}
