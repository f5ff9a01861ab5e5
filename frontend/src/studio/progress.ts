// How a run is going, as a line of text and a bar.
import { h, iconButton } from "../ui/dom";
import type { Run, Status } from "./api";
import { isActive, runList } from "./runs";

const WORDS: Record<Status, string> = {
  queued: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled", interrupted: "interrupted",
};

export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export function statusDot(status: Status): HTMLElement {
  return h("span", { class: `status-dot status-${status}`, title: WORDS[status] });
}

/** When a run was asked for: the time today, the date before. */
export function moment(seconds: number): string {
  const date = new Date(1000 * seconds);
  const today = new Date().toDateString() === date.toDateString();
  return today ? date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }) : date.toLocaleDateString([], { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** What a run is doing, in a few words. */
export function statusText(run: Run): string {
  const now = Date.now() / 1000;
  if (run.status === "queued") return "waiting for its turn";
  if (run.status === "running") {
    const what = run.total === 0 ? "reading the case" : run.current ? `${run.current} (${run.done + 1} of ${run.total})` : "writing results and report";
    const left = run.seconds_left === null ? "" : `, about ${duration(run.seconds_left)} to go`;
    return `${what}, ${duration(Math.max(0, now - (run.started ?? now)))}${left}`;
  }
  const took = run.started && run.ended ? ` after ${duration(run.ended - run.started)}` : "";
  return run.status === "done" ? `done in ${duration((run.ended ?? 0) - (run.started ?? 0))}` : `${WORDS[run.status]}${took}`;
}

/** Bar, text and a button to cancel; `update` shows a later state. */
export class ProgressStrip {
  readonly element = h("div", { class: "progress-strip", role: "status" });
  private readonly text = h("span", { class: "progress-text" });
  private readonly dot = h("span");
  private readonly fill = h("div", { class: "progress-fill" });
  private readonly bar = h("div", { class: "progress-bar" }, this.fill);
  private readonly cancel: HTMLButtonElement;
  private id = "";

  constructor() {
    this.cancel = iconButton("stop", "Cancel this run", () => void runList.cancel(this.id), "Cancel");
    this.cancel.classList.add("cancel");
    this.element.append(h("div", { class: "progress-line" }, this.dot, this.text, this.cancel), this.bar);
  }

  update(run: Run | undefined): void {
    this.element.hidden = run === undefined;
    if (!run) return;
    this.id = run.id;
    this.element.dataset["status"] = run.status;
    this.dot.replaceChildren(statusDot(run.status));
    this.text.textContent = statusText(run);
    this.cancel.hidden = !isActive(run);
    this.bar.hidden = !isActive(run);
    this.fill.style.width = `${(100 * run.fraction).toFixed(1)}%`;
  }
}
