// Models as still pictures: small ones for the gallery, one that can be turned beside the editor.
import { Raycaster, Vector2, type Ray } from "three";
import type { Scene } from "../document/types";
import { attachOrbit, type Orbit } from "../scene/camera";
import { getStage, type Stage } from "../scene/stage";
import { SceneView } from "../scene/view";
import { h } from "../ui/dom";
import { onThemeChange } from "../ui/theme";

const MISSING = "The picture needs WebGL, which this browser does not offer.";

function draw(view: SceneView, stage: Stage, canvas: HTMLCanvasElement, samples: number): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width || !height) return;
  const ratio = Math.min(devicePixelRatio, 2);
  const [w, t] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== t) [canvas.width, canvas.height] = [w, t];
  view.draw(stage, canvas.getContext("2d")!, width, height, ratio, samples);
}

/** A click that does not drag looks along a ray into the scene. */
function attachPick(canvas: HTMLCanvasElement, orbit: Orbit, picked: (ray: Ray) => void): void {
  let from: [number, number] = [0, 0];
  canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
  canvas.addEventListener("pointerup", (event) => {
    if (event.button !== 0 || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const { camera } = orbit.camera(width / height, 10 * orbit.halfHeight + orbit.target.length());
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2), camera);
    picked(caster.ray);
  });
}

/** A canvas that shows a scene once and again when the theme changes; holds no graphics memory in between. */
export function thumbnail(scene: Scene): { element: HTMLElement; dispose(): void } {
  const stage = getStage();
  if (!stage) return { element: h("div", { class: "picture-missing" }, MISSING), dispose: () => undefined };
  const canvas = h("canvas", { class: "thumbnail", role: "img", "aria-label": `Picture of ${scene.title || "the model"}` });
  const redraw = () => {
    if (!canvas.clientWidth) return;
    const view = new SceneView(scene);
    view.show = { ...view.show, traces: false, arrows: false };
    view.bare = true;
    draw(view, stage, canvas, 2);
    view.dispose();
  };
  const size = new ResizeObserver(redraw);
  size.observe(canvas);
  const forget = onThemeChange(redraw);
  return { element: canvas, dispose: () => { size.disconnect(); forget(); } };
}

/** The model beside the editor; the direction of view stays while only sizes change. */
export class ModelView {
  readonly element: HTMLElement;
  private canvas: HTMLCanvasElement | null = null;
  private readonly stage = getStage();
  private readonly endings: (() => void)[] = [];
  private view: SceneView | null = null;
  private shown: Scene | null = null;
  private requested = false;
  private refinement: ReturnType<typeof setTimeout> | undefined;

  constructor(waiting = "The model appears here when the case is valid.", private readonly picked?: (ray: Ray) => void) {
    const empty = this.stage ? waiting : MISSING;
    this.element = h("div", { class: "model-view" }, h("p", { class: "model-empty" }, empty));
    const size = new ResizeObserver(() => this.redraw());
    size.observe(this.element);
    this.endings.push(() => size.disconnect(), onThemeChange(() => this.redraw()));
  }

  /** Show a scene; `keep` the place of the camera where only colours change. */
  show(scene: Scene, keep = false): void {
    if (!this.stage) return;
    const view = new SceneView(scene);
    if (this.view && keep) {
      view.fit(1);
      view.orbit.orientation.copy(this.view.orbit.orientation);
      view.orbit.target.copy(this.view.orbit.target);
      view.orbit.halfHeight = this.view.orbit.halfHeight;
      view.orbit.perspective = this.view.orbit.perspective;
    } else if (this.view && this.shown?.view === scene.view && this.shown.parts.length === scene.parts.length) {
      view.orbit.orientation.copy(this.view.orbit.orientation);
      view.orbit.perspective = this.view.orbit.perspective;
    }
    this.view?.dispose();
    [this.view, this.shown] = [view, scene];
    const canvas = (this.canvas = h("canvas", {
      class: "scene-canvas", tabindex: 0, role: "img", "aria-label": "The model. Drag or arrow keys turn it, plus and minus zoom, F fits it.",
    }));
    attachOrbit(canvas, view.orbit, () => this.redraw(), () => {
      view.fit(canvas.clientWidth / canvas.clientHeight);
      this.redraw();
    });
    if (this.picked) attachPick(canvas, view.orbit, this.picked);
    this.element.replaceChildren(canvas);
    this.redraw();
  }

  private redraw(): void {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(() => {
      this.requested = false;
      this.drawNow(1);
      if (!this.stage?.software) return;
      clearTimeout(this.refinement);
      this.refinement = setTimeout(() => this.drawNow(2), 250);
    });
  }

  private drawNow(samples: number): void {
    if (this.view && this.stage && this.canvas) draw(this.view, this.stage, this.canvas, samples);
  }

  dispose(): void {
    clearTimeout(this.refinement);
    this.view?.dispose();
    this.view = null;
    for (const end of this.endings) end();
  }
}
