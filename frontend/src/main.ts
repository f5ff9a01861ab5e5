import { decodeDocument } from "./document/decode";
import type { Links, SceneControl } from "./document/links";
import { renderDocument } from "./document/render";
import "./style/page.css";
import { h } from "./ui/dom";
import { startTheme, toggleTheme } from "./ui/theme";

/** What the page offers to scripts and browser tests. */
interface Hooks {
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

function start(): void {
  startTheme();
  const root = document.getElementById("flexframe-root")!;
  const data = document.getElementById("flexframe-document");
  try {
    const links: Links = renderDocument(root, decodeDocument(data?.textContent ?? ""));
    hooks.scenes = Object.fromEntries(links.scenes);
  } catch (error) {
    hooks.error = error instanceof Error ? error.message : String(error);
    root.replaceChildren(h("p", { class: "notice notice-error", role: "alert" },
      `This report cannot be shown: ${hooks.error}. Write it again with flexframe.`));
  }
  // Two frames: the first lays the page out, the second has drawn the visible scenes.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    hooks.ready = true;
    document.documentElement.dataset["flexframe"] = hooks.error === null ? "ready" : "failed";
  }));
}

start();
