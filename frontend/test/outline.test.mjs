// The outline of a case while it is written, what the schema allows there, and the numbers of a case.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function load(entry) {
  const { outputFiles } = await build({ entryPoints: [here(entry)], bundle: true, write: false, format: "esm", logLevel: "silent" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { outline, fieldsOf, valueAt, shownPath } = await load("../src/studio/outline.ts");
const { CaseSchema } = await load("../src/studio/schema.ts");
const { findParameters, written } = await load("../src/studio/parameters.ts");

const CASE = `title: "A: case" # with a colon
description: |
  prose: is not a field
   length: 3

bodies:
  beam: # the only one
    mesh:
      line: {length: 450 mm, divisions: [10, 4], "quoted key": 'x, y'}
    supports:
    - pin: start
      direction: [0, -1.5e3]
    - {roller: end}
  other: {mass: 2 kg,
    points: {A: [0, 1]}}
loads: []
rate: 140*2*pi/60*t
`;

test("fields and values with their paths", () => {
  const whole = outline(CASE);
  assert.deepEqual(whole.keys.map((key) => shownPath(key.path)), [
    "title", "description", "bodies", "bodies.beam", "bodies.beam.mesh", "bodies.beam.mesh.line", "bodies.beam.mesh.line.length",
    "bodies.beam.mesh.line.divisions", "bodies.beam.mesh.line.quoted key", "bodies.beam.supports", "bodies.beam.supports[0].pin",
    "bodies.beam.supports[0].direction", "bodies.beam.supports[1].roller", "bodies.other", "bodies.other.mass", "bodies.other.points",
    "bodies.other.points.A", "loads", "rate",
  ]);
  for (const { from, to, path } of whole.keys) assert.equal(CASE.slice(from, to).replaceAll('"', ""), path.at(-1));
  for (const { from, to, text } of whole.scalars) assert.ok(CASE.slice(from, to).includes(text));
  assert.equal(valueAt(whole, ["title"]), "A: case");
  assert.equal(valueAt(whole, ["bodies", "beam", "mesh", "line", "quoted key"]), "x, y");
  assert.equal(valueAt(whole, ["bodies", "other", "points", "A", 1]), "1");
  assert.deepEqual(fieldsOf(whole, ["bodies", "beam"]), ["mesh", "supports"]);
});

test("where the text ends", () => {
  const end = (text) => {
    const { path, at } = outline(text).end;
    return `${at} ${shownPath(path)}`;
  };
  assert.equal(end(""), "key ");
  assert.equal(end("bodies:\n  "), "key bodies");
  assert.equal(end("bodies:\n  beam:\n    mesh: 1\n    "), "key bodies.beam");
  assert.equal(end("bodies:\n  beam:\n    mesh: 1\n  "), "key bodies");
  assert.equal(end("analyses:\n  shapes:\n    kind: "), "value analyses.shapes.kind");
  assert.equal(end("analyses:\n  shapes: {"), "key analyses.shapes");
  assert.equal(end("analyses:\n  shapes: {kind: "), "value analyses.shapes.kind");
  assert.equal(end("analyses:\n  shapes: {kind: modes, "), "key analyses.shapes");
  assert.equal(end("a:\n  - x: 1\n    "), "key a[0]");
  assert.equal(end("a:\n  - x: 1\n  - "), "value a[1]");
  assert.equal(end("a: [1, {b: 2}, "), "value a[2]");
});

const SCHEMA = {
  type: "object",
  properties: {
    space: { enum: ["planar", "spatial"] },
    analyses: { patternProperties: { "^\\w+$": { anyOf: [{ $ref: "#/$defs/Modes" }, { $ref: "#/$defs/Statics" }] } } },
  },
  $defs: {
    Modes: { type: "object", description: "Frequencies.", required: ["kind"], properties: { kind: { const: "modes" }, count: { type: "integer" } } },
    Statics: { type: "object", properties: { kind: { const: "statics" }, time: { type: "number" } } },
  },
};

test("the schema allows what fits to the rest", () => {
  const schema = new CaseSchema(SCHEMA);
  const names = (path, text) => schema.fields(path, outline(text)).map((field) => field.name);
  assert.deepEqual(names([], "space: planar\n"), ["analyses"]);
  assert.deepEqual(names(["analyses", "a"], "analyses:\n  a: {}\n"), ["kind", "count", "time"]);
  assert.deepEqual(names(["analyses", "a"], "analyses:\n  a: {kind: statics}\n"), ["time"]);
  assert.deepEqual(schema.choices(["space"], outline("")).map((choice) => choice.value), ["planar", "spatial"]);
  assert.deepEqual(schema.choices(["analyses", "a", "kind"], outline("analyses:\n  a: {kind: }\n")), [
    { value: "modes", detail: "Frequencies." }, { value: "statics", detail: "" },
  ]);
});

test("numbers of a case, and how they are written back", () => {
  const found = findParameters(CASE).map(({ path, value, unit, whole }) => [path, value, unit, whole]);
  assert.deepEqual(found, [
    ["bodies.beam.mesh.line.length", 450, "mm", false],
    ["bodies.beam.mesh.line.divisions[0]", 10, "", true],
    ["bodies.beam.mesh.line.divisions[1]", 4, "", true],
    ["bodies.beam.supports[0].direction[0]", 0, "", true],
    ["bodies.beam.supports[0].direction[1]", -1500, "", false],
    ["bodies.other.mass", 2, "kg", false],
    ["bodies.other.points.A[0]", 0, "", true],
    ["bodies.other.points.A[1]", 1, "", true],
  ]);
  const mixed = findParameters("bodies:\n  b: {mass: 2 kg}\nparameters:\n  speed: 150 rad/s\n  angle: 2*speed\n");
  assert.deepEqual(mixed.map(({ path, unit }) => [path, unit]), [["parameters.speed", "rad/s"], ["bodies.b.mass", "kg"]]);
  assert.equal(written(123.456789, 450), "123.5");
  assert.equal(written(0.0123456, 0.01), "0.01235");
  assert.equal(written(0, 5), "0");
});
