import { OrthographicCamera, PerspectiveCamera, Quaternion, Vector3, type Camera } from "three";
import { clamp } from "../ui/dom";

const FIELD_OF_VIEW = (28 * Math.PI) / 180;

export type ViewName = "corner" | "+x" | "-x" | "+y" | "-y" | "+z" | "-z";

/** Camera axes (right, up) of the standard views; the camera looks along −(right × up). */
const VIEWS: Record<Exclude<ViewName, "corner">, [number[], number[]]> = {
  "+x": [[0, 1, 0], [0, 0, 1]],
  "-x": [[0, -1, 0], [0, 0, 1]],
  "+y": [[-1, 0, 0], [0, 0, 1]],
  "-y": [[1, 0, 0], [0, 0, 1]],
  "+z": [[1, 0, 0], [0, 1, 0]],
  "-z": [[-1, 0, 0], [0, 1, 0]],
};

/** An orbiting camera: orientation, the point looked at, and half the height seen there. */
export class Orbit {
  readonly target = new Vector3();
  readonly orientation = new Quaternion();
  halfHeight = 1;
  perspective = false;
  private readonly upAxis: Vector3;
  private readonly orthographicCamera = new OrthographicCamera();
  private readonly perspectiveCamera = new PerspectiveCamera();

  constructor(private readonly planar: boolean) {
    this.upAxis = planar ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
    this.perspective = !planar;
    this.look(planar ? "+z" : "corner");
  }

  look(view: ViewName): void {
    if (view === "corner") {
      if (this.planar) {
        this.orientation.setFromAxisAngle(new Vector3(0, 1, 0), 0.6).multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -0.45));
        return;
      }
      // Looking down on x and y from the front right, z upwards.
      const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), 0.65);
      this.orientation.copy(turn).multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), 1.08));
      return;
    }
    const [right, up] = VIEWS[view].map((v) => new Vector3(...v));
    const back = new Vector3().crossVectors(right, up);
    this.orientation.setFromRotationMatrix(this.orthographicCamera.matrix.makeBasis(right, up, back));
  }

  /** Turn by a drag in radians: sideways about the upright axis, up and down about the camera's own. */
  turn(dx: number, dy: number): void {
    this.orientation.premultiply(new Quaternion().setFromAxisAngle(this.upAxis, -dx));
    this.orientation.multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -dy)).normalize();
  }

  /** Shift by a drag given in fractions of the height seen. */
  pan(dx: number, dy: number): void {
    const shift = new Vector3(-dx, dy, 0).multiplyScalar(2 * this.halfHeight).applyQuaternion(this.orientation);
    this.target.add(shift);
  }

  zoom(factor: number): void {
    this.halfHeight = clamp(this.halfHeight * factor, 1e-12, 1e12);
  }

  /** Show all of `points` (three numbers each), keeping the orientation. */
  fit(points: ArrayLike<number>, aspect: number, margin: number): void {
    const inverse = this.orientation.clone().invert();
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    const p = new Vector3();
    for (let i = 0; i < points.length; i += 3) {
      p.set(points[i], points[i + 1], points[i + 2]).applyQuaternion(inverse);
      low.min(p);
      high.max(p);
    }
    if (!(low.x <= high.x)) return;
    this.target.addVectors(low, high).multiplyScalar(0.5).applyQuaternion(this.orientation);
    const half = Math.max((high.y - low.y) / 2, (high.x - low.x) / 2 / aspect, 1e-9);
    // In perspective the near side looms larger: step back by half the depth.
    const depth = this.perspective ? ((high.z - low.z) / 2) * Math.tan(FIELD_OF_VIEW / 2) : 0;
    this.halfHeight = (half + depth) * margin;
  }

  /** The camera for a picture of the given aspect; `reach` is the radius of everything around the target. */
  camera(aspect: number, reach: number): { camera: Camera; pixelSize: (height: number) => number } {
    const back = new Vector3(0, 0, 1).applyQuaternion(this.orientation);
    if (this.perspective) {
      const camera = this.perspectiveCamera;
      const distance = this.halfHeight / Math.tan(FIELD_OF_VIEW / 2);
      camera.fov = (FIELD_OF_VIEW * 180) / Math.PI;
      camera.aspect = aspect;
      camera.near = Math.max(distance - 2 * reach, distance / 200);
      camera.far = distance + 2 * reach;
      this.place(camera, back, distance);
      camera.updateProjectionMatrix();
      return { camera, pixelSize: (height) => (2 * Math.tan(FIELD_OF_VIEW / 2)) / height };
    }
    const camera = this.orthographicCamera;
    [camera.top, camera.bottom] = [this.halfHeight, -this.halfHeight];
    [camera.right, camera.left] = [this.halfHeight * aspect, -this.halfHeight * aspect];
    [camera.near, camera.far] = [0, 4 * reach];
    this.place(camera, back, 2 * reach);
    camera.updateProjectionMatrix();
    return { camera, pixelSize: (height) => (2 * this.halfHeight) / height };
  }

  private place(camera: Camera, back: Vector3, distance: number): void {
    camera.quaternion.copy(this.orientation);
    camera.position.copy(this.target).addScaledVector(back, distance);
    camera.updateMatrixWorld();
  }
}

/** Pointer, wheel and keyboard on `element` move `orbit`; the wheel only once the scene has the focus. */
export function attachOrbit(element: HTMLElement, orbit: Orbit, changed: () => void, fit: () => void): void {
  const pointers = new Map<number, { x: number; y: number }>();
  element.addEventListener("pointerdown", (event) => {
    if (event.button > 2) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    element.setPointerCapture(event.pointerId);
  });
  const release = (event: PointerEvent) => pointers.delete(event.pointerId);
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    const height = element.clientHeight;
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)![1];
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (before > 0 && after > 0) orbit.zoom(before / after);
      orbit.pan(dx / 2 / height, dy / 2 / height);
    } else if (event.shiftKey || (event.buttons & 6) !== 0) orbit.pan(dx / height, dy / height);
    else orbit.turn((dx / height) * 3.2, (dy / height) * 3.2);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    changed();
  });
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("dblclick", fit);
  element.addEventListener("wheel", (event) => {
    if (document.activeElement !== element && !event.ctrlKey) return;
    event.preventDefault();
    orbit.zoom(Math.exp(clamp(event.deltaY, -120, 120) * 0.0016));
    changed();
  }, { passive: false });
  element.addEventListener("keydown", (event) => {
    const step = 0.12;
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) orbit.pan(arrow[0] / 2, arrow[1] / 2);
    else if (arrow) orbit.turn(...arrow);
    else if (event.key === "+" || event.key === "=") orbit.zoom(0.85);
    else if (event.key === "-") orbit.zoom(1 / 0.85);
    else if (event.key === "f" || event.key === "Home") fit();
    else return;
    event.preventDefault();
    changed();
  });
}
