// A part of another program: what its files hold, its picture, and names for its sets and faces.
import { Vector3, type Ray } from "three";
import type { NumericArray, Part, Scene } from "../document/types";
import { h, icon } from "../ui/dom";
import { api, type PartSeen, type SetName } from "./api";
import { ModelView } from "./model";
import { problemList } from "./results";
import { openCase, report } from "./shell";

const UNITS = ["", "mm, N, s, tonne", "mm, mN, s, kg", "mm, kN, ms, kg", "in, lbf, s", "ft, lbf, s"];

/** A set of the file or a face of its surface: what the picture marks, and the field for its name. */
interface Row { set: string | null; face: number | null; triangles: ArrayLike<number>; points: ArrayLike<number>; element: HTMLElement; field: HTMLInputElement }

/** The part of some files; returns what to do when the view is left. */
export async function showPart(root: HTMLElement, files: string[]): Promise<() => void> {
  const view = new PartView(root, files);
  await view.read();
  return () => view.dispose();
}

class PartView {
  private readonly model = new ModelView("The part appears here.", (ray) => this.pick(ray));
  private readonly lists = h("div", { class: "part-lists" });
  private readonly facts = h("div", { class: "part-facts", role: "status", "aria-live": "polite" });
  private readonly units = h("select", { class: "field", "aria-label": "Units of the files" });
  private readonly make: HTMLButtonElement;
  private rows: Row[] = [];
  private chosen: Row | null = null;
  private seen: PartSeen | null = null;
  private gone = false;

  constructor(root: HTMLElement, private readonly files: string[]) {
    this.make = h("button", { type: "button", class: "primary", disabled: true, click: () => void this.makeCase() }, icon("add"), "Make a case");
    this.units.append(...UNITS.map((units) => h("option", { value: units }, units || "m, N, s, kg")));
    this.units.addEventListener("change", () => void this.read());
    root.replaceChildren(
      h("div", { class: "view-head" },
        h("div", { class: "case-title" }, h("h1", {}, files.join(", "))),
        h("div", { class: "view-tools" }, h("label", { class: "part-units" }, "Units", this.units), this.make)),
      h("div", { class: "case-columns" },
        h("div", { class: "tabs part-pane" }, this.lists),
        h("div", { class: "tabs" }, h("div", { class: "model-pane part-model" }, this.model.element, this.facts))));
  }

  /** Ask the server what the files hold; names that were given stay with sets of the same name. */
  async read(): Promise<void> {
    const given = new Map(this.rows.filter((row) => row.set !== null).map((row) => [row.set, row.field.value]));
    this.facts.replaceChildren(h("p", { class: "muted" }, "Reading \u2026"));
    const seen = await api.part(this.files, this.units.value);
    if (this.gone) return;
    const first = this.seen === null;
    this.seen = seen;
    this.chosen = null;
    this.make.disabled = !seen.makes_case;
    this.make.title = seen.makes_case ? "A case with this part and the names given here" : "No body can be made of this; drop the files that go with it, too";
    if (!seen.valid) {
      this.lists.replaceChildren();
      this.facts.replaceChildren(problemList(seen.problems));
      return;
    }
    this.rows = [
      ...seen.sets.map((set) => this.row(set.name, set.words, { set: set.name, face: null, triangles: set.triangles, points: set.points }, given.get(set.name) ?? "")),
      ...seen.faces.map((face, i) => this.row(`Face ${i + 1}`, face.words, { set: null, face: i, triangles: face.triangles, points: null }, "", face.can_be_named)),
    ];
    const list = (title: string, hint: string, rows: Row[]) => rows.length ? h("section", {}, h("h2", {}, title), h("p", { class: "muted" }, hint), ...rows.map((row) => row.element)) : null;
    const sets = list("Sets of the file", "A case knows them by their names; give another one where that says more.", this.rows.filter((row) => row.set !== null));
    const faces = list("Faces", "Click a face in the picture or here, and name it: supports, loads and joints go by that name.", this.rows.filter((row) => row.face !== null));
    const nothing = sets || faces ? null : h("p", { class: "muted part-nothing" }, "The files have no sets and no faces.");
    this.lists.replaceChildren(...[sets, faces, nothing].filter((found) => found !== null));
    this.showFacts(seen);
    if (seen.scene) this.model.show(marked(seen.scene, null), false);
    if (first && seen.seems && seen.seems !== "m, N, s, kg" && UNITS.includes(seen.seems)) {
      this.units.value = seen.seems;
      await this.read();
    }
  }

  private showFacts(seen: PartSeen): void {
    this.facts.replaceChildren(h("ul", {}, ...seen.lines.map((line) => h("li", { class: /^\s*(note|in the way|as \w+: no)/.test(line) ? "part-note" : "" }, line.trim()))));
  }

