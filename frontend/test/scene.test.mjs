// Files of animations, labels that keep apart, and vertices that follow their nodes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function load(entry) {
  const { outputFiles } = await build({ entryPoints: [here(entry)], bundle: true, write: false, format: "esm", logLevel: "silent" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** LZW read back, written independently of the encoder. */
function expand(bytes) {
  let [at, width] = [0, 9];
  const read = () => {
    let code = 0;
    for (let i = 0; i < width; i++, at++) code |= ((bytes[at >> 3] >> (at & 7)) & 1) << i;
    return code;
  };
  const out = [];
  let table = [];
  let before = null;
  for (;;) {
    const code = read();
    if (code === 257) return out;
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, i) => (i < 256 ? [i] : []));
      [width, before] = [9, null];
      continue;
    }
    const entry = code < table.length ? table[code] : [...before, before[0]];
    out.push(...entry);
    if (before && table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << width && width < 12) width++;
    before = entry;
  }
}

test("pixels that are packed come back", async () => {
  const { compress } = await load("../src/scene/gif.ts");
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (const [length, colours] of [[1, 1], [2, 1], [5000, 2], [300, 256], [60000, 256], [200000, 3]]) {
    const pixels = Uint8Array.from({ length }, () => Math.floor(colours * random()));
    assert.deepEqual(Uint8Array.from(expand(compress(pixels))), pixels);
  }
  // every length up to some thousand: the codes grow wider at some of them, and the file may end right there
  for (let length = 200; length < 1200; length++) {
    const pixels = Uint8Array.from({ length }, () => Math.floor(256 * random()));
    assert.deepEqual(Uint8Array.from(expand(compress(pixels))), pixels);
  }
});

test("the palette holds the colours of a picture that has few", async () => {
  const { palette } = await load("../src/scene/gif.ts");
  const colours = [[255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 132, 255]];
  const frame = Uint8ClampedArray.from(colours.flatMap((c) => [...c, 255]));
  const { bytes, index } = palette([frame]);
  for (const [r, g, b] of colours) {
    const i = 3 * index[((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3)];
    // colours are told apart by five bits each: within 8 of 255
    assert.ok(Math.abs(bytes[i] - r) <= 8 && Math.abs(bytes[i + 1] - g) <= 8 && Math.abs(bytes[i + 2] - b) <= 8);
  }
});

test("labels do not cover each other", async () => {
  globalThis.document = { documentElement: {}, addEventListener() {} };
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#000" });
  globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
  const { Labels } = await load("../src/scene/overlay.ts");
  const drawn = [];
  const ctx = new Proxy({ measureText: (text) => ({ width: 7 * text.length }), fillText: (text, x, y) => drawn.push({ text, x, y, width: 7 * text.length }) }, {
    get: (target, name) => target[name] ?? (() => {}), set: () => true,
  });
  const place = (x, y) => ({ clone: () => ({ project: () => ({ x: (2 * x) / 800 - 1, y: 1 - (2 * y) / 500 }) }) });
  const labels = new Labels();
  labels.begin(800, 500, { bar: true, triad: true });
  for (let i = 0; i < 8; i++) labels.add({}, place(300 + 2 * i, 200 + i), `label ${i}`, "#000", `${i}`);
  labels.draw(ctx);
  assert.equal(drawn.length, 8);
  for (const a of drawn) {
    for (const b of drawn) {
      if (a !== b) assert.ok(a.x + a.width <= b.x || b.x + b.width <= a.x || Math.abs(a.y - b.y) >= 14, `${a.text} on ${b.text}`);
    }
  }
});

test("vertices of a skin are where their nodes and arms put them", async () => {
  const { vertices, nodalData } = await load("../src/scene/content.ts");
  const array = (values, ...shape) => ({ values: Float32Array.from(values), shape });
  const part = {
    nodes: array([1, 0, 0], 1, 3), symbol: false,
    skin: { nodes: { values: Int32Array.from([0]), shape: [1] }, offsets: array([0, 0.5, 0], 1, 3) },
  };
  assert.deepEqual([...vertices(part)], [1, 0, 0, 1, 0.5, 0]);
  const rest = { index: 0, next: 0, fraction: 0 };
  const shape = [array([0, 0, 2, 0, 0, 0.25], 1, 6)];
  const near = (found, wanted, tolerance) => wanted.forEach((value, i) => assert.ok(Math.abs(found[i] - value) < tolerance, `${found} ${wanted}`));
  const mode = { parts: [part], fields: [], content: { kind: "Modes", modes: [{ displacement: shape }], first: 0 } };
  // a small turn of 0.25 about z moves an arm of 0.5 along y by 0.125 along −x
  assert.deepEqual([...nodalData(mode, 0, rest, -1).u0], [0, 0, 2, -0.125, 0, 2]);
  // a turn of any size takes it along a circle; single precision
  const fixed = { parts: [part], fields: [], content: { kind: "StaticShape", displacement: shape } };
  near(nodalData(fixed, 0, rest, -1).u0, [0, 0, 2, -0.5 * Math.sin(0.25), 0.5 * Math.cos(0.25) - 0.5, 2], 1e-6);
});

test("between two instants a beam that turns keeps its length and its sections", async () => {
  const { between, nodalData } = await load("../src/scene/content.ts");
  const angles = [0, 0.3, 0.6, 0.9, 1.2]; // of a point on a circle of radius 1 about the origin, at (1, 0) in the mesh
  const rows = angles.flatMap((a) => [Math.cos(a) - 1, Math.sin(a), 0, 0, 0, a]);
  const array = (values, ...shape) => ({ values: Float32Array.from(values), shape });
  const motion = { positions: null, rotations: null, displacements: array(rows, 5, 1, 6) };
  const instant = { index: 2, next: 3, fraction: 0.5 };
  const [x, y, , , , turn] = between(motion.displacements, angles, instant);
  // a chord would be 1 − cos 0.15 = 1.1 % short; the cubic is good to the fourth power of the step, 0.3⁴/24 = 3e-4
  assert.ok(Math.abs(Math.hypot(1 + x, y) - 1) < 3.4e-4);
  assert.ok(Math.abs(turn - 0.75) < 1e-6);
  const part = {
    nodes: array([1, 0, 0], 1, 3), symbol: false,
    skin: { nodes: { values: Int32Array.from([0]), shape: [1] }, offsets: array([0.5, 0, 0], 1, 3) },
  };
  const scene = { parts: [part], fields: [], true_size: true, content: { kind: "History", times: array(angles, 5), motions: [motion] } };
  const { u0, u1 } = nodalData(scene, 0, instant, -1);
  assert.deepEqual(u0, u1); // whatever the weights of both instants
  const arm = [u0[3] - u0[0] + 0.5, u0[4] - u0[1]];
  assert.ok(Math.abs(Math.hypot(...arm) - 0.5) < 1e-6 && Math.abs(Math.atan2(arm[1], arm[0]) - 0.75) < 1e-6);
});
