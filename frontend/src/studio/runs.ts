// The runs of the workspace, kept up to date by asking for them.
import { api, Refusal, type Run } from "./api";

const WHILE_ACTIVE = 400; // milliseconds between questions
const AT_REST = 4000;

type Listener = (runs: Run[]) => void;

export function isActive(run: Run): boolean {
  return run.status === "queued" || run.status === "running";
}

class RunList {
  runs: Run[] = [];
  /** Why the last question was not answered: no server, or one that does not know this page. */
  trouble: "" | "silent" | "stranger" = "";
  private readonly listeners = new Set<Listener>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Hear of every answer, until the returned function is called. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    listener(this.runs);
    return () => this.listeners.delete(listener);
  }

  /** Ask now, and go on asking. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.runs = await api.runs();
      this.trouble = "";
    } catch (error) {
      const status = error instanceof Refusal ? error.status : -1;
      this.trouble = status === 0 ? "silent" : status === 401 ? "stranger" : "";
    }
    for (const listener of [...this.listeners]) listener(this.runs);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), this.runs.some(isActive) && !document.hidden ? WHILE_ACTIVE : AT_REST);
  }

  async start(name: string, text: string): Promise<Run> {
    const run = await api.run(name, text);
    await this.refresh();
    return run;
  }

  async cancel(id: string): Promise<void> {
    await api.cancel(id);
    await this.refresh();
  }

  async resume(id: string): Promise<void> {
    await api.resume(id);
    await this.refresh();
  }

  async remove(id: string): Promise<void> {
    await api.remove(id);
    await this.refresh();
  }

  find(id: string): Run | undefined {
    return this.runs.find((run) => run.id === id);
  }

  latestOf(name: string): Run | undefined {
    return this.runs.find((run) => run.case === name);
  }
}

export const runList = new RunList();
