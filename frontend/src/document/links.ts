/** What a scene is showing now. */
export interface SceneState { mode: number; phase: number; time: number; playing: boolean }

/** What other blocks and the page's hooks may do with a scene. */
export interface SceneControl {
  readonly id: string;
  state(): SceneState;
  showMode(index: number): void;
  setPhase(radians: number): void;
  setTime(seconds: number): void;
  play(): void;
  pause(): void;
  scrollIntoView(): void;
}

type Listener = (state: SceneState) => void;

/** Connects the plots of a document with its scenes, in whichever order they were created. */
export class Links {
  readonly scenes = new Map<string, SceneControl>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly endings: (() => void)[] = [];

  register(scene: SceneControl): void {
    this.scenes.set(scene.id, scene);
  }

  listen(scene: string, listener: Listener): void {
    const listeners = this.listeners.get(scene) ?? new Set();
    listeners.add(listener);
    this.listeners.set(scene, listeners);
  }

  /** Have something done when the document is no longer shown. */
  atEnd(action: () => void): void {
    this.endings.push(action);
  }

  /** Give back what the blocks hold outside the page: listeners and graphics memory. */
  dispose(): void {
    for (const action of this.endings.splice(0)) action();
    this.scenes.clear();
    this.listeners.clear();
  }

  /** To be called by a scene after each change of what it shows. */
  notify(scene: string): void {
    const control = this.scenes.get(scene);
    if (control) for (const listener of this.listeners.get(scene) ?? []) listener(control.state());
  }
}
