// Puts questions to the translated engine: each [rows, question, level] as JSON, and so is the answer.
// JSON has no infinities, and JavaScript sorts names that are numbers: {"float": "inf"}, {"dict": []}.
import { heldOutOf } from "./engine/rows.js";
import { answer_dict, asked, detail } from "./decide.gen.js";
import { Dict, dict } from "./python/mappings.js";
import { NDArray } from "./python/numpy.js";

const NUMBERS = { inf: Infinity, "-inf": -Infinity, nan: NaN };

function read(value) {
  if (Array.isArray(value)) return value.map(read);
  if (value === null || typeof value !== "object") return value;
  if ("float" in value) return NUMBERS[value.float];
  return dict(value.dict.map(([name, part]) => [name, read(part)]));
}

function write(value) {
  if (value instanceof Dict) return { dict: value.items().map(([name, part]) => [name, write(part)]) };
  if (value instanceof NDArray) return write(value.tolist());
  if (Array.isArray(value)) return value.map(write);
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  return { float: Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf" };
}

export function answer(text) {
  const [rows, question, level] = JSON.parse(text);
  const start = performance.now();
  let found;
  try {
    const decision = asked(heldOutOf(rows), read(question), level);
    const both = [...answer_dict(decision).items()];
    for (let place = 0, part; (part = detail(decision, place)) !== null; place += 1) {
      both.push(...part.items());
    }
    found = [["answer", write(dict(both))]];
  } catch (error) {
    found = [["error", [error.name, error.message]]];
    if (!("$name" in error.constructor)) found.push(["stack", error.stack]);
  }
  return JSON.stringify({ found: { dict: found }, ms: performance.now() - start });
}
