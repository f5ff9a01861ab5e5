import type { Links, SceneControl, SceneState } from "../document/links";
import type { Scene } from "../document/types";
import { caption, clamp, h, icon, iconButton, saveBlob } from "../ui/dom";
import { formatNumber } from "../ui/numbers";
import { onThemeChange, themeColour } from "../ui/theme";
import { attachOrbit, type ViewName } from "./camera";
import { modeList } from "./mode_list";
import { recordGif, recordVideo, videoType, type Film } from "./recording";
import { getStage, type Stage } from "./stage";
import { SceneView, type Colouring } from "./view";

const CYCLE_SECONDS = 2.4; // of a mode, at speed 1
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const LARGEST_DEFORMATION = 0.4;
const COARSE = 0.66; // of the pixels along each side, where pictures come slowly
const SLOW = 55; // milliseconds from picture to picture from which on moving pictures are drawn coarser

export function renderScene(block: Scene, links: Links): HTMLElement {
  const root = h("figure", { class: "panel scene-panel", "data-scene": block.id });
  const stage = getStage();
  if (!stage) {
    root.append(
      h("div", { class: "panel-head" }, h("h3", {}, block.title)),
      h("div", { class: "scene-missing", role: "note" },
        h("strong", {}, "This picture needs WebGL, which the browser does not offer."),
        " Turn on hardware acceleration or open the report in another browser. Everything else on this page works without it."));
    const cap = caption(block.caption);
    if (cap) root.append(cap);
    return root;
  }
  links.register(new SceneBlock(block, links, stage, root));
  return root;
}

/** The frame around a scene's picture: its controls and its clock. */
class SceneBlock implements SceneControl {
  readonly id: string;
  /** Pictures drawn so far. */
  frames = 0;
  private view: SceneView | null = null;
  private readonly canvas: HTMLCanvasElement;
  private readonly ctx: CanvasRenderingContext2D;
  private playing = false;
  private visible = false;
  private requested = false;
  private lastTick = 0;
  private lastDraw = 0;
  private pace = 16; // milliseconds from picture to picture, smoothed
  private lastRefresh = 0;
  private refinement: ReturnType<typeof setTimeout> | undefined;
  private speed = 1;
  private readonly history: { start: number; duration: number; rate: number } | null;
  private readonly refreshers: (() => void)[] = [];

  constructor(private readonly block: Scene, private readonly links: Links, private readonly stage: Stage, private readonly root: HTMLElement) {
    this.id = block.id;
    this.history = clock(block);
    this.canvas = h("canvas", {
      class: "scene-canvas", tabindex: 0, role: "img",
      "aria-label": `${block.title || "Scene"}. Drag or arrow keys turn it, plus and minus zoom, F fits it.`,
    });
    this.ctx = this.canvas.getContext("2d")!;
    const picture = h("div", { class: "scene-picture" }, this.canvas);
    picture.style.height = `${block.height}px`;
    root.append(h("div", { class: "panel-head" }, h("h3", {}, block.title), h("span", { class: "tools" },
      ...this.filmButtons(), iconButton("camera", "Save picture as PNG", () => this.savePicture(), "PNG"))));
    const side = h("div", { class: "scene-side" });
    root.append(h("div", { class: "scene-body" }, h("div", { class: "scene-main" }, picture, this.transport()), side));
    const cap = caption(block.caption);
    if (cap) root.append(cap);

    const nearness = new IntersectionObserver((entries) => {
      this.visible = entries.at(-1)!.isIntersecting;
      if (this.visible) this.open(picture, side);
    }, { rootMargin: "200px" });
    nearness.observe(picture);
    const size = new ResizeObserver(() => this.redraw());
    size.observe(picture);
    const forgetTheme = onThemeChange(() => this.redraw());
    const print = () => {
      this.ensureView();
      this.drawNow();
    };
    addEventListener("beforeprint", print);
    links.atEnd(() => {
      this.playing = this.visible = false;
      clearTimeout(this.refinement);
      nearness.disconnect();
      size.disconnect();
      forgetTheme();
      removeEventListener("beforeprint", print);
      this.view?.dispose();
      this.view = null;
    });
  }

  private get firstMode(): number {
    return this.block.content.kind === "Modes" ? this.block.content.first : 0;
  }

  state(): SceneState {
    return { mode: this.view?.mode ?? this.firstMode, phase: this.view?.phase ?? 0, time: this.view?.time ?? this.history?.start ?? 0, playing: this.playing };
  }

  showMode(index: number): void {
    const { content } = this.block;
    if (content.kind !== "Modes" || !content.modes[index]) return;
    this.ensureView().mode = index;
    this.changed();
  }

