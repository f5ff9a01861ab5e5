import type { Links, SceneState } from "../document/links";
import type { Plot, ReferenceLine, Series } from "../document/types";
import { caption, clamp, copyButton, csv, h, iconButton, svg } from "../ui/dom";
import { formatNumber, withUnit } from "../ui/numbers";
import { cssColour } from "../ui/theme";
import { interpolate, limits, ticks, toPixel, toValue, type Scale, type Tick } from "./scales";

const MARGIN = { left: 50, right: 22, top: 12, bottom: 48 };
const CLICK_DISTANCE = 5;
const POINT_REACH = 16;
const LABEL_CHARACTER = 6.3; // pixels of a character of a label, roughly
const LABEL_ROW = 15; // pixels from one row of labels to the next

interface Hit { series: number; point: number; distance: number }
type Window = { x: [number, number]; y: [number, number] };

export function renderPlot(block: Plot, links: Links): HTMLElement {
  return new PlotView(block, links).root;
}

class PlotView {
  readonly root: HTMLElement;
  private readonly canvas = svg("svg", { class: "plot", tabindex: 0, role: "application" });
  private readonly frame = svg("g");
  private readonly data = svg("g");
  private readonly selection = svg("g", { class: "plot-selection" });
  private readonly cursor = svg("g", { class: "plot-cursor" });
  private readonly probe = svg("g", { class: "plot-probe" });
  private readonly rubber = svg("rect", { class: "plot-rubber" });
  private readonly readout = h("div", { class: "plot-readout", hidden: true });
  private readonly announce = h("div", { class: "off-screen", "aria-live": "polite" });
  private readonly resetButton: HTMLButtonElement;
  private readonly hidden = new Set<number>();
  private readonly hiddenBands = new Set<number>();
  private readonly state = new Map<string, SceneState>();
  private readonly clip = `plot-clip-${nextId++}`;
  private window: Window | null = null;
  private drag: { x: number; y: number; moved: boolean } | null = null;
  private focus: Hit | null = null;
  private followed: Hit | null = null;
  private width = 0;
  private height = 0;
  private x!: Scale;
  private y!: Scale;

  constructor(private readonly block: Plot, private readonly links: Links) {
    this.resetButton = iconButton("reset", "Reset zoom", () => this.zoom(null), "Reset");
    this.resetButton.hidden = true;
    const table = () => csv([
      ["series", withUnit(block.x.label, block.x.unit), withUnit(block.y.label, block.y.unit)],
      ...block.series.flatMap((s) => Array.from(s.x.values, (x, i) => [s.name, Number(x.toPrecision(7)), Number(s.y.values[i].toPrecision(7))])),
    ]);
    this.canvas.setAttribute("aria-label",
      `${block.title || "Plot"}: ${withUnit(block.y.label, block.y.unit)} over ${withUnit(block.x.label, block.x.unit)}. ` +
      "Arrow keys read out points, Enter opens a linked one, Escape resets the zoom.");
    this.canvas.append(
      svg("defs", {}, svg("clipPath", { id: this.clip }, svg("rect", { class: "clip-rect" }))),
      this.frame, this.data, this.selection, this.cursor, this.probe, this.rubber);
    for (const group of [this.data, this.selection, this.cursor]) group.setAttribute("clip-path", `url(#${this.clip})`);
    const area = h("div", { class: "plot-area" }, this.canvas, this.readout, this.announce);
    area.style.minHeight = `${block.height}px`;
    this.root = h("figure", { class: "panel plot-panel" },
      h("div", { class: "panel-head" }, h("h3", {}, block.title), h("span", { class: "tools" }, this.resetButton, copyButton("CSV", table))),
      this.legend(),
      area,
      caption(block.caption));
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    const scenes = new Set(block.series.flatMap((s) => (s.links ? [s.links.scene] : [])));
    if (block.cursor) scenes.add(block.cursor.scene);
    for (const scene of scenes) {
      links.listen(scene, (state) => {
        const last = this.state.get(scene);
        this.state.set(scene, { ...state });
        if (state.mode !== last?.mode || state.time !== last.time) this.drawLinked();
      });
    }
  }

