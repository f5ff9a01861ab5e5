import { DataTexture, LinearFilter, RGBAFormat } from "three";

// Stops in OKLab (lightness, green–red, blue–yellow): lightness rises evenly, so the order of values is
// seen without a colour bar and in print; the diverging scale is darkest at both ends and pale at zero.
const SEQUENTIAL: [number, number, number][] = [
  [0.34, 0.02, -0.13], [0.45, -0.03, -0.13], [0.57, -0.085, -0.06], [0.68, -0.13, 0.02], [0.79, -0.11, 0.11], [0.92, -0.03, 0.17],
];
const DIVERGING: [number, number, number][] = [
  [0.42, -0.02, -0.15], [0.62, -0.04, -0.11], [0.93, 0, 0], [0.65, 0.12, 0.07], [0.45, 0.16, 0.08],
];

function okLabToBytes([l, a, b]: [number, number, number]): [number, number, number] {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  return linear.map((c) => {
    const bounded = Math.min(1, Math.max(0, c));
    return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
  }) as [number, number, number];
}

function sample(stops: [number, number, number][], t: number): [number, number, number] {
  const position = t * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(position));
  const f = position - i;
  return okLabToBytes([0, 1, 2].map((k) => stops[i][k] * (1 - f) + stops[i + 1][k] * f) as [number, number, number]);
}

export interface Palette { texture: DataTexture; css(t: number): string }

function palette(stops: [number, number, number][]): Palette {
  const bytes = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) bytes.set([...sample(stops, i / 255), 255], 4 * i);
  const texture = new DataTexture(bytes, 256, 1, RGBAFormat);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return { texture, css: (t) => `rgb(${sample(stops, t).join(" ")})` };
}

export const sequentialPalette = palette(SEQUENTIAL);
export const divergingPalette = palette(DIVERGING);
