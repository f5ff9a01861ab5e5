// What a run gave, drawn by the same code as a report.
import { offerScenes } from "../document/hooks";
import { Links } from "../document/links";
import { renderBody } from "../document/render";
import { h, iconButton } from "../ui/dom";
import { api, type Offer, type Problem, type Run } from "./api";
import { overlay } from "./overlay";
import { moment, ProgressStrip } from "./progress";
import { runList } from "./runs";
import { report } from "./shell";

const OFFERS: [Offer, string, string][] = [
  ["report", "Report", "The report as one HTML file that opens anywhere"],
  ["csv", "CSV", "Tables of every analysis"],
  ["vtk", "VTK", "Meshes and fields for ParaView"],
  ["netcdf", "netCDF", "Everything that was computed"],
];

/** Buttons that fetch the files of a finished run. */
export function downloads(id: string): HTMLElement {
  return h("span", { class: "downloads", role: "group", "aria-label": "Download" }, ...OFFERS.map(([offer, text, label]) => {
    const button = iconButton("download", label, () => void fetchOffer(), text);
    const fetchOffer = async () => {
      button.disabled = true;
      try {
        const { address } = await api.download(id, offer);
        h("a", { href: address, download: true }).click();
      } catch (error) {
        report(error);
      } finally {
        button.disabled = false;
      }
    };
    return button;
  }));
}

export function problemList(problems: Problem[], go?: (line: number) => void): HTMLElement {
  return h("ul", { class: "problems" }, ...problems.map(({ line, field, message }) => {
    const text = [
      line === null ? null : h("span", { class: "problem-line" }, `line ${line}`),
      field ? h("code", {}, field) : null, h("span", { class: "problem-message" }, message)];
    return h("li", {}, line !== null && go ? h("button", { type: "button", class: "problem", click: () => go(line) }, ...text) : h("div", { class: "problem" }, ...text));
  }));
}

/** Follows one run: its progress, then its report or why there is none. */
export class ResultPane {
  readonly element: HTMLElement;
  private readonly strip = new ProgressStrip();
  private readonly tools = h("div", { class: "result-tools" });
  private readonly body = h("div", { class: "result-body" });
  private links: Links | null = null;
  private shown = "";

  constructor(private readonly options: { listed: boolean; go?: (line: number) => void }) {
    this.element = h("div", { class: "result-pane" }, h("div", { class: "result-head" }, this.strip.element, this.tools), this.body);
  }

  update(run: Run | undefined): void {
    this.strip.update(run);
    const key = run ? `${run.id} ${run.status}` : "none";
    if (key === this.shown) return;
    this.shown = key;
    this.tools.replaceChildren();
    if (!run) {
      this.clear();
      this.body.replaceChildren(h("p", { class: "result-empty" }, "Run the case to see its results here."));
    } else if (run.status === "done") {
      this.tools.replaceChildren(this.chooser(run, key), downloads(run.id));
      void this.load(run, key);
    } else if (run.status === "queued" || run.status === "running") {
      if (this.links) return void this.element.classList.add("outdated"); // the earlier result stays until the new one is there
      this.body.replaceChildren(h("p", { class: "result-empty" }, "The results appear here when the run is done."));
    } else {
      this.clear();
      if (run.status !== "failed") this.tools.replaceChildren(h("span", { class: "downloads" },
        iconButton("play", "Go on with this run; long motions continue where they were", () => void runList.resume(run.id).catch(report), "Go on")));
      const lines = run.problems.some((problem) => problem.line !== null);
      this.body.replaceChildren(
        h("div", { class: run.status === "failed" ? "notice notice-error" : "notice" },
          h("span", { class: "notice-name" }, run.status),
          h("div", {}, lines ? problemList(run.problems, this.options.go) : run.message || "No message.")));
    }
  }

  /** Lets another finished run be laid over this one; the list is made when it is opened. */
  private chooser(run: Run, key: string): HTMLElement {
    const none = h("option", { value: "" }, "Lay over \u2026");
    const choice = h("select", { "aria-label": "Lay another run over this one", title: "Draw the curves of another run over those of this one",
      change: () => void this.load(run, key, runList.find(choice.value)) }, none);
    const fill = () => {
      const others = runList.runs.filter((other) => other.status === "done" && other.id !== run.id);
      const chosen = choice.value;
      choice.replaceChildren(none, ...others.map((other) => h("option", { value: other.id }, `${other.case}, ${moment(other.created)}`)));
      choice.value = others.some((other) => other.id === chosen) ? chosen : "";
    };
    choice.addEventListener("focus", fill);
    choice.addEventListener("pointerdown", fill);
    fill();
    return choice;
  }

  private async load(run: Run, key: string, over?: Run): Promise<void> {
    try {
      let document = await api.document(run.id);
      let laid: HTMLElement | string = "";
      if (over) {
        const name = over.case === run.case ? `${over.case}, ${moment(over.created)}` : over.case;
        const made = overlay(document, await api.document(over.id), name);
        document = made.document;
        laid = h("div", { class: "notice notice-info" }, h("span", { class: "notice-name" }, "Two runs"), h("div", {}, made.curves
          ? `Dashed: ${made.curves} ${made.curves === 1 ? "curve" : "curves"} of ${name}. Tables and moving pictures are those of this run.`
          : `No plot of ${name} shows the same as one of this run: titles, units and names of curves must agree.`));
      }
      if (key !== this.shown) return;
      const scroll = this.body.scrollTop;
      this.clear();
      this.links = new Links();
      // Beside the editor there is no need to repeat what stands in the case itself.
      const repeated = (kind: string) => kind === "Text" || kind === "Code";
      const sections = document.sections.filter((section) => this.options.listed || !section.blocks.every((block) => repeated(block.kind)));
      const warning = run.message ? h("div", { class: "notice notice-warning" }, h("span", { class: "notice-name" }, "Warning"), h("div", {}, run.message)) : "";
      this.body.replaceChildren(laid, warning, renderBody({ ...document, sections }, this.links, this.options.listed));
      this.body.scrollTop = scroll;
      offerScenes(this.links);
    } catch (error) {
      this.body.replaceChildren(h("div", { class: "notice notice-error" }, error instanceof Error ? error.message : String(error)));
    }
  }

  private clear(): void {
    this.element.classList.remove("outdated");
    this.links?.dispose();
    this.links = null;
  }

  dispose(): void {
    this.clear();
  }
}
