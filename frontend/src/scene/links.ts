// Springs, dampers and rods between two moving points, as lines.
import { Vector3 } from "three";
import type { Link } from "../document/types";

type Stroke = [number, number][]; // along, as a share of the length, and across, in widths

const COIL: Stroke = [[0, 0], [0.2, 0], ...Array.from({ length: 10 }, (_, k): [number, number] => [0.2 + 0.06 * (k + 0.5), k % 2 ? 1 : -1]), [0.8, 0], [1, 0]];
const DASHPOT: Stroke[] = [
  [[0, 0], [0.5, 0]], [[0.5, -0.7], [0.5, 0.7]], [[0.35, 1], [0.68, 1], [0.68, -1], [0.35, -1]], [[0.68, 0], [1, 0]],
];
const shifted = (strokes: Stroke[], across: number): Stroke[] => strokes.map((stroke) => stroke.map(([s, y]) => [s, y + across]));
const STROKES: Record<Link["form"], Stroke[]> = {
  rod: [[[0, 0], [1, 0]]],
  spring: [COIL],
  damper: DASHPOT,
  "spring and damper": [...shifted([COIL], 1.4), ...shifted(DASHPOT, -1.4), [[0, -1.4], [0, 1.4]], [[1, -1.4], [1, 1.4]]],
};

/** Pairs of points that are joined by lines. */
export function linkLines(form: Link["form"]): number[] {
  const pairs: number[] = [];
  let first = 0;
  for (const stroke of STROKES[form]) {
    for (let i = 0; i + 1 < stroke.length; i++) pairs.push(first + i, first + i + 1);
    first += stroke.length;
  }
  return pairs;
}

/** The points between two ends, three numbers each; `width` is half that of a coil. */
export function linkPoints(form: Link["form"], first: Vector3, second: Vector3, width: number): Float32Array {
  const along = new Vector3().subVectors(second, first);
  const length = along.length() || 1;
  const side = new Vector3(0, 0, 1).cross(along);
  if (side.length() < 1e-6 * length) side.set(1, 0, 0).cross(along);
  side.setLength(Math.min(width, 0.15 * length));
  const p = new Vector3();
  return Float32Array.from(STROKES[form].flatMap((stroke) =>
    stroke.flatMap(([s, y]) => p.copy(first).addScaledVector(along, s).addScaledVector(side, y).toArray())));
}
