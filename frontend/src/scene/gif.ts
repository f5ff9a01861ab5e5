// Animated pictures in the format GIF 89a: one palette of 256 colours for all frames, packed by LZW.

/** A moving picture: pixels of its frames as red, green, blue, alpha. */
export interface Frames { width: number; height: number; frames: Uint8ClampedArray[]; /** Between frames, in hundredths of a second. */ delay: number }

const COLOURS = 256;
const BITS = 5; // of each of red, green, blue that colours are told apart by
const LEVELS = 1 << (3 * BITS);

function bin(pixels: ArrayLike<number>, i: number): number {
  return ((pixels[i] >> 3) << 10) | ((pixels[i + 1] >> 3) << 5) | (pixels[i + 2] >> 3);
}

/** How often each colour occurs, from a part of the pixels. */
function histogram(frames: Uint8ClampedArray[]): Uint32Array {
  const counts = new Uint32Array(LEVELS);
  const stride = 4 * Math.max(1, Math.floor((frames.length * frames[0].length) / 4 / 1_500_000));
  for (const frame of frames) for (let i = 0; i < frame.length; i += stride) counts[bin(frame, i)]++;
  return counts;
}

const channel = (colour: number, k: number) => (colour >> (10 - 5 * k)) & 31;

/** Median cut: boxes of colours are halved along their longest side until there are as many as the palette has. */
export function palette(frames: Uint8ClampedArray[]): { bytes: Uint8Array; index: Uint8Array } {
  const counts = histogram(frames);
  const used = Array.from(counts.keys()).filter((colour) => counts[colour] > 0);
  const spread = (box: number[]) => [0, 1, 2].map((k) => {
    const values = box.map((colour) => channel(colour, k));
    return Math.max(...values) - Math.min(...values);
  });
  const boxes = [{ colours: used, weight: 1, sides: spread(used) }];
  while (boxes.length < COLOURS) {
    let best = -1;
    boxes.forEach((box, i) => {
      if (box.colours.length > 1 && (best < 0 || box.weight * Math.max(...box.sides) > boxes[best].weight * Math.max(...boxes[best].sides))) best = i;
    });
    if (best < 0) break;
    const { colours, sides } = boxes[best];
    const k = sides.indexOf(Math.max(...sides));
    colours.sort((a, b) => channel(a, k) - channel(b, k));
    const total = colours.reduce((sum, colour) => sum + counts[colour], 0);
    let [cut, sum] = [0, 0];
    while (cut < colours.length - 1 && (cut === 0 || sum < total / 2)) sum += counts[colours[cut++]];
    const halves = [colours.slice(0, cut), colours.slice(cut)];
    boxes.splice(best, 1, ...halves.map((half) => ({
      colours: half, sides: spread(half), weight: Math.cbrt(half.reduce((n, colour) => n + counts[colour], 0)),
    })));
  }
  const bytes = new Uint8Array(3 * COLOURS);
  const index = new Uint8Array(LEVELS);
  boxes.forEach((box, i) => {
    const weight = box.colours.reduce((n, colour) => n + counts[colour], 0) || 1;
    for (let k = 0; k < 3; k++) {
      const mean = box.colours.reduce((n, colour) => n + counts[colour] * channel(colour, k), 0) / weight;
      bytes[3 * i + k] = Math.round((mean * 255) / 31);
    }
    for (const colour of box.colours) index[colour] = i;
  });
  fillRest(counts, bytes, boxes.length, index);
  return { bytes, index };
}

/** Colours that the sampled pixels had not get the nearest entry. */
function fillRest(counts: Uint32Array, bytes: Uint8Array, entries: number, index: Uint8Array): void {
  for (let colour = 0; colour < LEVELS; colour++) {
    if (counts[colour]) continue;
    let nearest = Infinity;
    for (let i = 0; i < entries; i++) {
      let distance = 0;
      for (let k = 0; k < 3; k++) distance += (bytes[3 * i + k] - (channel(colour, k) * 255) / 31) ** 2;
      if (distance < nearest) [nearest, index[colour]] = [distance, i];
    }
  }
}

/** Codes of growing width over strings of pixels that were seen before (LZW with 8-bit symbols). */
export function compress(pixels: Uint8Array): Uint8Array {
  const [clear, end, most] = [256, 257, 4096];
  const out: number[] = [];
  let [buffer, bits, width, next] = [0, 0, 9, 258];
  let known = new Map<number, number>(); // prefix × 256 + symbol to its code
  const put = (code: number) => {
    buffer |= code << bits;
    bits += width;
    while (bits >= 8) {
      out.push(buffer & 255);
      buffer >>>= 8;
      bits -= 8;
    }
  };
  put(clear);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const key = prefix * 256 + pixels[i];
    const code = known.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    prefix = pixels[i];
    if (next < most) {
      known.set(key, next);
      if (next === 1 << width) width++;
      next++;
    } else {
      put(clear);
      known = new Map();
      [width, next] = [9, 258];
    }
  }
  put(prefix);
  if (next === 1 << width && width < 12) width++; // as the reader's table grows with the last string
  put(end);
  if (bits > 0) out.push(buffer & 255);
  return Uint8Array.from(out);
}

/** The file: frames that follow each other for ever. `step` is called after each frame. */
export async function encodeGif({ width, height, frames, delay }: Frames, step: (part: number) => Promise<void>): Promise<Blob> {
  const short = (n: number) => [n & 255, n >> 8];
  const text = (words: string) => [...words].map((letter) => letter.charCodeAt(0));
  const { bytes, index } = palette(frames);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const add = (...numbers: number[]) => parts.push(Uint8Array.from(numbers));
  add(...text("GIF89a"), ...short(width), ...short(height), 0xf7, 0, 0);
  parts.push(Uint8Array.from(bytes));
  add(0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  for (let f = 0; f < frames.length; f++) {
    add(0x21, 0xf9, 4, 0, ...short(delay), 0, 0, 0x2c, 0, 0, 0, 0, ...short(width), ...short(height), 0, 8);
    const pixels = new Uint8Array(width * height);
    for (let i = 0; i < pixels.length; i++) pixels[i] = index[bin(frames[f], 4 * i)];
    const packed = compress(pixels);
    for (let i = 0; i < packed.length; i += 255) {
      const piece = packed.subarray(i, i + 255);
      add(piece.length);
      parts.push(Uint8Array.from(piece));
    }
    add(0);
    await step((f + 1) / frames.length);
  }
  add(0x3b);
  return new Blob(parts, { type: "image/gif" });
}
