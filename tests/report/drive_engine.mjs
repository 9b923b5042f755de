// Answers questions put to the engine: of each [contents, [[method, ...arguments], ...]] in turn.
import { open } from "../../src_js/engine.js";

const plain = (key, value) => {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return value === Infinity ? "inf" : value === -Infinity ? "-inf" : value;
};

export function answer(text) {
  const answers = JSON.parse(text).map(([contents, questions]) => {
    const report = open(contents);
    return questions.map(([name, ...rest]) => report[name](...rest));
  });
  return JSON.stringify(answers, plain);
}
