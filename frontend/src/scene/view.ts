import {
  Color, Group, LinearSRGBColorSpace, Scene as ThreeScene, Vector2, Vector3, Vector4, type BufferGeometry, type Camera, type Material, type Mesh, type Quaternion,
} from "three";
import type { Scene } from "../document/types";
import { onThemeChange, resolveColour, themeColour } from "../ui/theme";
import { Arrows } from "./arrows";
import { Body, buildTubes, type NodalData } from "./body";
import { Orbit } from "./camera";
import { divergingPalette, sequentialPalette } from "./colours";
import {
  bodySize, extentPoints, fieldLimits, hasDisplacement, instantAt, interpolateVector, isPlanar, largestDisplacement, nodalData, pose,
  type Instant, type Limits,
} from "./content";
import { drawColourBar, drawTriad, Labels, type ColourBar } from "./overlay";
import { linkLines, linkPoints } from "./links";
import type { Uniforms } from "./shaders";
import type { Stage } from "./stage";

/** What colours the bodies: nothing, the size of the displacement, or a field by its number. */
export type Colouring = "none" | "displacement" | number;

/** Largest displacement on screen as a fraction of the body, unless the reader chooses otherwise. */
const AUTOMATIC_DEFORMATION = 0.08;

/** The three-dimensional picture of a scene, drawn on demand. */
export class SceneView {
  mode: number;
  phase = 0;
  time: number;
  /** Largest displacement drawn, as a fraction of the body size. */
  deformation = AUTOMATIC_DEFORMATION;
  /** Draw displacements in true size, whatever `deformation` says. */
  trueScale = false;
  colouring: Colouring;
  show = { edges: true, outline: true, arrows: true, traces: true, symbols: true };
  /** Leave out axes and colour bar, as in a small picture. */
  bare = false;
  /** Leave out edges and outline while pictures come slowly. */
  lean = false;
  arrowLength = 0.22;
  readonly orbit: Orbit;
  readonly deformable: boolean;
  readonly size: number;
  private readonly world = new ThreeScene();
  private readonly bodies: Body[];
  private readonly traces = new Group();
  private readonly traceDots: { colour: { value: Color }; name: string; source: number }[] = [];
  private readonly links: { update(data: NodalData): void; colour: { value: Color }; source: number }[] = [];
  private readonly linkGroup = new Group();
  private readonly labels = new Labels();
  /** Displacements of the first node of each part, as uploaded. */
  private readonly first: [Float32Array | null, Float32Array | null][] = [];
  private readonly arrows: Arrows | null;
  private readonly extent: number[];
  private readonly reach: number;
  private readonly largest = new Map<number, number>();
  private readonly limits = new Map<string, Limits>();
  private readonly forgetTheme: () => void;
  private uploaded = "";
  private fitted = false;
  private readonly uniforms: Uniforms = {
    weights: { value: new Vector2(1, 0) }, fieldWeights: { value: new Vector2(1, 0) }, scale: { value: 0 },
    colouring: { value: 0 }, palette: { value: sequentialPalette.texture }, range: { value: new Vector2(0, 1) },
    pixelSize: { value: 0 }, orthographic: { value: true },
  };
  private readonly edgeInk = { ink: { value: new Vector4() } };
  private readonly outlineInk = { ink: { value: new Vector4() } };

  constructor(private readonly scene: Scene) {
    this.mode = scene.content.kind === "Modes" ? scene.content.first : 0;
    const planar = scene.view === "xy" || (scene.view === "auto" && isPlanar(scene));
    this.orbit = new Orbit(planar);
    this.size = bodySize(scene);
    this.trueScale = scene.true_size;
    this.deformable = scene.parts.some((_, i) => hasDisplacement(scene, i));
    this.colouring = this.deformable ? "displacement" : scene.fields.length ? 0 : "none";
    if (scene.content.kind === "StaticShape" && scene.fields.length) this.colouring = 0;
    this.time = scene.content.kind === "History" ? scene.content.times.values[0] : 0;
    // where bodies deflect far, their undeformed shape in their frame tells little of a motion
    this.show.outline = !(scene.content.kind === "History" && scene.content.times.values.length > 1 && this.onlyTrueScale);
    this.bodies = scene.parts.map((part) => new Body(part, this.uniforms, this.edgeInk, this.outlineInk));
    this.world.add(...this.bodies.map((body) => body.group));
    this.extent = extentPoints(scene);
    this.reach = reachOf(this.extent) + this.size;
    this.arrows = scene.content.kind === "History" && scene.content.arrows.length ? new Arrows(scene.content.arrows) : null;
    if (this.arrows) this.world.add(this.arrows.group);
    this.buildTraces();
    this.buildLinks();
    this.applyTheme();
    this.forgetTheme = onThemeChange(() => this.applyTheme());
    this.scaleAutomatically();
  }

