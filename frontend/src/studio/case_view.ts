import { h, icon, iconButton } from "../ui/dom";
import { api, Refusal, type Checked } from "./api";
import { CaseEditor } from "./editor";
import { ModelView } from "./model";
import { ParameterForm } from "./parameters";
import { problemList, ResultPane } from "./results";
import { isActive, runList } from "./runs";
import { CaseSchema, type Schema } from "./schema";
import { askName } from "./dialog";
import { drafts, go, nonce, openCase, refreshCases, report, tell, type CaseDraft } from "./shell";
import { tabs } from "./tabs";

const PAUSE = 350; // milliseconds without typing before a check

let schema: Promise<CaseSchema> | undefined;

/** A case: its text or its numbers on the left, its model or its results on the right. */
export async function showCase(root: HTMLElement, name: string): Promise<() => void> {
  schema ??= api.schema().then((found) => new CaseSchema(found as Schema));
  let draft = drafts.get(name);
  if (!draft) {
    const saved = await api.case(name);
    draft = { text: saved.text, saved: saved.text, sha256: saved.sha256 };
    drafts.set(name, draft);
  }
  const view = new CaseView(root, name, draft, await schema);
  return () => view.dispose();
}

class CaseView {
  private readonly editor: CaseEditor;
  private readonly model = new ModelView();
  private readonly results: ResultPane;
  private readonly form: ParameterForm;
  private readonly problems = h("div", { class: "problem-bar", role: "status", "aria-live": "polite" });
  private readonly facts = h("div", { class: "facts" });
  private readonly state = h("span", { class: "save-state" });
  private readonly saveButton: HTMLButtonElement;
  private readonly runButton: HTMLButtonElement;
  private readonly automatic = h("input", { type: "checkbox" });
  private readonly endings: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private checking = false;
  private waiting = false;
  private gone = false;
  private picture: string | null = null;
  private starting: Promise<void> = Promise.resolve();
  private due = false;
  private readonly right: ReturnType<typeof tabs>;
  private readonly left: ReturnType<typeof tabs>;

