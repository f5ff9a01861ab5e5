// What a scene shows at a given mode and phase, or time: pure functions of the document's arrays.
import { Quaternion, Vector3 } from "three";
import type { History, NumericArray, Part, Scene } from "../document/types";
import type { NodalData } from "./body";

export interface Limits { low: number; high: number }
export interface Instant { index: number; next: number; fraction: number }

/** Where `time` lies between the instants of a history. */
export function instantAt(times: ArrayLike<number>, time: number): Instant {
  const last = times.length - 1;
  if (!(time > times[0])) return { index: 0, next: Math.min(1, last), fraction: 0 };
  if (time >= times[last]) return { index: last, next: last, fraction: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return { index: low, next: high, fraction: (time - times[low]) / (times[high] - times[low]) };
}

/** Row `index` of an array, as a view. */
export function row(array: NumericArray | null, index: number): Float32Array | null {
  if (!array) return null;
  const width = array.values.length / array.shape[0];
  return array.values.subarray(index * width, (index + 1) * width) as Float32Array;
}

/** Nodes of a part, then the vertices of its skin: three numbers each. */
export function vertices(part: Part): Float32Array {
  const nodes = part.nodes.values as Float32Array;
  if (!part.skin) return nodes;
  const [followed, offsets] = [part.skin.nodes.values, part.skin.offsets.values];
  const all = new Float32Array(nodes.length + offsets.length);
  all.set(nodes);
  for (let i = 0; i < offsets.length; i++) all[nodes.length + i] = nodes[3 * followed[(i / 3) | 0] + (i % 3)] + offsets[i];
  return all;
}

/** Displacements of all vertices; those of a skin follow their node as rigid arms, u + (R(θ) − 1) d, in modes u + θ × d. */
export function displaced(part: Part, values: Float32Array | null, finite: boolean): Float32Array | null {
  if (!values || !part.skin) return values;
  const [followed, offsets] = [part.skin.nodes.values, part.skin.offsets.values];
  const count = values.length / 6;
  const all = new Float32Array(3 * count + offsets.length);
  for (let n = 0; n < count; n++) all.set(values.subarray(6 * n, 6 * n + 3), 3 * n);
  for (let v = 0; v < followed.length; v++) {
    const [n, d, to] = [6 * followed[v], 3 * v, 3 * (count + v)];
    const [x, y, z] = [offsets[d], offsets[d + 1], offsets[d + 2]];
    const [rx, ry, rz] = [values[n + 3], values[n + 4], values[n + 5]];
    const once = [ry * z - rz * y, rz * x - rx * z, rx * y - ry * x];
    const angle = finite ? Math.hypot(rx, ry, rz) : 0;
    // (R − 1) d = (sin φ/φ) θ × d + ½ (sin(φ/2)/(φ/2))² θ × (θ × d)
    const a = angle > 0 ? Math.sin(angle) / angle : 1;
    const b = angle > 0 ? 2 * (Math.sin(angle / 2) / angle) ** 2 : 0;
    all[to] = values[n] + a * once[0] + b * (ry * once[2] - rz * once[1]);
    all[to + 1] = values[n + 1] + a * once[1] + b * (rz * once[0] - rx * once[2]);
    all[to + 2] = values[n + 2] + a * once[2] + b * (rx * once[1] - ry * once[0]);
  }
  return all;
}

/** Rotation by a rotation vector at `at`. */
function turn(values: ArrayLike<number>, at: number, result: Quaternion): Quaternion {
  const angle = Math.hypot(values[at], values[at + 1], values[at + 2]);
  const ratio = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  return result.set(ratio * values[at], ratio * values[at + 1], ratio * values[at + 2], Math.cos(angle / 2));
}

/**
 * Displacements between two instants: along the cubic through the instants around them, so that arcs keep their length,
 * and with rotations that turn evenly the shorter way, so that sections keep their shape.
 */
export function between(array: NumericArray, times: ArrayLike<number>, instant: Instant): Float32Array {
  const { index, next, fraction: f } = instant;
  const [a, b] = [row(array, index)!, row(array, next)!];
  if (f === 0 || index === next) return a;
  const last = times.length - 1;
  const [before, after] = [Math.max(index - 1, 0), Math.min(next + 1, last)];
  const [p, q] = [row(array, before)!, row(array, after)!];
  const step = times[next] - times[index];
  const width = array.shape[array.shape.length - 1];
  const [h1, h2, h3, h4] = [1 - 3 * f ** 2 + 2 * f ** 3, f * (1 - f) ** 2, 3 * f ** 2 - 2 * f ** 3, f ** 2 * (f - 1)];
  const mixed = new Float32Array(a.length);
  const [from, to] = [new Quaternion(), new Quaternion()];
  for (let n = 0; n < a.length; n += width) {
    for (let i = n; i < n + 3; i++) {
      const chord = (b[i] - a[i]) / step;
      const start = before < index ? slope(p[i], a[i], b[i], times[index] - times[before], step) : chord;
      const stop = after > next ? slope(a[i], b[i], q[i], step, times[after] - times[next]) : chord;
      mixed[i] = h1 * a[i] + h3 * b[i] + step * (h2 * start + h4 * stop);
    }
    if (width < 6) continue;
    turn(a, n + 3, from).slerp(turn(b, n + 3, to), f);
    if (from.w < 0) from.set(-from.x, -from.y, -from.z, -from.w);
    const sine = Math.hypot(from.x, from.y, from.z);
    const ratio = sine > 0 ? (2 * Math.atan2(sine, from.w)) / sine : 2;
    mixed.set([ratio * from.x, ratio * from.y, ratio * from.z], n + 3);
  }
  return mixed;
}

/** Slope at the middle of three values of the parabola through them. */
function slope(a: number, b: number, c: number, left: number, right: number): number {
  return (((b - a) / left) * right + ((c - b) / right) * left) / (left + right);
}

/** Displacements of part `part`: real and imaginary part of a mode, or two instants of a history. */
function displacements(scene: Scene, part: number, instant: Instant): [Float32Array | null, Float32Array | null] {
  const { content } = scene;
  const own = scene.parts[part];
  if (content.kind === "History") {
    const { displacements: all } = content.motions[part];
    if (all && scene.true_size) {
      const shape = displaced(own, between(all, content.times.values, instant), true);
      return [shape, shape];
    }
    return [displaced(own, row(all, instant.index), true), displaced(own, row(all, instant.next), true)];
  }
  if (content.kind === "Modes") {
    const shape = content.modes[instant.index]?.displacement[part];
    return [displaced(own, (shape?.values as Float32Array | undefined) ?? null, false), displaced(own, shape?.imaginary ?? null, false)];
  }
  const shape = content.displacement[part];
  return [displaced(own, (shape?.values as Float32Array | undefined) ?? null, true), null];
}

/** Values of field number `field` on a part; a field of one dimension is the same throughout. */
function fieldValues(scene: Scene, field: number, part: number, index: number): Float32Array | null {
  const values = scene.fields[field]?.values[part] ?? null;
  const own = !values || values.shape.length === 1 ? values && (values.values as Float32Array) : row(values, index);
  const { skin } = scene.parts[part];
  if (!own || !skin) return own;
  const all = new Float32Array(own.length + skin.nodes.values.length);
  all.set(own);
  skin.nodes.values.forEach((node, v) => (all[own.length + v] = own[node]));
  return all;
}

/** Everything the card needs for a part; `field` −1 for none. */
export function nodalData(scene: Scene, part: number, instant: Instant, field: number): NodalData {
  const [u0, u1] = displacements(scene, part, instant);
  return { u0, u1, f0: fieldValues(scene, field, part, instant.index), f1: fieldValues(scene, field, part, instant.next) };
}

export function hasDisplacement(scene: Scene, part: number): boolean {
  const { content } = scene;
  if (content.kind === "History") return content.motions[part].displacements !== null;
  if (content.kind === "StaticShape") return content.displacement[part] !== null;
  return content.modes.some((mode) => mode.displacement[part] !== null);
}

/** Largest |Re(u e^{iφ})| over the nodes and all phases: the long half-axis of each node's ellipse. */
export function largestAmplitude(real: ArrayLike<number>, imaginary: ArrayLike<number> | null): number {
  let largest = 0;
  for (let i = 0; i < real.length; i += 3) {
    const [a, b, c] = [real[i], real[i + 1], real[i + 2]];
    let squared = a * a + b * b + c * c;
    if (imaginary) {
      const [p, q, r] = [imaginary[i], imaginary[i + 1], imaginary[i + 2]];
      const other = p * p + q * q + r * r;
      squared = (squared + other) / 2 + Math.hypot((squared - other) / 2, a * p + b * q + c * r);
    }
    if (squared > largest) largest = squared;
  }
  return Math.sqrt(largest);
}

/** Largest displacement of mode `index`, or of the whole history or static shape. */
export function largestDisplacement(scene: Scene, index: number): number {
  let largest = 0;
  scene.parts.forEach((_, part) => {
    if (scene.parts[part].symbol) return;
    if (scene.content.kind === "History") {
      const { displacements: all } = scene.content.motions[part];
      for (let i = 0; all && i < all.shape[0]; i++) largest = Math.max(largest, largestAmplitude(displaced(scene.parts[part], row(all, i), true)!, null));
    } else {
      const [real, imaginary] = displacements(scene, part, { index, next: index, fraction: 0 });
      if (real) largest = Math.max(largest, largestAmplitude(real, imaginary));
    }
  });
  return largest;
}

/** Limits of a field: those of the mode shown, or of a whole history. */
export function fieldLimits(scene: Scene, field: number, index: number): Limits {
  let [low, high] = [Infinity, -Infinity];
  scene.parts.forEach((_, part) => {
    const all = scene.content.kind === "History" ? (scene.fields[field].values[part]?.values ?? null) : fieldValues(scene, field, part, index);
    if (!all) return;
    for (let i = 0; i < all.length; i++) {
      if (all[i] < low) low = all[i];
      if (all[i] > high) high = all[i];
    }
  });
  if (low > high) return { low: 0, high: 1 };
  if (low < 0 && high > 0) {
    const bound = Math.max(-low, high);
    return { low: -bound, high: bound };
  }
  return low < high ? { low, high } : { low: Math.min(low, 0), high: high > 0 ? high : low === 0 ? 1 : 0 };
}

/** Position and rotation of a part at an instant. */
export function pose(history: History, part: number, instant: Instant, position: Vector3, rotation: Quaternion): void {
  const motion = history.motions[part];
  position.set(0, 0, 0);
  rotation.identity();
  if (motion.positions) interpolateVector(motion.positions, instant, position);
  if (motion.rotations) {
    const q = motion.rotations.values;
    const at = (i: number) => new Quaternion(q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], q[4 * i]).normalize();
    rotation.slerpQuaternions(at(instant.index), at(instant.next), instant.fraction);
  }
}