  /** Small displacements of a motion are magnified, large ones are drawn as they are. */
  scaleAutomatically(): void {
    this.trueScale = false;
    this.deformation = AUTOMATIC_DEFORMATION;
    this.trueScale = this.scene.content.kind === "History" && this.scaleFactor() < 1;
  }

  /** Give the graphics memory back; the view is not to be drawn again. */
  dispose(): void {
    this.forgetTheme();
    this.world.traverse((object) => {
      const { geometry, material } = object as Partial<Mesh<BufferGeometry, Material>>;
      if (geometry && !geometry.userData["shared"]) geometry.dispose();
      material?.dispose();
    });
  }

  /** Whether displacements are so large that a picture of any other scale would mislead. */
  get onlyTrueScale(): boolean {
    return this.scene.true_size && this.largestDisplacement() > AUTOMATIC_DEFORMATION * this.size;
  }

  get hasOutline(): boolean {
    return this.deformable;
  }

  get hasTraces(): boolean {
    return this.traces.children.length > 0;
  }

  get hasSymbols(): boolean {
    return this.links.length > 0 || this.scene.parts.some((part) => part.symbol);
  }

  get hasArrows(): boolean {
    return this.arrows !== null;
  }

  /** Largest displacement of what is shown, in its own unit. */
  largestDisplacement(): number {
    const key = this.scene.content.kind === "Modes" ? this.mode : 0;
    let largest = this.largest.get(key);
    if (largest === undefined) this.largest.set(key, (largest = largestDisplacement(this.scene, key)));
    return largest;
  }

  /** Factor from displacement to what is drawn. */
  scaleFactor(): number {
    if (this.trueScale) return 1;
    const largest = this.largestDisplacement();
    return largest > 0 ? (this.deformation * this.size) / largest : 0;
  }

  fit(aspect: number): void {
    const points = this.arrows && this.show.arrows ? [...this.extent, ...this.arrows.tips(this.arrowLength * this.spread())] : this.extent;
    this.orbit.fit(points, aspect, this.deformable ? 1.28 : this.arrows ? 1.2 : 1.12);
    this.fitted = true;
  }

  /** Draw the picture to `ctx`, whose canvas has `width` × `height` CSS pixels times `ratio`; more `samples` smooth it. */
  draw(stage: Stage, ctx: CanvasRenderingContext2D, width: number, height: number, ratio: number, samples: number): void {
    const aspect = width / height;
    if (!this.fitted) this.fit(aspect);
    const instant = this.pose();
    const bar = this.applyColours();
    const { camera, pixelSize } = this.orbit.camera(aspect, this.reach + this.orbit.target.length());
    this.uniforms["pixelSize"].value = pixelSize(height);
    this.uniforms["orthographic"].value = !this.orbit.perspective;
    this.uniforms["scale"].value = this.scaleFactor();
    this.bodies.forEach((body, i) => {
      const { symbol } = this.scene.parts[i];
      body.group.visible = !symbol || this.show.symbols;
      body.edges.visible = this.show.edges && !this.lean;
      body.outline.visible = this.show.outline && this.hasOutline && !this.lean && !symbol;
    });
    this.linkGroup.visible = this.show.symbols;
    this.updateLinks(instant);
    this.traces.visible = this.show.traces;
    const pixel = (2 * this.orbit.halfHeight) / height;
    if (this.arrows) {
      this.arrows.group.visible = this.show.arrows;
      this.arrows.update(instant, this.arrowLength * this.spread(), pixel);
    }
    stage.draw(this.world, camera, ctx, samples);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.labels.begin(width, height, { bar: bar !== null && !this.bare, triad: !this.bare });
    if (this.show.traces) this.addTraceDots(ctx, camera, instant);
    if (this.arrows && this.show.arrows) {
      for (const label of this.arrows.labels) this.labels.add(camera, label.place, label.text, label.colour, label.key);
    }
    if (this.show.symbols && !this.bare) this.addSymbolLabels(camera);
    this.labels.draw(ctx);
    if (this.bare) return;
    drawTriad(ctx, this.orbit.orientation, height);
    if (bar) drawColourBar(ctx, bar, width, height);
  }

