// Bundles page.js with the modules of D3 that it uses, and gathers their licences; and the engine.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, "../src/costspace/report/static"));

// What writes words needs no arrays, which are the largest part of the runtime.
const WITHOUT_ARRAYS = {
  name: "without-arrays",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\/(python\/)?numpy\.js$/ }, () => ({ path: join(here, "python/no_arrays.js") })),
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

function licences({ inputs }) {
  const names = new Set();
  for (const path of Object.keys(inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found) names.add(found[1]);
  }
  const line = "-".repeat(72);
  const texts = [...names].sort().map((name) => {
    const own = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
    const text = readFileSync(join(own, "LICENSE"), "utf8").trim();
    return `${line}\n${name} ${version} (${license})\n\n${text}\n`;
  });
  return `page.js contains code of the packages below, each under its licence.\n\n${texts.join("\n")}`;
}

const page = await bundled(
  "page.js",
  "page.js",
  `The sources are in src_js; bundled with D3's modules: page.js.LICENSES.txt. Words: ${identityOf("words.gen.js")}`,
  [WITHOUT_ARRAYS],
);
writeFileSync(join(folder, "page.js.LICENSES.txt"), licences(page));

await bundled("engine/worker.js", "engine.js", `The package's own code, translated: ${identityOf("decide.gen.js")}`);