  private legend(): HTMLElement | null {
    const entries = [
      ...this.block.series.map((s, i) => ({ name: s.name, colour: cssColour(s.colour, i), set: this.hidden, index: i,
        kind: s.line ? (s.dashed ? "dashed" : "line") : "dot" })),
      ...this.block.bands.map((b, i) => ({ name: b.name, colour: cssColour(b.colour, i), set: this.hiddenBands, index: i, kind: "band" })),
    ];
    if (entries.length < 2) return null;
    return h("div", { class: "legend", role: "group", "aria-label": "Series" }, ...entries.map(({ name, colour, set, index, kind }) => {
      const swatch = h("span", { class: `swatch swatch-${kind}` });
      swatch.style.color = colour;
      const button = h("button", { type: "button", class: "legend-entry", "aria-pressed": "true", click: () => {
        if (set.has(index)) set.delete(index);
        else set.add(index);
        button.setAttribute("aria-pressed", String(!set.has(index)));
        this.draw();
      } }, swatch, name);
      return button;
    }));
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width > 0 && (width !== this.width || height !== this.height)) {
      [this.width, this.height] = [width, height];
      this.draw();
    }
  }

  private visible(): [Series, number][] {
    return this.block.series.map((s, i): [Series, number] => [s, i]).filter(([, i]) => !this.hidden.has(i));
  }

  /** The whole range of what is shown. */
  private fullWindow(): Window {
    const { block } = this;
    const series = this.visible().map(([s]) => s);
    const bands = block.bands.filter((_, i) => !this.hiddenBands.has(i));
    const chain = function* (arrays: ArrayLike<number>[]) { for (const a of arrays) for (let i = 0; i < a.length; i++) yield a[i]; };
    const markers = series.some((s) => s.markers || !s.line);
    return {
      x: limits(chain([...series, ...bands].map((s) => s.x.values)), { ...block.x, margin: markers ? 0.025 : 0, zero: false }),
      y: limits(chain([...series.map((s) => s.y.values), ...bands.flatMap((b) => [b.lower.values, b.upper.values])]),
        { ...block.y, margin: 0.06, zero: true }),
    };
  }

  /** Whether both axes are of one plane: the same unit, and all limits given. */
  private onePlane(): boolean {
    const { x, y } = this.block;
    return x.unit === y.unit && !x.log && !y.log && [x.minimum, x.maximum, y.minimum, y.maximum].every((end) => end !== null);
  }

  /** Widen the abscissa so that a circle is round. */
  private square(window: Window, left: number): void {
    const across = Math.max(1, this.width - left - MARGIN.right) / (this.height - MARGIN.top - MARGIN.bottom);
    const half = Math.max(((window.y[1] - window.y[0]) * across) / 2, (window.x[1] - window.x[0]) / 2);
    const middle = (window.x[0] + window.x[1]) / 2;
    window.x = [middle - half, middle + half];
  }

  private draw(): void {
    if (!this.width) return;
    const { block, width, height } = this;
    const window = this.window ?? this.fullWindow();
    this.y = { low: window.y[0], high: window.y[1], log: block.y.log, start: height - MARGIN.bottom, end: MARGIN.top };
    const yTicks = ticks(this.y, 48, block.y.unit);
    const left = Math.max(MARGIN.left, 36 + 7 * Math.max(...yTicks.map((tick) => tick.label.length)));
    if (!this.window && this.onePlane()) this.square(window, left);
    this.x = { low: window.x[0], high: window.x[1], log: block.x.log, start: left, end: width - MARGIN.right };
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const area = { x: left, y: MARGIN.top, width: Math.max(1, width - left - MARGIN.right), height: height - MARGIN.top - MARGIN.bottom };
    const clip = this.canvas.querySelector(".clip-rect")!;
    for (const [name, value] of Object.entries(area)) clip.setAttribute(name, String(value));
    this.resetButton.hidden = this.window === null;
    this.drawFrame(area, yTicks);
    this.data.replaceChildren(...this.bandPaths(), ...this.referenceLines(), ...this.visible().flatMap(([s, i]) => this.seriesPaths(s, i)));
    this.probe.replaceChildren();
    this.readout.hidden = true;
    this.drawLinked();
  }

  private drawFrame(area: { x: number; y: number; width: number; height: number }, yTicks: Tick[]): void {
    const right = area.x + area.width;
    const bottom = area.y + area.height;
    const pieces: SVGElement[] = [];
    const xTicks = ticks(this.x, 90, this.block.x.unit);
    for (const tick of xTicks) {
      const p = toPixel(this.x, tick.value);
      pieces.push(svg("line", { class: tick.minor ? "grid grid-minor" : "grid", x1: p, x2: p, y1: area.y, y2: bottom }));
      if (tick.label) pieces.push(svg("text", { class: "tick", x: p, y: bottom + 17, "text-anchor": "middle" }, tick.label));
    }
    for (const tick of yTicks) {
      const p = toPixel(this.y, tick.value);
      pieces.push(svg("line", { class: tick.minor ? "grid grid-minor" : "grid", x1: area.x, x2: right, y1: p, y2: p }));
      if (tick.label) pieces.push(svg("text", { class: "tick", x: area.x - 8, y: p + 4, "text-anchor": "end" }, tick.label));
    }
    const middle = area.y + area.height / 2;
    pieces.push(
      svg("rect", { class: "plot-frame", ...area }),
      svg("text", { class: "axis-label", x: area.x + area.width / 2, y: bottom + 39, "text-anchor": "middle" }, withUnit(this.block.x.label, this.block.x.unit)),
      svg("text", { class: "axis-label", x: 16, y: middle, "text-anchor": "middle", transform: `rotate(-90 16 ${middle})` },
        withUnit(this.block.y.label, this.block.y.unit)));
    this.frame.replaceChildren(...pieces);
  }

  private bandPaths(): SVGElement[] {
    return this.block.bands.flatMap((band, i) => {
      if (this.hiddenBands.has(i)) return [];
      const point = (k: number, ys: ArrayLike<number>) => `${toPixel(this.x, band.x.values[k]).toFixed(1)} ${toPixel(this.y, ys[k]).toFixed(1)}`;
      const order = Array.from(band.x.values, (_, k) => k);
      const outline = [...order.map((k) => point(k, band.upper.values)), ...order.reverse().map((k) => point(k, band.lower.values))];
      const path = svg("path", { class: "band", d: `M${outline.join("L")}Z` });
      path.style.fill = cssColour(band.colour, i);
      return [path];
    });
  }

  private referenceLines(): SVGElement[] {
    const taken: [number, number][][] = []; // what labels cover, row by row from the top
    const free = (row: number, from: number, to: number) => (taken[row] ?? []).every(([left, right]) => to < left || from > right);
    const take = (row: number, from: number, to: number) => {
      while (taken.length <= row) taken.push([]);
      taken[row].push([from, to]);
    };
    // Sloped lines end where they end; the names of vertical ones keep clear of theirs.
    const sloped = this.block.reference_lines.flatMap((line) => (line.kind === "VerticalLine" ? [] : this.slopedLine(line, take)));
    const vertical = this.block.reference_lines.flatMap((line) => {
      if (line.kind !== "VerticalLine") return [];
      const p = toPixel(this.x, line.x);
      const width = LABEL_CHARACTER * line.label.length + 8;
      const left = p + width > this.x.end ? p - width : p;
      let row = 0;
      while (!free(row, left, left + width)) row++;
      take(row, left, left + width);
      return [svg("line", { class: "reference", x1: p, x2: p, y1: this.y.start, y2: this.y.end }),
        svg("text", { class: "reference-label", x: left < p ? p - 4 : p + 4, y: this.y.end + 12 + LABEL_ROW * row, "text-anchor": left < p ? "end" : "start" }, line.label)];
    });
    return [...sloped, ...vertical];
  }

  private slopedLine(line: ReferenceLine, take: (row: number, from: number, to: number) => void): SVGElement[] {
    // Sampled, because a straight line bends on logarithmic axes.
    const points: [number, number][] = [];
    for (let i = 0; i <= 64; i++) {
      const px = this.x.start + (i / 64) * (this.x.end - this.x.start);
      const value = line.intercept + line.slope * toValue(this.x, px);
      if (!this.y.log || value > 0) points.push([px, toPixel(this.y, value)]);
    }
    const inside = points.filter(([, py]) => py >= this.y.end + 2 && py <= this.y.start);
    const end = inside.at(-1);
    const path = svg("path", { class: "reference", d: "M" + points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L") });
    if (!end) return [path];
    const atEdge = end[0] > this.x.end - 8;
    const x = atEdge ? this.x.end - 5 : end[0] - 5;
    const y = atEdge ? Math.max(this.y.end + 11, end[1] - 5) : this.y.end + 12;
    const above = (y - this.y.end - 12) / LABEL_ROW; // rows that it touches
    for (const row of new Set([Math.floor(above), Math.ceil(above)])) if (row >= 0) take(row, x - LABEL_CHARACTER * line.label.length - 4, x + 4);
    return [path, svg("text", { class: "reference-label", x, y, "text-anchor": "end" }, line.label)];
  }

  private seriesPaths(series: Series, index: number): SVGElement[] {
    const colour = cssColour(series.colour, index);
    const paths: SVGElement[] = [];
    if (series.line) {
      const path = svg("path", { class: series.dashed ? "series dashed" : "series", d: this.linePath(series) });
      path.style.stroke = colour;
      paths.push(path);
    }
    if (series.markers || !series.line) {
      // Round caps turn zero-length strokes into dots: one element for all markers.
      let d = "";
      for (let i = 0; i < series.x.values.length; i++) {
        const px = toPixel(this.x, series.x.values[i]);
        const py = toPixel(this.y, series.y.values[i]);
        if (Number.isFinite(px) && Number.isFinite(py)) d += `M${px.toFixed(1)} ${py.toFixed(1)}h0`;
      }
      const path = svg("path", { class: series.links ? "markers linked" : "markers", d });
      path.style.stroke = colour;
      paths.push(path);
    }
    return paths;
  }

  /** Line through the points; where many share a pixel column only its entry, extremes and exit are drawn. */
  private linePath(series: Series): string {
    const xs = series.x.values;
    const ys = series.y.values;
    const dense = xs.length > 6 * this.width;
    let d = "";
    let pen = false;
    let column = NaN;
    let extremes: [number, number, number] | null = null; // lowest, highest and last pixel of the column
    const flush = () => {
      if (extremes) d += `L${column} ${extremes[0].toFixed(1)}L${column} ${extremes[1].toFixed(1)}L${column} ${extremes[2].toFixed(1)}`;
      extremes = null;
    };
    for (let i = 0; i < xs.length; i++) {
      const px = toPixel(this.x, xs[i]);
      const py = clamp(toPixel(this.y, ys[i]), -1e5, 1e5);
      if (!Number.isFinite(px) || !Number.isFinite(py)) {
        flush();
        pen = false;
        continue;
      }
      if (!dense) {
        d += `${pen ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`;
      } else if (!pen || Math.round(px) !== column) {
        flush();
        d += `${pen ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`;
        column = Math.round(px);
      } else {
        const [low, high]: [number, number, number] = extremes ?? [py, py, py];
        extremes = [Math.min(low, py), Math.max(high, py), py];
      }
      pen = true;
    }
    flush();
    return d;
  }

  /** What depends on the state of a scene: rings around points of the mode shown, and the time cursor. */
  private drawLinked(): void {
    if (!this.width) return;
    const rings: SVGElement[] = [];
    for (const [series, index] of this.visible()) {
      const modes = series.links?.modes?.values;
      const state = series.links && this.state.get(series.links.scene);
      if (!modes || !state) continue;
      let points = Array.from(modes.keys()).filter((i) => modes[i] === state.mode);
      // Several points may share one mode: then mark the one that was clicked, or the middle one.
      const { followed } = this;
      if (followed && this.modeOf(followed) === state.mode) {
        points = followed.series === index ? [followed.point] : [];
      } else if (points.length > 1) points = [points[points.length >> 1]];
      points.forEach((i) => {
        const ring = svg("circle", { r: 7.5, cx: toPixel(this.x, series.x.values[i]), cy: toPixel(this.y, series.y.values[i]) });
        ring.style.stroke = cssColour(series.colour, index);
        rings.push(ring);
      });
    }
    this.selection.replaceChildren(...rings.filter((ring) => Number.isFinite(Number(ring.getAttribute("cy")))));
    const { cursor } = this.block;
    const state = cursor && this.state.get(cursor.scene);
    if (!cursor || !state) return;
    const x = interpolate(cursor.times.values, cursor.x.values, state.time);
    if (!Number.isFinite(x)) return this.cursor.replaceChildren();
    const px = toPixel(this.x, x);
    const pieces: SVGElement[] = [svg("line", { x1: px, x2: px, y1: this.y.start, y2: this.y.end })];
    for (const [series, index] of this.visible()) {
      const py = toPixel(this.y, interpolate(series.x.values, series.y.values, x));
      if (!series.line || !Number.isFinite(py)) continue;
      const dot = svg("circle", { r: 3.5, cx: px, cy: py });
      dot.style.fill = cssColour(series.colour, index);
      pieces.push(dot);
    }
    this.cursor.replaceChildren(...pieces);
  }

  private nearest(px: number, py: number): Hit | null {
    let best: Hit | null = null;
    for (const [series, index] of this.visible()) {
      for (let i = 0; i < series.x.values.length; i++) {
        const dx = toPixel(this.x, series.x.values[i]) - px;
        const dy = toPixel(this.y, series.y.values[i]) - py;
        const distance = Math.hypot(dx, dy);
        if (!best || distance < best.distance) if (Number.isFinite(distance)) best = { series: index, point: i, distance };
      }
    }
    return best;
  }

  /** Show a point: crosshair, ring, and the values of every series near its abscissa. */
  private showPoint(hit: Hit | null): void {
    if (!hit) {
      this.probe.replaceChildren();
      this.readout.hidden = true;
      return;
    }
    const { block } = this;
    const series = block.series[hit.series];
    const x = series.x.values[hit.point];
    const y = series.y.values[hit.point];
    const px = toPixel(this.x, x);
    const py = toPixel(this.y, y);
    const ring = svg("circle", { r: 5, cx: px, cy: py });
    ring.style.fill = cssColour(series.colour, hit.series);
    this.probe.replaceChildren(svg("line", { x1: px, x2: px, y1: this.y.start, y2: this.y.end }), ring);
    const others = this.visible().filter(([s, i]) => i !== hit.series && s.line).map(([s, i]) =>
      ({ name: s.name, index: i, colour: s.colour, value: interpolate(s.x.values, s.y.values, x) })).filter((o) => Number.isFinite(o.value));
    others.sort((a, b) => Math.abs(toPixel(this.y, a.value) - py) - Math.abs(toPixel(this.y, b.value) - py));
    const entries = [{ name: series.name, index: hit.series, colour: series.colour, value: y }, ...others.slice(0, 7)];
    const row = (entry: (typeof entries)[number], i: number) => {
      const swatch = h("span", { class: "swatch swatch-dot" });
      swatch.style.color = cssColour(entry.colour, entry.index);
      return h("div", { class: i === 0 ? "readout-row readout-main" : "readout-row" }, swatch, h("span", {}, entry.name),
        h("span", { class: "readout-value" }, formatNumber(entry.value), block.y.unit ? ` ${block.y.unit}` : ""));
    };
    this.readout.replaceChildren(
      h("div", { class: "readout-x" }, `${block.x.label} ${formatNumber(x)}${block.x.unit ? ` ${block.x.unit}` : ""}`),
      ...entries.map(row),
      ...(this.target(hit) ? [h("div", { class: "readout-hint" }, "Click to show in the scene")] : []));
    this.readout.hidden = false;
    const left = px > this.width / 2;
    this.readout.style.left = left ? "" : `${px + 16}px`;
    this.readout.style.right = left ? `${this.width - px + 16}px` : "";
    this.readout.style.top = `${clamp(py - this.readout.offsetHeight / 2, MARGIN.top, Math.max(MARGIN.top, this.y.start - this.readout.offsetHeight))}px`;
  }

  /** Where the link of a point leads, if it has one. */
  private target(hit: Hit): { scene: string; mode?: number; time?: number } | null {
    const link = this.block.series[hit.series].links;
    const mode = link?.modes?.values[hit.point];
    if (link && mode !== undefined && mode >= 0) return { scene: link.scene, mode };
    const time = link?.times?.values[hit.point];
    return link && time !== undefined && Number.isFinite(time) ? { scene: link.scene, time } : null;
  }

  private modeOf(hit: Hit): number | undefined {
    return this.block.series[hit.series].links?.modes?.values[hit.point];
  }

  private follow(hit: Hit): boolean {
    const target = this.target(hit);
    const scene = target && this.links.scenes.get(target.scene);
    if (!target || !scene) return false;
    this.followed = hit;
    if (target.mode !== undefined) {
      scene.showMode(target.mode);
      scene.play();
    } else if (target.time !== undefined) scene.setTime(target.time);
    scene.scrollIntoView();
    return true;
  }

  private click(px: number, py: number): void {
    const hit = this.nearest(px, py);
    if (hit && hit.distance < POINT_REACH && this.follow(hit)) return;
    const { cursor } = this.block;
    if (!cursor) return;
    const time = interpolate(cursor.x.values, cursor.times.values, toValue(this.x, px));
    if (Number.isFinite(time)) this.links.scenes.get(cursor.scene)?.setTime(time);
  }

  private zoom(window: Window | null): void {
    this.window = window;
    this.draw();
  }

  private listen(): void {
    const { canvas } = this;
    const place = (event: PointerEvent): [number, number] => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const [x, y] = place(event);
      this.drag = { x, y, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = place(event);
      if (this.drag && (this.drag.moved || Math.hypot(x - this.drag.x, y - this.drag.y) > CLICK_DISTANCE)) {
        this.drag.moved = true;
        this.showPoint(null);
        const [x0, x1, y0, y1] = this.rubberBox(x, y);
        for (const [name, value] of Object.entries({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 })) this.rubber.setAttribute(name, String(value));
        return;
      }
      const hit = this.nearest(x, y);
      const near = hit && hit.distance < 60 ? hit : null;
      canvas.classList.toggle("over-link", near !== null && near.distance < POINT_REACH && this.target(near) !== null);
      this.showPoint(near);
    });
    canvas.addEventListener("pointerup", (event) => {
      const [x, y] = place(event);
      const { drag } = this;
      this.drag = null;
      if (!drag) return;
      if (!drag.moved) return this.click(x, y);
      this.drag = drag;
      const [x0, x1, y0, y1] = this.rubberBox(x, y);
      this.drag = null;
      for (const name of ["width", "height"]) this.rubber.setAttribute(name, "0");
      this.zoom({ x: [toValue(this.x, x0), toValue(this.x, x1)], y: [toValue(this.y, y1), toValue(this.y, y0)] });
    });
    canvas.addEventListener("pointercancel", () => (this.drag = null));
    canvas.addEventListener("pointerleave", () => this.showPoint(null));
    canvas.addEventListener("dblclick", () => this.zoom(null));
    canvas.addEventListener("blur", () => this.showPoint(null));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** The box dragged so far, inside the axes; a flat or narrow drag zooms one axis only. */
  private rubberBox(x: number, y: number): [number, number, number, number] {
    const drag = this.drag!;
    const inX = (p: number) => clamp(p, this.x.start, this.x.end);
    const inY = (p: number) => clamp(p, this.y.end, this.y.start);
    let [x0, x1] = [inX(Math.min(drag.x, x)), inX(Math.max(drag.x, x))];
    let [y0, y1] = [inY(Math.min(drag.y, y)), inY(Math.max(drag.y, y))];
    if (y1 - y0 < 14) [y0, y1] = [this.y.end, this.y.start];
    else if (x1 - x0 < 14) [x0, x1] = [this.x.start, this.x.end];
    if (x1 - x0 < 2) [x0, x1] = [this.x.start, this.x.end];
    return [x0, x1, y0, y1];
  }

  private key(event: KeyboardEvent): void {
    const shown = this.visible();
    if (event.key === "Escape") {
      this.focus = null;
      this.zoom(null);
    } else if (event.key === "Enter" && this.focus) this.follow(this.focus);
    else if (event.key.startsWith("Arrow") && shown.length) {
      const { series, point } = this.focus ?? { series: shown[0][1], point: -1 };
      const row = Math.max(0, shown.findIndex(([, i]) => i === series));
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const jump = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const [next, index] = shown[(row + jump + shown.length) % shown.length];
      this.focus = { series: index, point: clamp(point + step, 0, next.x.values.length - 1), distance: 0 };
      this.showPoint(this.focus);
      this.announce.textContent =
        `${next.name}: ${formatNumber(next.x.values[this.focus.point])}, ${formatNumber(next.y.values[this.focus.point])}`;
    } else return;
    event.preventDefault();
  }
}

let nextId = 0;