  private spread(): number {
    return this.reach - this.size;
  }

  /** Bring nodal data, weights and rigid motion to the state shown. */
  private pose(): Instant {
    const { content } = this.scene;
    const weights = this.uniforms["weights"].value as Vector2;
    const fieldWeights = this.uniforms["fieldWeights"].value as Vector2;
    let instant: Instant = { index: 0, next: 0, fraction: 0 };
    fieldWeights.set(1, 0);
    weights.set(1, 0);
    if (content.kind === "Modes") {
      instant = { index: this.mode, next: this.mode, fraction: 0 };
      weights.set(Math.cos(this.phase), -Math.sin(this.phase));
    } else if (content.kind === "History") {
      instant = instantAt(content.times.values, this.time);
      weights.set(1 - instant.fraction, instant.fraction);
      fieldWeights.copy(weights);
      this.bodies.forEach((body, i) => pose(content, i, instant, body.group.position, body.group.quaternion as Quaternion));
    }
    const field = typeof this.colouring === "number" ? this.colouring : -1;
    const key = `${instant.index} ${instant.next} ${field} ${this.scene.true_size ? instant.fraction : ""}`;
    if (key !== this.uploaded) {
      this.bodies.forEach((body, i) => {
        const data = nodalData(this.scene, i, instant, field);
        body.update(data);
        this.first[i] = [data.u0?.subarray(0, 3) ?? null, data.u1?.subarray(0, 3) ?? null];
        body.coloured.value = !this.scene.parts[i].symbol && (field >= 0 ? data.f0 !== null : data.u0 !== null);
      });
      this.uploaded = key;
    }
    return instant;
  }

  /** Set palette and range; return what the colour bar has to say, if there is one. */
  private applyColours(): ColourBar | null {
    this.uniforms["colouring"].value = this.colouring === "none" ? 0 : this.colouring === "displacement" ? 1 : 2;
    if (this.colouring === "none") return null;
    const range = this.uniforms["range"].value as Vector2;
    if (this.colouring === "displacement") {
      const largest = this.largestDisplacement() || 1;
      range.set(0, largest);
      this.uniforms["palette"].value = sequentialPalette.texture;
      const unit = this.scene.displacement_unit;
      return { palette: sequentialPalette, limits: { low: 0, high: unit ? largest * this.scene.displacement_factor : 1 }, title: unit ? "Displacement" : "Displacement / largest", unit };
    }
    const key = `${this.colouring} ${this.scene.content.kind === "Modes" ? this.mode : 0}`;
    const limits = this.limits.get(key) ?? fieldLimits(this.scene, this.colouring, this.mode);
    this.limits.set(key, limits);
    range.set(limits.low, limits.high);
    const palette = limits.low < 0 && limits.high > 0 ? divergingPalette : sequentialPalette;
    this.uniforms["palette"].value = palette.texture;
    const field = this.scene.fields[this.colouring];
    return { palette, limits, title: field.name, unit: field.unit };
  }

  private buildTraces(): void {
    const { content } = this.scene;
    if (content.kind !== "History") return;
    content.traces.forEach((trace, i) => {
      const points = trace.points.values as Float32Array;
      const count = points.length / 3;
      const lines = Array.from({ length: 2 * Math.max(0, count - 1) }, (_, k) => (k + 1) >> 1);
      const colour = { value: new Color() };
      const tubes = buildTubes(points, lines, 0, {
        ...this.uniforms, scale: { value: 0 }, colouring: { value: 0 }, coloured: { value: false }, base: colour, leastPixels: { value: 0.9 },
      });
      this.traces.add(tubes.mesh);
      this.traceDots.push({ colour, name: trace.name, source: i });
    });
    this.world.add(this.traces);
  }

