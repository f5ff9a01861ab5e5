// Bundles src/ into one script and one style sheet for reports, and one of each for the studio, inside the Python package.
// The same sources and lock file give the same bytes on every machine.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const assets = here("../src/flexframe/reports/assets");

// Packages whose code ends up in the bundle; their licence texts travel with it.
const bundledPackages = [
  "@codemirror/autocomplete", "@codemirror/commands", "@codemirror/lang-yaml", "@codemirror/language", "@codemirror/lint",
  "@codemirror/search", "@codemirror/state", "@codemirror/view", "@lezer/common", "@lezer/highlight", "@lezer/lr", "@lezer/yaml",
  "@marijn/find-cluster-break", "crelt", "style-mod", "three", "w3c-keyname",
];

async function licences(names) {
  const texts = [];
  for (const name of names) {
    const { version, license } = JSON.parse(await readFile(here(`node_modules/${name}/package.json`), "utf8"));
    const text = (await readFile(here(`node_modules/${name}/LICENSE`), "utf8")).replace(/\r\n/g, "\n").trim();
    texts.push(`${name} ${version} (${license})\n\n${text}\n`);
  }
  return texts.join("\n\n");
}

const result = await build({
  absWorkingDir: here("."),
  entryPoints: { viewer: "src/main.ts", studio: "src/studio/main.ts" },
  bundle: true,
  minify: true,
  write: false,
  outdir: "out",
  format: "iife",
  target: ["es2022"],
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});

/** Packages whose code is in one of the outputs. */
function packagesOf(output) {
  const packages = new Set();
  for (const input of Object.keys(output.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  return [...packages].sort();
}

// The licence of every bundled package must be listed above.
for (const name of Object.values(result.metafile.outputs).flatMap(packagesOf)) {
  if (!bundledPackages.includes(name)) throw new Error(`${name} is bundled; add it to bundledPackages`);
}

await mkdir(assets, { recursive: true });
for (const file of result.outputFiles) {
  const name = file.path.split(/[\\/]/).at(-1);
  const code = file.text.replace(/\r\n/g, "\n").trim();
  const packages = packagesOf(result.metafile.outputs[`out/${name}`]);
  const notice = `Contains:\n\n${await licences(packages)}`.replace(/[^\x00-\x7f]/g, (c) => (c === "\u00a9" ? "(c)" : "?"));
  const text = name.endsWith(".js") ? `/*!\n${notice}*/\n${code}\n` : `${code}\n`;
  // Those of a report are embedded in HTML: nothing in them may end or confuse its element.
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} holds text that would break out of its element`);
  if (/[^\x00-\x7f]/.test(text)) throw new Error(`${name} is not ASCII`);
  await writeFile(`${assets}/${name}`, text);
  console.log(`${name}: ${(text.length / 1000).toFixed(0)} kB`);
}
await writeFile(`${assets}/THIRD_PARTY_LICENSES.txt`, await licences(bundledPackages));
