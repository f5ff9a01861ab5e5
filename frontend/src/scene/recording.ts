// A scene as a film: a video where the browser can record one, and an animated GIF everywhere.
import { h } from "../ui/dom";
import { themeColour } from "../ui/theme";
import { encodeGif } from "./gif";

/** What a recording needs of a scene: its picture at a part of its course, and how long that lasts in seconds. */
export interface Film { canvas: HTMLCanvasElement; seconds: number; show(part: number): void }

const LARGEST_WIDTH = 640; // of a GIF, in pixels
const GIF_DELAY = 6; // hundredths of a second
const MOST_FRAMES = 120;
const PATIENCE = 60; // seconds that a recorder on a busy machine may take until its first piece comes
const TYPES = ["video/mp4;codecs=avc1.42E01E", "video/mp4", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** The first kind of video that the browser records, or null. */
export function videoType(): { mime: string; extension: "mp4" | "webm" } | null {
  if (typeof MediaRecorder === "undefined" || !("captureStream" in HTMLCanvasElement.prototype)) return null;
  const mime = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  return mime ? { mime, extension: mime.startsWith("video/mp4") ? "mp4" : "webm" } : null;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A canvas with the background of the page, onto which the picture is copied. */
function screen(film: Film, width: number): { canvas: HTMLCanvasElement; ctx: CanvasRenderingContext2D; copy(): void } {
  const canvas = h("canvas");
  canvas.width = 2 * Math.round(width / 2); // video wants even numbers
  canvas.height = 2 * Math.round((width * film.canvas.height) / film.canvas.width / 2);
  const ctx = canvas.getContext("2d", { willReadFrequently: true })!;
  const copy = () => {
    ctx.fillStyle = themeColour("canvas");
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(film.canvas, 0, 0, canvas.width, canvas.height);
  };
  return { canvas, ctx, copy };
}

/** One course of the scene in true playing time; its last picture stays until the recorder has given something. */
export async function recordVideo(film: Film, mime: string, progress: (part: number) => void): Promise<Blob> {
  film.show(0);
  const { canvas, copy } = screen(film, film.canvas.width);
  copy();
  const stream = canvas.captureStream(30);
  const recorder = new MediaRecorder(stream, { mimeType: mime, videoBitsPerSecond: 6_000_000 });
  const pieces: Blob[] = [];
  recorder.addEventListener("dataavailable", (event) => pieces.push(event.data));
  const stopped = new Promise<void>((resolve) => recorder.addEventListener("stop", () => resolve(), { once: true }));
  recorder.start(500);
  const begin = performance.now();
  for (let part = 0; part < 1;) {
    film.show(part);
    copy();
    progress(part);
    await pause(33);
    part = (performance.now() - begin) / 1000 / film.seconds;
  }
  const last = performance.now() + 1000 * PATIENCE;
  while (pieces.every((piece) => piece.size === 0) && performance.now() < last) {
    copy();
    await pause(33);
  }
  recorder.stop();
  await stopped;
  for (const track of stream.getTracks()) track.stop();
  const video = new Blob(pieces, { type: mime.split(";")[0] });
  if (video.size === 0) throw new Error("the browser recorded nothing; save a GIF");
  return video;
}

/** One course of the scene as an animated GIF that repeats. */
export async function recordGif(film: Film, progress: (part: number) => void): Promise<Blob> {
  const count = Math.min(MOST_FRAMES, Math.max(2, Math.round((100 * film.seconds) / GIF_DELAY)));
  film.show(0);
  const { canvas, ctx, copy } = screen(film, Math.min(LARGEST_WIDTH, film.canvas.width));
  const frames: Uint8ClampedArray[] = [];
  for (let i = 0; i < count; i++) {
    film.show(i / count);
    copy();
    frames.push(ctx.getImageData(0, 0, canvas.width, canvas.height).data);
    progress(i / count / 2);
    await pause(0);
  }
  const delay = Math.max(2, Math.round((100 * film.seconds) / count));
  return encodeGif({ width: canvas.width, height: canvas.height, frames, delay }, async (part) => {
    progress(0.5 + part / 2);
    await pause(0);
  });
}
