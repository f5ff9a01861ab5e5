// Two runs over each other: which curves are taken, and how they are told apart.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

globalThis.matchMedia = () => ({ matches: false, addEventListener: () => undefined }); // what the colours of a page ask for
const entry = fileURLToPath(new URL("../src/studio/overlay.ts", import.meta.url));
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm", logLevel: "silent" });
const { overlay } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

const axis = (label, unit) => ({ label, unit, log: false, minimum: null, maximum: null });
const curve = (name, ...values) => ({ name, x: { values: [0, 1] }, y: { values }, colour: "", line: true, markers: false, dashed: false, links: null });
const plot = (title, unit, ...series) => ({ kind: "Plot", title, x: axis("time", "s"), y: axis("length", unit), series, reference_lines: [], bands: [], cursor: null, caption: "", height: 300 });
const document = (...sections) => ({ kind: "Document", title: "", sections, case_name: "", version: "", meta: [] });

test("curves of the same plot and name are laid over each other, dashed and in the same colour", () => {
  const flexible = document({ title: "run", blocks: [plot("tip", "mm", curve("x", 1, 2), curve("y", 3, 4))] });
  const rigid = document({ title: "run", blocks: [{ kind: "Row", blocks: [plot("tip", "mm", curve("y", 5, 6), curve("z", 7, 8))] }] });
  const { document: made, curves } = overlay(flexible, rigid, "rigid");
  assert.equal(curves, 1);
  const { series } = made.sections[0].blocks[0];
  assert.deepEqual(series.map((s) => [s.name, s.dashed]), [["x", false], ["y", false], ["y, rigid", true]]);
  assert.deepEqual(series[2].y.values, [5, 6]);
  assert.notEqual(series[2].colour, "");
  assert.equal(flexible.sections[0].blocks[0].series.length, 2); // the first document stays as it was
});

test("another unit is another plot; an analysis of another name gives its plots where none has the name", () => {
  const here = document({ title: "run", blocks: [plot("tip", "mm", curve("x", 1, 2))] });
  assert.equal(overlay(here, document({ title: "run", blocks: [plot("tip", "m", curve("x", 1, 2))] }), "o").curves, 0);
  assert.equal(overlay(here, document({ title: "rigid", blocks: [plot("tip", "mm", curve("x", 9, 9))] }), "o").curves, 1);
  const both = document({ title: "rigid", blocks: [plot("tip", "mm", curve("x", 9, 9))] }, { title: "run", blocks: [] });
  assert.equal(overlay(here, both, "o").curves, 0); // its own analysis of this name has no such plot
});
