// The docs' glossary as a module, for the bundle: of each term its first sentence.
import { readFileSync } from "node:fs";

// What of Markdown sentences have.
const MARKUP = [
  [/\[([^\]]*)\]\([^)]*\)/g, "$1"],
  [/[*`]/g, ""],
  [/\s+/g, " "],
];

/** {name: [id, sentence]} of each term, by the first of its words. */
export function glossaryOf(path) {
  const found = {};
  for (const [, term, said] of readFileSync(path, "utf8").matchAll(/^(\S.*)\n: ((?:.+\n)+)/gm)) {
    const name = term.split(",")[0].toLowerCase().replace(/[^a-z0-9]+/g, "_");
    const plain = MARKUP.reduce((text, [mark, kept]) => text.replace(mark, kept), said);
    const [sentence] = /^.*?\.(?= |$)/.exec(plain.trim());
    found[name] = [`term-${name}`, sentence];
  }
  return found;
}
