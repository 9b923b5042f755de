// Bundles page.js with the modules of D3 that it uses, and their licences; and the engine.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { glossaryOf } from "./words/glossary.js";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, "../src/costspace/report/static"));

// What writes words needs no arrays, which are the largest part of the runtime.
const WITHOUT_ARRAYS = {
  name: "without-arrays",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\/(python\/)?numpy\.js$/ }, () => ({ path: join(here, "python/no_arrays.js") })),
};

// The page's scales are of numbers alone.
const OF_NUMBERS = {
  name: "of-numbers",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^d3-interpolate$/ }, () => ({ path: join(here, "drawing/interpolating.js") })),
};

// A term that the docs' glossary does not have is an error, and one that the page does not explain is left out.
const GLOSSARY = {
  name: "glossary",
  setup: ({ onLoad }) =>
    onLoad({ filter: /words\.md$/ }, ({ path }) => ({
      contents: Object.entries(glossaryOf(path))
        .map(([name, said]) => `export const ${name} = ${JSON.stringify(said)};\n`)
        .join(""),
    })),
};

async function bundled(entry, name, banner, plugins = []) {
  const { metafile } = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    outfile: join(folder, name),
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2020"],
    charset: "ascii",
    legalComments: "inline",
    banner: { js: `/* ${banner} */` },
    metafile: true,
    plugins,
    logLevel: "warning",
    logOverride: { "import-is-undefined": "silent" },
  });
  return metafile;
}

/** By this a test tells whether what is bundled does what the package's own code does now. */
function identityOf(name) {
  return /^\/\/ Program (\w+)/.exec(readFileSync(join(here, name), "utf8"))[1];
}

/** The licences of the packages among the inputs, each text once: they go wherever the page goes. */
function licences({ inputs }) {
  const names = new Set();
  for (const path of Object.keys(inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found) names.add(found[1]);
  }
  const texts = new Map();
  for (const name of [...names].sort()) {
    const own = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
    const text = readFileSync(join(own, "LICENSE"), "utf8").trim();
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...texts].map(([text, of]) => `Contains ${of.join(", ")}:\n\n${text}`).join("\n\n");
}

const words = `The sources are in src_js. Words: ${identityOf("words.gen.js")}`;
const page = await bundled("page.js", "page.js", words, [WITHOUT_ARRAYS, OF_NUMBERS, GLOSSARY]);
const script = join(folder, "page.js");
const [first, ...rest] = readFileSync(script, "utf8").split("\n");
writeFileSync(script, [first, `/*\n${licences(page)}\n*/`, ...rest].join("\n"));

await bundled("engine/worker.js", "engine.js", `The package's own code, translated: ${identityOf("decide.gen.js")}`);