  private row(name: string, words: string, meant: { set: string | null; face: number | null; triangles: NumericArray; points: NumericArray | null }, value: string, nameable = true): Row {
    const field = h("input", { class: "field", "aria-label": `Name for ${name}`, placeholder: nameable ? "name" : "cannot be named", value, disabled: !nameable, autocomplete: "off", spellcheck: "false", maxlength: 60 });
    const button = h("button", { type: "button", class: "part-row-name", click: () => this.choose(this.chosen === row ? null : row) }, h("strong", {}, name), h("span", {}, words));
    const element = h("div", { class: "part-row" }, button, field);
    const row: Row = { set: meant.set, face: meant.face, triangles: meant.triangles.values, points: meant.points?.values ?? [], element, field };
    field.addEventListener("focus", () => this.choose(row));
    return row;
  }

  private choose(row: Row | null): void {
    if (this.chosen === row || !this.seen?.scene) return;
    this.chosen = row;
    for (const other of this.rows) other.element.toggleAttribute("data-chosen", other === row);
    this.model.show(marked(this.seen.scene, row), true);
  }

  /** The face that a ray meets first. */
  private pick(ray: Ray): void {
    const part = this.seen?.scene?.parts[0];
    if (!part?.triangles) return;
    const met = firstTriangle(ray, part);
    const row = met < 0 ? undefined : this.rows.find((found) => found.face !== null && Array.prototype.includes.call(found.triangles, met));
    if (!row) return this.choose(null);
    this.choose(row);
    row.element.scrollIntoView({ block: "nearest" });
    if (!row.field.disabled) row.field.focus({ preventScroll: true });
  }

  private async makeCase(): Promise<void> {
    const names: SetName[] = this.rows.filter((row) => row.field.value.trim()).map((row) => ({ name: row.field.value.trim(), set: row.set, face: row.face }));
    this.make.disabled = true;
    try {
      openCase((await api.partCase(this.files, this.units.value, names)).name);
    } catch (error) {
      report(error);
    } finally {
      this.make.disabled = false;
    }
  }

  dispose(): void {
    this.gone = true;
    this.model.dispose();
  }
}

function firstTriangle(ray: Ray, part: Part): number {
  const nodes = part.nodes.values, triangles = part.triangles!.values;
  const [a, b, c, hit] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const corner = (target: Vector3, node: number) => target.set(nodes[3 * node], nodes[3 * node + 1], nodes[3 * node + 2]);
  let [nearest, found] = [Infinity, -1];
  for (let i = 0; i < triangles.length / 3; i++) {
    if (!ray.intersectTriangle(corner(a, triangles[3 * i]), corner(b, triangles[3 * i + 1]), corner(c, triangles[3 * i + 2]), false, hit)) continue;
    const distance = hit.distanceToSquared(ray.origin);
    if (distance < nearest) [nearest, found] = [distance, i];
  }
  return found;
}

/** The scene with one set in another colour: its triangles cut out of the rest, and marks at nodes that have none. */
function marked(scene: Scene, row: Row | null): Scene {
  const whole = scene.parts[0];
  const base: Part = { ...whole, colour: "grey" };
  if (!row) return { ...scene, parts: [base] };
  const parts = [base];
  if (row.triangles.length && whole.triangles) {
    const inside = new Set(Array.from(row.triangles));
    const cut = (wanted: boolean) => {
      const values: number[] = [];
      for (let i = 0; i < whole.triangles!.values.length / 3; i++) if (inside.has(i) === wanted) values.push(...whole.triangles!.values.subarray(3 * i, 3 * i + 3));
      return { shape: [values.length / 3, 3], values: Int32Array.from(values) };
    };
    const rest = cut(false);
    parts[0] = rest.values.length ? { ...base, triangles: rest } : { ...base, triangles: null };
    parts.push({ ...whole, triangles: cut(true), lines: null, edges: null, colour: "orange" });
  }
  if (row.points.length) parts.push(marks(row.points, whole));
  return { ...scene, parts, content: { kind: "StaticShape", displacement: parts.map(() => null) } };
}

/** Small octahedra at points. */
function marks(points: ArrayLike<number>, part: Part): Part {
  const nodes = part.nodes.values;
  let size = 0;
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < nodes.length; i += 3) [low, high] = [Math.min(low, nodes[i]), Math.max(high, nodes[i])];
    size = Math.max(size, high - low);
  }
  const places: number[] = [], triangles: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const first = places.length / 3;
    for (let k = 0; k < 3; k++) for (const sign of [-1, 1]) for (let j = 0; j < 3; j++) places.push(points[i + j] + (j === k ? sign * 0.008 * size : 0));
    for (const x of [0, 1]) for (const y of [2, 3]) for (const z of [4, 5]) triangles.push(first + x, first + y, first + z);
  }
  return {
    ...part, nodes: { shape: [places.length / 3, 3], values: Float32Array.from(places) },
    triangles: { shape: [triangles.length / 3, 3], values: Int32Array.from(triangles) }, lines: null, edges: null, radius: 0, skin: null, colour: "orange",
  };
}
