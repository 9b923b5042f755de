// Bundles page.js with the modules of D3 that it uses, and gathers their licences.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../src/costspace/report/static/page.js");

const result = await build({
  absWorkingDir: here,
  entryPoints: ["page.js"],
  outfile: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2020"],
  charset: "ascii",
  legalComments: "inline",
  banner: {
    js: "/* The sources are in src_js; bundled with D3's modules: page.js.LICENSES.txt. */",
  },
  metafile: true,
  logLevel: "warning",
});

const names = new Set();
for (const path of Object.keys(result.metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
  if (found) names.add(found[1]);
}
const texts = [...names].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
});
const line = "-".repeat(72);
writeFileSync(
  `${out}.LICENSES.txt`,
  `page.js contains code of the packages below, each under its licence.\n\n` +
    texts.map((text) => `${line}\n${text}`).join("\n"),
);