export function interpolateVector(array: NumericArray, instant: Instant, result: Vector3): Vector3 {
  const v = array.values;
  const [a, b, f] = [3 * instant.index, 3 * instant.next, instant.fraction];
  return result.set(v[a] + f * (v[b] - v[a]), v[a + 1] + f * (v[b + 1] - v[a + 1]), v[a + 2] + f * (v[b + 2] - v[a + 2]));
}

function nodeBox(values: ArrayLike<number>): { low: Vector3; high: Vector3 } {
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = new Vector3(-Infinity, -Infinity, -Infinity);
  const p = new Vector3();
  for (let i = 0; i < values.length; i += 3) {
    p.set(values[i], values[i + 1], values[i + 2]);
    low.min(p);
    high.max(p);
  }
  return { low, high };
}

/** Size of the largest part that deforms (or of the largest part): diagonal of its box. */
export function bodySize(scene: Scene): number {
  const bodies = scene.parts.filter((part) => !part.symbol);
  const deforming = scene.parts.filter((part, i) => !part.symbol && hasDisplacement(scene, i));
  const sizes = (deforming.length ? deforming : bodies).map((part) => {
    const { low, high } = nodeBox(part.nodes.values);
    return high.distanceTo(low);
  });
  return Math.max(...sizes.filter(Number.isFinite), 0) || 1;
}

