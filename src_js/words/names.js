// Names of models within sentences, each in its own direction.
import { el } from "../dom.js";

/** The parts of a text, names of models in it kept apart from what is around them. */
export function isolated(text, names) {
  const sorted = [...names].filter(Boolean).sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return [text];
  // A short name is part of many words.
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(${sorted.map(escaped).join("|")})(?![\\p{L}\\p{N}])`, "u");
  return text
    .split(any)
    .map((part, k) => (k % 2 === 1 ? el("bdi", {}, part) : part))
    .filter((part) => part !== "");
}

function escaped(name) {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
