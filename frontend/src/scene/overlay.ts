// Drawn over the bodies on the same canvas, so that a saved picture has it too.
import { Vector3, type Camera, type Quaternion } from "three";
import { commonExponent, formatNumber, scaledUnit } from "../ui/numbers";
import { themeColour } from "../ui/theme";
import type { Palette } from "./colours";
import type { Limits } from "./content";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** Text with a halo of the background, readable on any body. */
function haloText(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  ctx.lineJoin = "round";
  ctx.lineWidth = 3.5;
  ctx.strokeStyle = themeColour("canvas");
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}

/** The directions of x, y, z in the lower left corner. */
export function drawTriad(ctx: CanvasRenderingContext2D, orientation: Quaternion, height: number): void {
  const inverse = orientation.clone().invert();
  const centre = { x: 42, y: height - 42 };
  const axes = [["x", "c-red"], ["y", "c-green"], ["z", "c-blue"]].map(([name, colour], i) => {
    const direction = new Vector3().setComponent(i, 1).applyQuaternion(inverse);
    return { name, colour: themeColour(colour), direction };
  });
  axes.sort((a, b) => a.direction.z - b.direction.z);
  ctx.font = `600 11px ${FONT}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineCap = "round";
  for (const { name, colour, direction } of axes) {
    const tip = { x: centre.x + 26 * direction.x, y: centre.y - 26 * direction.y };
    ctx.strokeStyle = ctx.fillStyle = colour;
    const flat = Math.hypot(direction.x, direction.y);
    if (flat < 0.05) {
      // The axis points at the reader (a dot in a circle) or away (a cross in a circle).
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      ctx.arc(centre.x, centre.y, 5, 0, 2 * Math.PI);
      ctx.stroke();
      ctx.beginPath();
      if (direction.z > 0) ctx.arc(centre.x, centre.y, 1.8, 0, 2 * Math.PI);
      else {
        ctx.moveTo(centre.x - 3.5, centre.y - 3.5);
        ctx.lineTo(centre.x + 3.5, centre.y + 3.5);
        ctx.moveTo(centre.x + 3.5, centre.y - 3.5);
        ctx.lineTo(centre.x - 3.5, centre.y + 3.5);
        ctx.stroke();
      }
      ctx.fill();
      haloText(ctx, name, centre.x - 13, centre.y + 11, colour);
      continue;
    }
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(centre.x, centre.y);
    ctx.lineTo(tip.x, tip.y);
    ctx.stroke();
    haloText(ctx, name, tip.x + (10 * direction.x) / flat, tip.y - (10 * direction.y) / flat, colour);
  }
}

export interface ColourBar { palette: Palette; limits: Limits; title: string; unit: string }

/** The colour scale with round-numbered labels, along the right edge. */
export function drawColourBar(ctx: CanvasRenderingContext2D, bar: ColourBar, width: number, height: number): void {
  const length = Math.min(220, height * 0.5);
  const [x, top] = [width - 26, (height - length) / 2];
  const gradient = ctx.createLinearGradient(0, top + length, 0, top);
  for (let i = 0; i <= 20; i++) gradient.addColorStop(i / 20, bar.palette.css(i / 20));
  ctx.fillStyle = gradient;
  ctx.fillRect(x, top, 12, length);
  ctx.strokeStyle = themeColour("line-strong");
  ctx.lineWidth = 1;
  ctx.strokeRect(x - 0.5, top - 0.5, 13, length + 1);
  ctx.font = `11px ${FONT}`;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  const count = length > 150 ? 5 : 3;
  const exponent = commonExponent(Math.max(Math.abs(bar.limits.low), Math.abs(bar.limits.high)));
  const unit = scaledUnit(exponent, bar.unit);
  for (let i = 0; i < count; i++) {
    const t = i / (count - 1);
    const value = bar.limits.low + t * (bar.limits.high - bar.limits.low);
    haloText(ctx, formatNumber(value / 10 ** exponent, 3), x - 6, top + (1 - t) * length, themeColour("text"));
  }
  ctx.font = `600 11px ${FONT}`;
  haloText(ctx, unit ? `${bar.title} [${unit}]` : bar.title, width - 14, top - 16, themeColour("text"));
}

interface Box { x: number; y: number; width: number; height: number }
interface Label { x: number; y: number; text: string; colour: string; key: string }

/** Where a label may stand beside its point: share of its width to the left, and steps in pixels. */
const PLACES: [number, number, number][] = [
  [0, 8, -9], [1, -8, -9], [0, 8, 11], [1, -8, 11], [0.5, 0, -17], [0.5, 0, 19],
  [0, 16, -24], [1, -16, -24], [0, 16, 26], [1, -16, 26], [0.5, 0, -32], [0.5, 0, 34],
  [0, 30, -39], [1, -30, -39], [0, 30, 41], [1, -30, 41],
];
const LINE = 14; // height of a label

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Labels of points in space; none covers another, a dot, the axes or the colour bar. */
export class Labels {
  private labels: Label[] = [];
  private taken: Box[] = [];
  private width = 0;
  private height = 0;
  /** Which place each label had last: it keeps it while it can, so that labels do not jump. */
  private readonly last = new Map<string, number>();

  begin(width: number, height: number, around: { bar: boolean; triad: boolean }): void {
    [this.labels, this.taken, this.width, this.height] = [[], [], width, height];
    if (around.triad) this.taken.push({ x: 0, y: height - 84, width: 84, height: 84 });
    if (around.bar) this.taken.push({ x: width - 74, y: height * 0.2, width: 74, height: height * 0.6 });
  }

  dot(ctx: CanvasRenderingContext2D, camera: Camera, place: Vector3, colour: string): void {
    const { x, y } = this.project(camera, place);
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x, y, 3.5, 0, 2 * Math.PI);
    ctx.fill();
    this.taken.push({ x: x - 4, y: y - 4, width: 8, height: 8 });
  }

  add(camera: Camera, place: Vector3, text: string, colour: string, key: string): void {
    const p = this.project(camera, place);
    if (p.x < 0 || p.y < 0 || p.x > this.width || p.y > this.height) return;
    if (!this.labels.some((other) => other.text === text && Math.hypot(other.x - p.x, other.y - p.y) < 4)) this.labels.push({ ...p, text, colour, key });
  }

  /** Draw each label at the first free place beside its point; one without a free place is left out. */
  draw(ctx: CanvasRenderingContext2D): void {
    ctx.font = `600 11.5px ${FONT}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (const label of this.labels) {
      const width = ctx.measureText(label.text).width;
      const boxes = PLACES.map(([left, dx, dy]): Box => ({ x: label.x + dx - left * width, y: label.y + dy - LINE / 2, width, height: LINE }));
      const free = (box: Box) => box.x >= 2 && box.y >= 2 && box.x + box.width <= this.width - 2 && box.y + LINE <= this.height - 2
        && !this.taken.some((other) => overlap(box, other));
      const last = this.last.get(label.key) ?? 0;
      const chosen = free(boxes[last]) ? last : boxes.findIndex(free);
      if (chosen < 0) continue;
      this.last.set(label.key, chosen);
      const box = boxes[chosen];
      this.taken.push(box);
      if (chosen >= 6) this.leader(ctx, label, box);
      haloText(ctx, label.text, box.x, box.y + LINE / 2, label.colour);
    }
  }

  /** A thin line from a label that stands apart to its point. */
  private leader(ctx: CanvasRenderingContext2D, label: Label, box: Box): void {
    ctx.strokeStyle = label.colour;
    ctx.lineWidth = 0.8;
    ctx.beginPath();
    ctx.moveTo(label.x, label.y);
    ctx.lineTo(Math.min(Math.max(label.x, box.x), box.x + box.width), box.y > label.y ? box.y : box.y + box.height);
    ctx.stroke();
  }

  private project(camera: Camera, place: Vector3): { x: number; y: number } {
    const p = place.clone().project(camera);
    return { x: ((p.x + 1) / 2) * this.width, y: ((1 - p.y) / 2) * this.height };
  }
}