/** Points that together span everything the scene will show, for fitting the view. */
export function extentPoints(scene: Scene): number[] {
  const points: number[] = [];
  const { content } = scene;
  if (content.kind !== "History") {
    for (const part of scene.parts) {
      const values = vertices(part);
      const { low, high } = nodeBox(values);
      // A thinned cloud of nodes; the box keeps it honest where thinning missed a corner.
      const stride = 3 * Math.max(1, Math.floor(values.length / 3 / 2000));
      for (let i = 0; i < values.length; i += stride) points.push(values[i], values[i + 1], values[i + 2]);
      if (stride > 3) points.push(...low.toArray().map((v, k) => (v + high.getComponent(k)) / 2));
    }
    return points;
  }
  const count = content.times.values.length;
  const stride = Math.max(1, Math.floor(count / 72));
  const position = new Vector3();
  const rotation = new Quaternion();
  scene.parts.forEach((part, index) => {
    const { low, high } = nodeBox(vertices(part));
    const moved = scene.true_size ? content.motions[index].displacements : null;
    for (let i = 0; i < count; i += stride) {
      pose(content, index, { index: i, next: i, fraction: 0 }, position, rotation);
      if (moved) {
        points.push(...deformedPoints(part, row(moved, i)!, position, rotation));
        if (count > 1) continue; // else the undeformed shape is shown as well
      }
      for (let corner = 0; corner < 8; corner++) {
        const p = new Vector3(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z);
        points.push(...p.applyQuaternion(rotation).add(position).toArray());
      }
    }
  });
  for (const trace of content.traces) points.push(...trace.points.values);
  for (const link of content.links) points.push(...link.first.values, ...link.second.values);
  return points;
}