  constructor(root: HTMLElement, private readonly name: string, private readonly draft: CaseDraft, schema: CaseSchema) {
    this.saveButton = iconButton("save", "Save (Ctrl+S)", () => void this.save(), "Save");
    this.runButton = h("button", { type: "button", class: "primary", title: "Run (Ctrl+Enter)", click: () => void this.run() }, icon("play"), "Run");
    const upload = h("input", { type: "file", hidden: true, "aria-label": "A mesh or a recording" });
    upload.addEventListener("change", () => void this.upload(upload));
    const place = h("div", { class: "editor" });
    this.editor = new CaseEditor({ text: draft.text, nonce: nonce(), schema, parent: place, onChange: (text) => this.changed(text), files: api.files });
    this.form = new ParameterForm({
      text: () => this.editor.text,
      replace: (from, to, insert) => this.editor.replace(from, to, insert),
      settled: () => { if (this.automatic.checked) void this.runAnew(); },
    });
    this.results = new ResultPane({ listed: false, go: (line) => this.goTo(line) });
    this.left = tabs([
      { name: "Text", content: h("div", { class: "text-pane" }, place, this.problems) },
      { name: "Parameters", content: h("div", { class: "parameter-pane" },
        h("label", { class: "switch" }, this.automatic, "Run after each change"), this.form.element), shown: () => this.form.refresh() },
    ]);
    this.right = tabs([
      { name: "Model", content: h("div", { class: "model-pane" }, this.model.element, this.facts) },
      { name: "Results", content: this.results.element },
    ]);
    root.replaceChildren(
      h("div", { class: "view-head" },
        h("div", { class: "case-title" }, h("h1", {}, name), this.state),
        h("div", { class: "view-tools" },
          upload, iconButton("upload", "Add a mesh or a recording to the workspace", () => upload.click(), "Add file"),
          iconButton("wide", "Results over the whole width", () => this.widen(), "Wide"),
          iconButton("copy", "Save under another name", () => void this.saveAs(), "Save as"), this.saveButton, this.runButton)),
      h("div", { class: "case-columns" }, this.left.element, this.right.element));
    const keys = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || (event.key !== "s" && event.key !== "Enter")) return;
      event.preventDefault();
      event.stopPropagation();
      void (event.key === "s" ? this.save() : this.run());
    };
    addEventListener("keydown", keys, true);
    this.endings.push(() => removeEventListener("keydown", keys, true), runList.listen(() => this.follow()));
    if (runList.latestOf(name)) this.right.show("Results");
    this.showState();
    void this.check();
  }

  private changed(text: string): void {
    this.draft.text = text;
    this.showState();
    if (this.left.current() === "Parameters") this.form.refresh();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), PAUSE);
  }

  private showState(): void {
    const changed = this.draft.text !== this.draft.saved;
    this.state.textContent = changed ? "not saved" : "saved";
    this.state.classList.toggle("unsaved", changed);
    this.saveButton.disabled = !changed;
  }

  /** Ask the server what is wrong; while an answer is awaited, later texts wait for one more question. */
  private async check(): Promise<void> {
    if (this.checking) {
      this.waiting = true;
      return;
    }
    this.checking = true;
    try {
      do {
        this.waiting = false;
        const checked = await api.check(this.name, this.draft.text, this.picture);
        if (this.gone) return;
        if (!this.waiting) this.showCheck(checked);
        if (this.waiting || !checked.valid) continue;
        const tried = await api.trial(this.name, this.draft.text);
        if (this.gone) return;
        if (!this.waiting) this.showProblems({ ...tried, notices: [...checked.notices, ...tried.notices] });
      } while (this.waiting);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 0)) report(error);
    } finally {
      this.checking = false;
    }
  }

  private showProblems(checked: Checked): void {
    this.editor.showProblems(checked.problems);
    const count = checked.problems.length;
    this.problems.dataset["state"] = checked.valid ? "valid" : "invalid";
    this.problems.replaceChildren(checked.valid
      ? h("div", { class: "valid" }, icon("tick"), "No problems")
      : h("div", {}, h("div", { class: "problem-count" }, count === 1 ? "1 problem" : `${count} problems`), problemList(checked.problems, (line) => this.goTo(line))),
    ...checked.notices.map((text) => h("div", { class: "doubt" }, text)));
  }

  private showCheck(checked: Checked): void {
    this.showProblems(checked);
    if (!checked.valid) return;
    if (checked.picture) this.picture = checked.picture;
    if (checked.scene) this.model.show(checked.scene);
    const rows = Object.entries(checked.bodies).map(([body, size]) => h("tr", {}, h("td", {}, body),
      ...[size.cells, size.nodes, size.dofs].map((value) => h("td", { class: "number" }, value === null ? "\u2013" : String(value)))));
    this.facts.replaceChildren(
      h("h2", {}, checked.title),
      rows.length ? h("table", {}, h("thead", {}, h("tr", {}, ...["elastic body", "cells", "nodes", "unknowns"].map((text, i) => h("th", { class: i ? "number" : "" }, text)))), h("tbody", {}, ...rows)) : "",
      h("div", { class: "chips" }, ...Object.entries(checked.analyses).map(([analysis, kind]) =>
        h("span", { class: "chip", title: kind.replaceAll("_", " ") }, analysis === kind ? kind.replaceAll("_", " ") : `${analysis}: ${kind.replaceAll("_", " ")}`))));
  }

  private goTo(line: number): void {
    this.left.show("Text");
    this.editor.goTo(line);
  }

  private async save(): Promise<boolean> {
    try {
      const saved = await api.save(this.name, this.draft.text, this.draft.sha256);
      this.draft.saved = saved.text;
      this.draft.sha256 = saved.sha256;
      this.showState();
      void refreshCases();
      return true;
    } catch (error) {
      report(error);
      return false;
    }
  }

  private run(): Promise<void> {
    this.starting = this.start(this.draft.text);
    return this.starting;
  }

  private async start(text: string): Promise<void> {
    this.runButton.disabled = true;
    try {
      await runList.start(this.name, text);
      this.right.show("Results");
    } catch (error) {
      if (error instanceof Refusal && error.problems.some((problem) => problem.line !== null)) {
        this.editor.showProblems(error.problems);
        this.left.show("Text");
      }
      report(error);
    } finally {
      this.runButton.disabled = false;
    }
  }

  /** Run after a change; a run of the text before it is of no more use. Quick changes make one run. */
  private async runAnew(): Promise<void> {
    if (this.due) return;
    this.due = true;
    await this.starting;
    const last = runList.latestOf(this.name);
    if (last && isActive(last)) await runList.cancel(last.id).catch(report);
    this.due = false;
    await this.run();
  }

  private async saveAs(): Promise<void> {
    const name = await askName("Save under another name", this.name.replace(/\.yaml$/, "-2.yaml"));
    if (!name) return;
    try {
      await api.save(name, this.draft.text, null);
      this.draft.text = this.draft.saved;
      drafts.delete(this.name);
      openCase(name);
    } catch (error) {
      report(error);
    }
  }

  private follow(): void {
    const run = runList.latestOf(this.name);
    this.results.update(run);
    this.runButton.classList.toggle("busy", run !== undefined && isActive(run));
  }

  private widen(): void {
    const run = runList.latestOf(this.name);
    if (run) go(`#/run/${run.id}`);
    else tell("This case has not been run yet.");
  }

  private async upload(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    try {
      await api.upload(file, false);
      tell(`${file.name} is in the workspace; name it in the case.`);
      void this.check();
    } catch (error) {
      report(error);
    }
  }

  dispose(): void {
    this.gone = true;
    clearTimeout(this.timer);
    for (const end of this.endings) end();
    this.editor.destroy();
    this.model.dispose();
    this.results.dispose();
  }
}