  private buildLinks(): void {
    const { content } = this.scene;
    if (content.kind !== "History") return;
    content.links.forEach((link, i) => {
      const pairs = linkLines(link.form);
      const colour = { value: new Color() };
      const nodes = new Float32Array(3 * (Math.max(...pairs) + 1));
      const tubes = buildTubes(nodes, pairs, 0, {
        ...this.uniforms, scale: { value: 1 }, weights: { value: new Vector2(1, 0) }, colouring: { value: 0 }, coloured: { value: false },
        base: colour, leastPixels: { value: 1 },
      });
      this.linkGroup.add(tubes.mesh);
      this.links.push({ update: tubes.update, colour, source: i });
    });
    this.world.add(this.linkGroup);
  }

  private updateLinks(instant: Instant): void {
    const { content } = this.scene;
    if (content.kind !== "History") return;
    const [first, second] = [new Vector3(), new Vector3()];
    for (const { update, source } of this.links) {
      const link = content.links[source];
      interpolateVector(link.first, instant, first);
      interpolateVector(link.second, instant, second);
      update({ u0: linkPoints(link.form, first, second, 0.022 * this.spread()), u1: null, f0: null, f1: null });
    }
  }

  private addTraceDots(ctx: CanvasRenderingContext2D, camera: Camera, instant: Instant): void {
    const { content } = this.scene;
    if (content.kind !== "History") return;
    for (const { name, source } of this.traceDots) {
      const trace = content.traces[source];
      const colour = resolveColour(trace.colour, source + 2);
      const place = interpolateVector(trace.points, instant, new Vector3());
      this.labels.dot(ctx, camera, place, colour);
      this.labels.add(camera, place, name, colour, `trace ${source}`);
    }
  }

  /** Labels of masses, springs and loads, at the first node of their part. */
  private addSymbolLabels(camera: Camera): void {
    const { content } = this.scene;
    this.scene.parts.forEach((part, i) => {
      if (!part.label) return;
      const nodes = part.nodes.values;
      const place = new Vector3(nodes[0], nodes[1], nodes[2]);
      const { x, y } = this.uniforms["weights"].value as Vector2;
      const [u0, u1] = this.first[i] ?? [null, null];
      if (u0) place.addScaledVector(new Vector3(...u0), x * this.scaleFactor());
      if (u1) place.addScaledVector(new Vector3(...u1), y * this.scaleFactor());
      if (content.kind === "History") {
        const { position, quaternion } = this.bodies[i].group;
        place.applyQuaternion(quaternion).add(position);
      }
      this.labels.add(camera, place, part.label, resolveColour(part.colour, i), `part ${i}`);
    });
  }

  private applyTheme(): void {
    const srgb = (target: Color, colour: string) => target.setStyle(colour, LinearSRGBColorSpace);
    this.scene.parts.forEach((part, i) => srgb(this.bodies[i].base.value, part.colour ? resolveColour(part.colour, i) : themeColour(`part-${(i % 5) + 1}`)));
    const { content } = this.scene;
    if (content.kind === "History") {
      for (const dot of this.traceDots) srgb(dot.colour.value, resolveColour(content.traces[dot.source].colour, dot.source + 2));
      for (const link of this.links) srgb(link.colour.value, resolveColour(content.links[link.source].colour || "green", 2));
    }
    const ink = new Color();
    srgb(ink, themeColour("edge"));
    this.edgeInk.ink.value.set(ink.r, ink.g, ink.b, 0.38);
    srgb(ink, themeColour("outline"));
    this.outlineInk.ink.value.set(ink.r, ink.g, ink.b, 0.75);
  }
}

/** Radius about the origin of everything shown. */
function reachOf(points: number[]): number {
  let [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  let reach = 0;
  for (let i = 0; i < points.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], points[i + k]);
      high[k] = Math.max(high[k], points[i + k]);
    }
    reach = Math.max(reach, Math.hypot(points[i], points[i + 1], points[i + 2]));
  }
  return Math.max(reach, Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2])) || 1;
}
