import { formatNumber, powerOfTen } from "../ui/numbers";

/** Maps values of an axis to pixels, linearly or by logarithm. */
export interface Scale { low: number; high: number; log: boolean; start: number; end: number }

export function toPixel(scale: Scale, value: number): number {
  const t = scale.log
    ? Math.log(value / scale.low) / Math.log(scale.high / scale.low)
    : (value - scale.low) / (scale.high - scale.low);
  return scale.start + t * (scale.end - scale.start);
}

export function toValue(scale: Scale, pixel: number): number {
  const t = (pixel - scale.start) / (scale.end - scale.start);
  return scale.log ? scale.low * (scale.high / scale.low) ** t : scale.low + t * (scale.high - scale.low);
}

export interface Tick { value: number; label: string; minor: boolean }

/** Round tick values about `spacing` pixels apart. */
export function ticks(scale: Scale, spacing: number, unit: string): Tick[] {
  const count = Math.max(2, Math.abs(scale.end - scale.start) / spacing);
  const decades = scale.log ? Math.log10(scale.high / scale.low) : 0;
  if (scale.log && decades >= 1.2) return logTicks(scale, count, decades);
  const raw = (scale.high - scale.low) / count;
  const step = unit === "\u00b0" && raw > 10 ? angleStep(raw) : niceStep(raw);
  const halves = /[1-9].*[1-9]/.test(step.toPrecision(6).replace(/e.*/, "")) ? 1 : 0; // a step of 2.5 needs a digit more than one of 2
  const digits = Math.max(1, Math.ceil(Math.log10(Math.max(Math.abs(scale.low), Math.abs(scale.high)) / step)) + 1 + halves);
  const result: Tick[] = [];
  for (let i = Math.ceil(scale.low / step - 1e-9); i * step <= scale.high + 1e-9 * step; i++) {
    result.push({ value: i * step, label: formatNumber(i * step, digits), minor: false });
  }
  return result;
}

function logTicks(scale: Scale, count: number, decades: number): Tick[] {
  const stride = Math.max(1, Math.ceil(decades / count));
  const result: Tick[] = [];
  for (let decade = Math.floor(Math.log10(scale.low)); decade <= Math.ceil(Math.log10(scale.high)); decade++) {
    for (let digit = 1; digit < 10; digit++) {
      const value = digit * 10 ** decade;
      if (value < scale.low * (1 - 1e-9) || value > scale.high * (1 + 1e-9)) continue;
      const major = digit === 1 && decade % stride === 0;
      const labelled = major || (decades < 2.5 && (digit === 2 || digit === 5));
      if (digit === 1 || decades < 6) result.push({ value, label: labelled ? logLabel(digit, decade, scale) : "", minor: !major });
    }
  }
  return result;
}

/** 0.1 to 1000 written out if the whole axis allows it, else powers of ten. */
function logLabel(digit: number, decade: number, scale: Scale): string {
  if (scale.low >= 1e-3 && scale.high <= 1.01e5) return formatNumber(digit * 10 ** decade, 3);
  return digit === 1 ? powerOfTen(decade) : `${digit}\u00b7${powerOfTen(decade)}`;
}

function angleStep(raw: number): number {
  return [15, 30, 45, 60, 90, 180].find((step) => step >= raw) ?? 360 * Math.ceil(raw / 360);
}

function niceStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const ratio = raw / power;
  return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 2.5 ? 2.5 : ratio <= 5 ? 5 : 10);
}

const FLAT = 2e-5; // part of its size by which a curve changes that is as good as constant

/** Limits for an axis around data, from given limits where there are any. */
export function limits(
  values: Iterable<number>, options: { log: boolean; minimum: number | null; maximum: number | null; margin: number; zero: boolean },
): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (!Number.isFinite(v) || (options.log && v <= 0)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low > high) [low, high] = options.log ? [1, 10] : [0, 1];
  if (options.log) {
    if (low === high) [low, high] = [low / 2, high * 2];
    const factor = (high / low) ** options.margin;
    [low, high] = [low / factor, high * factor];
  } else {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (low === high || (options.zero && high - low < FLAT * size)) {
      const around = size * (low === high ? 0.1 : 100 * FLAT) || 1;
      [low, high] = [low - around, high + around];
    }
    const fromZero = options.zero && low >= 0 && low < 0.4 * high;
    const margin = options.margin * (high - low);
    [low, high] = [fromZero ? 0 : low - margin, high + margin];
  }
  return [options.minimum ?? low, options.maximum ?? high];
}

/** Value at `x` of the piecewise linear curve through (xs, ys), xs increasing; NaN outside. */
export function interpolate(xs: ArrayLike<number>, ys: ArrayLike<number>, x: number): number {
  const last = xs.length - 1;
  if (last < 0 || !(x >= xs[0] && x <= xs[last])) return NaN;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle] <= x) low = middle;
    else high = middle;
  }
  const span = xs[high] - xs[low];
  return span > 0 ? ys[low] + ((x - xs[low]) / span) * (ys[high] - ys[low]) : ys[low];
}