/** Some nodes of a part in their true places: at most about a hundred, the last among them. */
function deformedPoints(part: Part, values: Float32Array, position: Vector3, rotation: Quaternion): number[] {
  const nodes = part.nodes.values;
  const count = nodes.length / 3;
  const width = values.length / count;
  const stride = Math.max(1, Math.floor(count / 100));
  const points: number[] = [];
  for (let k = count - 1; k >= 0; k -= stride) {
    const [n, u] = [3 * k, width * k];
    const p = new Vector3(nodes[n] + values[u], nodes[n + 1] + values[u + 1], nodes[n + 2] + values[u + 2]);
    points.push(...p.applyQuaternion(rotation).add(position).toArray());
  }
  return points;
}

/** Whether bodies and their motion stay in a plane z = const. */
export function isPlanar(scene: Scene): boolean {
  const size = bodySize(scene);
  const flat = (values: ArrayLike<number>, tolerance: number) => {
    for (let i = 2; i < values.length; i += 3) if (Math.abs(values[i] - values[2]) > tolerance) return false;
    return true;
  };
  const still = (values: ArrayLike<number> | undefined, tolerance: number, columns: number) => {
    for (let i = 2; values && i < values.length; i += columns) if (Math.abs(values[i]) > tolerance) return false;
    return true;
  };
  if (!scene.parts.every((part) => part.symbol || flat(part.nodes.values, 1e-5 * size))) return false;
  const { content } = scene;
  if (content.kind === "History") {
    return content.motions.every((motion) => {
      const q = motion.rotations?.values;
      for (let i = 0; q && i < q.length; i += 4) if (Math.abs(q[i + 1]) > 1e-4 || Math.abs(q[i + 2]) > 1e-4) return false;
      return !motion.positions || flat(motion.positions.values, 1e-5 * size);
    });
  }
  const shapes = content.kind === "Modes" ? content.modes.map((mode) => mode.displacement) : [content.displacement];
  return shapes.every((shape, index) => {
    const largest = largestDisplacement(scene, index);
    return shape.every((u, i) => {
      const columns = u?.shape.at(-1) ?? 3;
      return scene.parts[i].symbol || (still(u?.values, 1e-4 * largest, columns) && still(u?.imaginary, 1e-4 * largest, columns));
    });
  });
}
