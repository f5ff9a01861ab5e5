import { WebGLRenderer, type Camera, type Scene } from "three";

/** One WebGL context for all scenes of the page: browsers allow only a few, reports may have many. */
export interface Stage {
  /** WebGL runs on the processor: smoothing is then left to pictures that stand still. */
  readonly software: boolean;
  /** Draw `scene` over the whole of `target`, each pixel from `samples` × `samples` drawn ones; below 1 it is coarser. */
  draw(scene: Scene, camera: Camera, target: CanvasRenderingContext2D, samples: number): void;
}

let shared: Stage | null | undefined;

/** The stage, or null where the browser offers no WebGL. */
export function getStage(): Stage | null {
  if (shared === undefined) shared = createStage();
  return shared;
}

/** Whether WebGL is emulated; null without WebGL. */
function isSoftware(): boolean | null {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return null;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

function createStage(): Stage | null {
  const software = isSoftware();
  if (software === null) return null;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { antialias: !software, alpha: true, premultipliedAlpha: true });
  if (!context) return null;
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.setClearColor(0x000000, 0);
  renderer.setScissorTest(true);
  let [stageWidth, stageHeight] = [0, 0];
  return {
    software,
    draw(scene, camera, target, samples) {
      const [width, height] = [Math.ceil(target.canvas.width * samples), Math.ceil(target.canvas.height * samples)];
      // The whole stage is copied below: without a graphics card it should be no larger than what it shows.
      if (width > stageWidth || height > stageHeight || (software && (width < stageWidth || height < stageHeight))) {
        [stageWidth, stageHeight] = software ? [width, height] : [Math.max(width, stageWidth), Math.max(height, stageHeight)];
        renderer.setSize(stageWidth, stageHeight, false);
      }
      renderer.setViewport(0, 0, width, height);
      renderer.setScissor(0, 0, width, height);
      renderer.render(scene, camera);
      // "copy" replaces all that was there, by transparent pixels too.
      target.setTransform(1, 0, 0, 1, 0, 0);
      target.globalCompositeOperation = "copy";
      target.imageSmoothingQuality = samples > 1 ? "high" : "low";
      target.drawImage(canvas, 0, stageHeight - height, width, height, 0, 0, target.canvas.width, target.canvas.height);
      target.globalCompositeOperation = "source-over";
    },
  };
}
