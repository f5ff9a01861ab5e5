import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { ForceArrow } from "../document/types";
import { formatNumber } from "../ui/numbers";
import { resolveColour } from "../ui/theme";
import { interpolateVector, type Instant } from "./content";

const SHAFT = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
const HEAD = new ConeGeometry(1, 1, 14).translate(0, 0.5, 0);
const UP = new Vector3(0, 1, 0);
for (const geometry of [SHAFT, HEAD]) geometry.userData["shared"] = true;

/** Arrows of a history, drawn over the bodies; the longest of all times has the length given to `update`. */
export class Arrows {
  readonly group = new Group();
  readonly labels: { place: Vector3; text: string; colour: string; key: string }[] = [];
  private readonly items: { arrow: ForceArrow; shaft: Mesh; head: Mesh; material: MeshBasicMaterial; index: number }[];
  private readonly largest: number;

  constructor(arrows: ForceArrow[]) {
    let largest = 0;
    this.items = arrows.map((arrow, index) => {
      const v = arrow.vectors.values;
      for (let i = 0; i < v.length; i += 3) largest = Math.max(largest, Math.hypot(v[i], v[i + 1], v[i + 2]));
      const material = new MeshBasicMaterial({ depthTest: false, transparent: true });
      const [shaft, head] = [new Mesh(SHAFT, material), new Mesh(HEAD, material)];
      shaft.renderOrder = head.renderOrder = 3;
      shaft.frustumCulled = head.frustumCulled = false;
      this.group.add(shaft, head);
      return { arrow, shaft, head, material, index };
    });
    this.largest = largest || 1;
  }

  /** Tips of all arrows at all times, three numbers each, when the longest has the length `longest`. */
  tips(longest: number): number[] {
    const tips: number[] = [];
    for (const { arrow } of this.items) {
      const [origins, vectors] = [arrow.origins.values, arrow.vectors.values];
      for (let i = 0; i < vectors.length; i++) {
        const tip = origins[i] + (vectors[i] / this.largest) * longest;
        tips.push(Number.isFinite(tip) ? tip : origins[i]);
      }
    }
    return tips;
  }

  /** Arrows at an instant; `longest` is their greatest length and `pixel` the size of a pixel, in the scene. */
  update(instant: Instant, longest: number, pixel: number): void {
    this.labels.length = 0;
    for (const { arrow, shaft, head, material, index } of this.items) {
      const colour = resolveColour(arrow.colour || "red", index);
      material.color.set(colour);
      const origin = interpolateVector(arrow.origins, instant, new Vector3());
      const vector = interpolateVector(arrow.vectors, instant, new Vector3());
      const size = vector.length();
      const length = (size / this.largest) * longest;
      const visible = length > 2 * pixel && Number.isFinite(length);
      shaft.visible = head.visible = visible;
      if (!visible) continue;
      const direction = vector.divideScalar(size);
      const turn = new Quaternion().setFromUnitVectors(UP, direction);
      const headLength = Math.min(14 * pixel, 0.6 * length);
      for (const mesh of [shaft, head]) mesh.quaternion.copy(turn);
      shaft.position.copy(origin);
      shaft.scale.set(1.5 * pixel, length - 0.8 * headLength, 1.5 * pixel);
      head.position.copy(origin).addScaledVector(direction, length - headLength);
      head.scale.set(0.36 * headLength, headLength, 0.36 * headLength);
      this.labels.push({
        place: origin.clone().addScaledVector(direction, length), colour, key: `arrow ${index}`,
        text: `${arrow.label} ${formatNumber(size, 3)} ${arrow.unit}`,
      });
    }
  }
}
