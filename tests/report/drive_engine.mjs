// Answers questions put to the engine: lines of [file of contents, [[method, ...arguments], ...]].
import { readFileSync } from "node:fs";
import { open } from "../../src_js/engine.js";

const plain = (key, value) => {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return value === Infinity ? "inf" : value === -Infinity ? "-inf" : value;
};
const answers = JSON.parse(readFileSync(0, "utf8")).map(([contents, questions]) => {
  const report = open(contents);
  return questions.map(([name, ...rest]) => report[name](...rest));
});
process.stdout.write(JSON.stringify(answers, plain));