  setPhase(radians: number): void {
    if (this.block.content.kind !== "Modes") return;
    this.ensureView().phase = ((radians % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
    this.changed();
  }

  setTime(seconds: number): void {
    if (!this.history) return;
    this.ensureView().time = clamp(seconds, this.history.start, this.history.start + this.history.duration);
    this.changed();
  }

  play(): void {
    if (this.block.content.kind === "StaticShape" || this.playing) return;
    this.playing = true;
    this.lastTick = performance.now();
    this.changed();
  }

  pause(): void {
    this.playing = false;
    this.changed();
  }

  scrollIntoView(): void {
    this.root.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  private ensureView(): SceneView {
    return (this.view ??= new SceneView(this.block));
  }

  /** Build the picture and its controls when it first comes near the window. */
  private open(picture: HTMLElement, side: HTMLElement): void {
    if (side.childElementCount === 0) {
      const view = this.ensureView();
      attachOrbit(this.canvas, view.orbit, () => this.redraw(), () => this.fit());
      picture.append(this.viewButtons(view));
      side.append(...this.sideControls(view));
      if (this.block.autoplay && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
      this.changed();
    }
    this.redraw();
  }

  private changed(): void {
    for (const refresh of this.refreshers) refresh();
    this.links.notify(this.id);
    this.redraw();
  }

  private redraw(): void {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame((now) => {
      this.requested = false;
      if (!this.visible || !this.view) return;
      if (this.playing) this.advance(now);
      const slow = this.isSlow(now);
      this.view.lean = slow;
      this.drawNow(slow ? COARSE : 1);
      this.view.lean = false;
      if (this.playing) this.redraw();
      else if (slow || this.stage.software) this.refine();
    });
  }

  /** Whether pictures follow each other too slowly to be drawn in full while something moves. */
  private isSlow(now: number): boolean {
    const interval = now - this.lastDraw;
    this.lastDraw = now;
    if (interval < 1000) this.pace += 0.3 * (interval - this.pace);
    return this.pace > SLOW;
  }

  /** Draw once more, smoothly, when nothing has moved for a moment. */
  private refine(): void {
    clearTimeout(this.refinement);
    this.refinement = setTimeout(() => {
      if (!this.playing && !this.requested) this.drawNow();
    }, 250);
  }

  private advance(now: number): void {
    const view = this.view!;
    const elapsed = clamp((now - this.lastTick) / 1000, 0, 0.25) * this.speed;
    this.lastTick = now;
    if (this.history) {
      const { start, duration, rate } = this.history;
      view.time = start + ((view.time - start + elapsed * rate) % (duration || 1));
    } else view.phase = (view.phase + (2 * Math.PI * elapsed) / CYCLE_SECONDS) % (2 * Math.PI);
    if (now - this.lastRefresh > 100) {
      this.lastRefresh = now;
      for (const refresh of this.refreshers) refresh();
    }
    this.links.notify(this.id);
  }

  private drawNow(samples = this.stage.software ? 2 : 1): void {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (!this.view || !width || !height) return;
    const ratio = Math.min(devicePixelRatio, 2);
    const [w, hgt] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== hgt) [this.canvas.width, this.canvas.height] = [w, hgt];
    this.view.draw(this.stage, this.ctx, width, height, ratio, samples);
    this.frames++;
  }

  private fit(): void {
    this.view?.fit(this.canvas.clientWidth / this.canvas.clientHeight);
    this.redraw();
  }

  /** Buttons that save the moving picture: a video where the browser records one, and a GIF. */
  private filmButtons(): HTMLElement[] {
    if (this.block.content.kind === "StaticShape" || this.history?.duration === 0) return [];
    const video = videoType();
    const gif = this.filmButton("GIF", "gif", (film, progress) => recordGif(film, progress));
    if (!video) return [gif];
    const name = video.extension === "mp4" ? "MP4" : "WebM";
    return [this.filmButton(name, video.extension, (film, progress) => recordVideo(film, video.mime, progress)), gif];
  }

  private filmButton(name: string, extension: string, record: (film: Film, progress: (part: number) => void) => Promise<Blob>): HTMLElement {
    const words = h("span", {}, name);
    const button = iconButton("film", `Save animation as ${name}`, async () => {
      button.disabled = true;
      try {
        const blob = await this.recorded((film) => record(film, (part) => (words.textContent = `${Math.round(100 * part)} %`)));
        saveBlob(blob, `${this.id.replace(/[^\w-]+/g, "_")}.${extension}`);
        words.textContent = name;
      } catch (problem) {
        words.textContent = problem instanceof Error ? problem.message : String(problem);
      } finally {
        button.disabled = false;
      }
    });
    button.append(words);
    return button;
  }

  /** Hand the scene to a recorder, and bring it back to what it showed. */
  private async recorded(record: (film: Film) => Promise<Blob>): Promise<Blob> {
    const view = this.ensureView();
    const before = { time: view.time, phase: view.phase, playing: this.playing };
    this.playing = false;
    const { history } = this;
    const show = (part: number) => {
      if (history) view.time = history.start + part * history.duration;
      else view.phase = 2 * Math.PI * part;
      this.drawNow();
    };
    const seconds = (history ? history.duration / history.rate : CYCLE_SECONDS) / this.speed;
    try {
      return await record({ canvas: this.canvas, seconds, show });
    } finally {
      [view.time, view.phase] = [before.time, before.phase];
      if (before.playing) this.play();
      else this.changed();
    }
  }

  private savePicture(): void {
    this.drawNow();
    const picture = h("canvas");
    [picture.width, picture.height] = [this.canvas.width, this.canvas.height];
    const ctx = picture.getContext("2d")!;
    ctx.fillStyle = themeColour("canvas");
    ctx.fillRect(0, 0, picture.width, picture.height);
    ctx.drawImage(this.canvas, 0, 0);
    picture.toBlob((blob) => blob && saveBlob(blob, `${this.id.replace(/[^\w-]+/g, "_")}.png`));
  }

  /** Play button, slider over phase or time, read-out and speed. */
  private transport(): HTMLElement | null {
    const { content } = this.block;
    if (content.kind === "StaticShape" || this.history?.duration === 0) return null;
    const { history } = this;
    const button = h("button", { type: "button", class: "tool play", click: () => (this.playing ? this.pause() : this.play()) });
    const slider = h("input", { type: "range", min: 0, max: 1000, step: 1, value: 0, "aria-label": history ? "Time" : "Phase" });
    slider.addEventListener("input", () => {
      const t = Number(slider.value) / 1000;
      if (this.playing) this.pause();
      if (history) this.setTime(history.start + t * history.duration);
      else this.setPhase(2 * Math.PI * t);
    });
    const readout = h("output", { class: "transport-readout" });
    const speeds = h("select", { "aria-label": "Speed", title: history ? `1\u00d7 plays ${formatNumber(history.rate, 3)} s each second` : "Speed" },
      ...SPEEDS.map((value) => h("option", { value, selected: value === 1 }, `${value}\u00d7`)));
    speeds.addEventListener("change", () => (this.speed = Number(speeds.value)));
    let wasPlaying: boolean | null = null;
    const refresh = () => {
      const state = this.state();
      if (state.playing !== wasPlaying) {
        wasPlaying = state.playing;
        const label = state.playing ? "Pause" : "Play";
        button.replaceChildren(icon(state.playing ? "pause" : "play"));
        button.setAttribute("aria-label", label);
        button.title = label;
      }
      const t = history ? (state.time - history.start) / (history.duration || 1) : state.phase / (2 * Math.PI);
      slider.value = String(Math.round(1000 * t));
      const text = history ? `${timeText(state.time, history.duration)}` : `${Math.round((state.phase * 180) / Math.PI)}\u00b0`;
      readout.textContent = text;
      slider.setAttribute("aria-valuetext", text);
    };
    this.refreshers.push(refresh);
    refresh();
    return h("div", { class: "transport" }, button, slider, readout, speeds);
  }

  private viewButtons(view: SceneView): HTMLElement {
    const look = (name: ViewName, label: string, text: string) =>
      h("button", { type: "button", class: "tool", title: label, "aria-label": label, click: (event: Event) => {
        const opposite = (event as MouseEvent).shiftKey && name !== "corner";
        view.orbit.look(opposite ? (name.replace("+", "-") as ViewName) : name);
        this.fit();
      } }, text);
    return h("div", { class: "view-buttons", role: "group", "aria-label": "View" },
      iconButton("fit", "Fit (F)", () => this.fit()),
      look("corner", "View from a corner", "3D"),
      look("+x", "View along x, from its tip (Shift: from behind)", "x"),
      look("+y", "View along y, from its tip (Shift: from behind)", "y"),
      look("+z", "View along z, from its tip (Shift: from behind)", "z"));
  }

  private sideControls(view: SceneView): HTMLElement[] {
    const { content } = this.block;
    const groups: HTMLElement[] = [];
    if (content.kind === "Modes" && content.modes.length > 1) {
      const list = modeList(content.modes, (index) => this.showMode(index));
      this.refreshers.push(() => list.select(view.mode));
      groups.push(h("div", { class: "control mode-control" }, h("div", { class: "control-name" }, "Mode"), list.element));
    }
    if (view.deformable || this.block.fields.length) groups.push(this.colourControl(view));
    if (view.deformable && !view.onlyTrueScale) groups.push(this.deformationControl(view));
    const switches: [string, boolean, (on: boolean) => void][] = [];
    if (view.hasOutline) switches.push(["Undeformed outline", view.show.outline, (on) => (view.show.outline = on)]);
    switches.push(["Edges", view.show.edges, (on) => (view.show.edges = on)]);
    if (view.hasSymbols) switches.push(["Supports, springs, loads", view.show.symbols, (on) => (view.show.symbols = on)]);
    if (view.hasArrows) switches.push(["Forces", view.show.arrows, (on) => (view.show.arrows = on)]);
    if (view.hasTraces) switches.push(["Paths of points", view.show.traces, (on) => (view.show.traces = on)]);
    switches.push(["Perspective", view.orbit.perspective, (on) => (view.orbit.perspective = on)]);
    groups.push(h("div", { class: "control switches" }, ...switches.map(([name, on, set]) => {
      const box = h("input", { type: "checkbox", checked: on });
      box.addEventListener("change", () => {
        set(box.checked);
        this.redraw();
      });
      return h("label", {}, box, name);
    })));
    if (view.hasArrows) groups.push(this.arrowControl(view));
    return groups;
  }

  private colourControl(view: SceneView): HTMLElement {
    const options: [Colouring, string][] = [
      ...(view.deformable ? [["displacement", "Displacement"] as [Colouring, string]] : []),
      ...this.block.fields.map((field, i): [Colouring, string] => [i, field.name]),
      ["none", "None"],
    ];
    const select = h("select", {}, ...options.map(([value, text]) => h("option", { value, selected: value === view.colouring }, text)));
    select.addEventListener("change", () => {
      view.colouring = options[select.selectedIndex][0];
      this.redraw();
    });
    return h("label", { class: "control" }, h("span", { class: "control-name" }, "Colour"), select);
  }

  /** Slider for the largest displacement drawn, as a share of the body size (squared, for fine small values). */
  private deformationControl(view: SceneView): HTMLElement {
    const unit = this.block.displacement_unit;
    const position = (fraction: number) => 100 * Math.sqrt(fraction / LARGEST_DEFORMATION);
    const slider = h("input", { type: "range", min: 0, max: 100, step: 0.5, value: position(view.deformation), "aria-label": "Deformation scale" });
    const readout = h("output", {});
    const refresh = () => {
      const text = unit ? `\u00d7 ${formatNumber(view.scaleFactor(), 3)}` : `${formatNumber(100 * view.deformation, 2)} % of size`;
      if (readout.textContent !== text) readout.textContent = text;
    };
    const set = (change: () => void) => {
      change();
      slider.value = String(position(view.trueScale ? Math.min(LARGEST_DEFORMATION, view.largestDisplacement() / view.size) : view.deformation));
      refresh();
      this.redraw();
    };
    slider.addEventListener("input", () => {
      view.trueScale = false;
      view.deformation = LARGEST_DEFORMATION * (Number(slider.value) / 100) ** 2;
      refresh();
      this.redraw();
    });
    this.refreshers.push(refresh);
    refresh();
    const button = (text: string, label: string, change: () => void) =>
      h("button", { type: "button", class: "tool", title: label, click: () => set(change) }, text);
    return h("div", { class: "control" },
      h("div", { class: "control-name" }, "Deformation", readout),
      h("div", { class: "control-line" }, slider,
        button("Auto", "Largest displacement drawn as 8 % of the body, or in true size", () => view.scaleAutomatically()),
        unit ? button("1:1", "True size", () => (view.trueScale = true)) : null));
  }

  private arrowControl(view: SceneView): HTMLElement {
    const slider = h("input", { type: "range", min: 0.02, max: 0.8, step: 0.01, value: view.arrowLength, "aria-label": "Length of force arrows" });
    slider.addEventListener("input", () => {
      view.arrowLength = Number(slider.value);
      this.redraw();
    });
    return h("label", { class: "control" }, h("span", { class: "control-name" }, "Force arrows"), slider);
  }
}

/** Start, length and playing rate of a history: true time if it lasts 2 to 20 s, else about 6 s. */
function clock(block: Scene): { start: number; duration: number; rate: number } | null {
  if (block.content.kind !== "History") return null;
  const times = block.content.times.values;
  const start = times[0];
  const duration = times[times.length - 1] - start;
  return { start, duration, rate: duration >= 2 && duration <= 20 ? 1 : duration / 6 };
}

function timeText(time: number, duration: number): string {
  const decimals = clamp(3 - Math.floor(Math.log10(duration || 1)), 0, 9);
  return `${time.toFixed(decimals)} s`;
}
