import { toggleTheme } from "../ui/theme";
import type { Links, SceneControl } from "./links";

/** What a page offers to scripts and browser tests. */
export interface Hooks {
  ready: boolean;
  error: string | null;
  scenes: Record<string, SceneControl>;
  setPhase(scene: string, radians: number): void;
  setTime(scene: string, seconds: number): void;
  showMode(scene: string, index: number): void;
  currentMode(scene: string): number | null;
  toggleTheme(): void;
}

declare global {
  interface Window { flexframe: Hooks }
}

/** The hooks of this page. */
export function installHooks(): Hooks {
  const hooks: Hooks = {
    ready: false,
    error: null,
    scenes: {},
    setPhase: (scene, radians) => hooks.scenes[scene]?.setPhase(radians),
    setTime: (scene, seconds) => hooks.scenes[scene]?.setTime(seconds),
    showMode: (scene, index) => hooks.scenes[scene]?.showMode(index),
    currentMode: (scene) => hooks.scenes[scene]?.state().mode ?? null,
    toggleTheme,
  };
  window.flexframe = hooks;
  return hooks;
}

/** Offer the scenes of the document that is shown now. */
export function offerScenes(links: Links): void {
  window.flexframe.scenes = Object.fromEntries(links.scenes);
}
