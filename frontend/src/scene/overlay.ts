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

/** A label beside a point in space. */
export function drawLabel(
  ctx: CanvasRenderingContext2D, camera: Camera, place: Vector3, text: string, colour: string, width: number, height: number,
): void {
  const p = place.clone().project(camera);
  if (Math.abs(p.x) > 1.2 || Math.abs(p.y) > 1.2) return;
  ctx.font = `600 11.5px ${FONT}`;
  ctx.textBaseline = "middle";
  const x = ((p.x + 1) / 2) * width;
  const fits = x + 8 + ctx.measureText(text).width <= width;
  ctx.textAlign = fits ? "left" : "right";
  haloText(ctx, text, fits ? x + 8 : x - 8, ((1 - p.y) / 2) * height - 8, colour);
}
