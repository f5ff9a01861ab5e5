// Numbers of a column as an engineer writes them, and captions that begin with a title.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function load(entry) {
  const { outputFiles } = await build({ entryPoints: [here(entry)], bundle: true, write: false, format: "esm", logLevel: "silent" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

test("a small number leaves the others of its column as they are", async () => {
  const { formatColumn } = await load("../src/ui/numbers.ts");
  const shown = formatColumn([-0.574461, -1.11165e-7, 0, -2160.69], 6).map(({ text }) => text);
  assert.deepEqual(shown, ["\u22120.574461", "\u22121.11165\u00b710\u207b\u2077", "0", "\u22122160.69"]);
});

test("decimal points of plain numbers stand below each other", async () => {
  const { formatColumn } = await load("../src/ui/numbers.ts");
  const shown = formatColumn([47.7, 1.42, 100, 5.91e-5], 3);
  const behind = shown.slice(0, 3).map(({ text, padding }) => (text + padding).length - (text + padding).search(/\.|$/));
  assert.deepEqual(new Set(behind).size, 1);
  assert.equal(shown[3].padding, "");
});

test("a long caption begins with a title", async () => {
  const { titleAndRest } = await load("../src/blocks/table.ts");
  const long = "Joint forces on the second body in space axes, moments about its marker, over all times; peaks were sought.";
  assert.deepEqual(titleAndRest(long), ["Joint forces on the second body in space axes", "Moments about its marker, over all times; peaks were sought."]);
  assert.deepEqual(titleAndRest("Contacts"), ["Contacts", ""]);
  const words = "Travel, speed and acceleration over all times; peaks between the instants of the record were sought.";
  assert.equal(titleAndRest(words)[0], "Travel, speed and acceleration over all times");
});

test("a curve that hardly changes is drawn flat, and one that does is not", async () => {
  const { limits } = await load("../src/plot/scales.ts");
  const options = { log: false, minimum: null, maximum: null, margin: 0, zero: true };
  const [low, high] = limits([5.44442, 5.44448], options); // changes by 1.1e-5 of its size
  assert.ok(high - low > 100 * 6e-5, `${low} to ${high}`);
  const [from, to] = limits([39.99, 40], options); // by 2.5e-4
  assert.ok(to - from < 0.011, `${from} to ${to}`);
});
