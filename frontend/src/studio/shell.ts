// The frame around every view: top bar, lists of cases and runs, messages, and what the address means.
import { h, iconButton } from "../ui/dom";
import { toggleTheme } from "../ui/theme";
import { api, Refusal, type Run } from "./api";
import { askName, askWhether } from "./dialog";
import { moment, statusDot, statusText } from "./progress";
import { isActive, runList } from "./runs";

/** A case that is being edited: its text now, on the disk, and the hash of the latter (null before it is saved). */
export interface CaseDraft { text: string; saved: string; sha256: string | null }

/** Texts that are being edited, by name; they outlive a change of view. */
export const drafts = new Map<string, CaseDraft>();

const main = h("main", { class: "studio-main", id: "content" });
const messages = h("div", { class: "messages", role: "alert" });
const caseList = h("nav", { class: "side-list", "aria-label": "Cases" });
const partList = h("nav", { class: "side-list", "aria-label": "Parts" });
const dropHint = h("div", { class: "drop-hint", hidden: true }, h("p", {}, "Drop files of a part, a mesh or a case"));
const runItems = h("nav", { class: "side-list", "aria-label": "Runs" });
const lost = h("div", { class: "lost", role: "alert", hidden: true });
const TROUBLES = {
  silent: "The studio does not answer. Start it again with flexframe studio; its runs are kept.",
  stranger: "This page belongs to a studio that has ended. Open the address that the new one printed, or press Enter there for another; its runs are kept.",
};
let leave: () => void = () => undefined;
let visit = 0;
let cases: string[] = [];

export function nonce(): string {
  return document.getElementById("flexframe-root")!.dataset["nonce"] ?? "";
}

/** A message that goes away by itself. */
export function tell(text: string, level: "info" | "error" = "info"): void {
  const close = () => item.remove();
  const item = h("div", { class: `message message-${level}` }, h("span", {}, text), h("button", { type: "button", class: "tool", "aria-label": "Close", click: close }, "\u00d7"));
  messages.append(item);
  setTimeout(close, level === "error" ? 12_000 : 5000);
}

export function report(error: unknown): void {
  if (error instanceof Refusal && error.status === 0) return; // said by the banner
  tell(error instanceof Error ? error.message : String(error), "error");
}

export function go(address: string): void {
  if (location.hash === address) void route();
  else location.hash = address;
}

export function openCase(name: string): void {
  void refreshCases();
  go(`#/case/${encodeURIComponent(name)}`);
}

/** Edit a text under the name of a case; what is on the disk stays until it is saved. */
export function openDraft(name: string, text: string): void {
  const known = drafts.get(name);
  if (known) {
    known.text = text;
    return openCase(name);
  }
  api.case(name).then(
    (saved) => drafts.set(name, { text, saved: saved.text, sha256: saved.sha256 }),
    () => drafts.set(name, { text, saved: "", sha256: null }),
  ).finally(() => openCase(name));
}

const TEMPLATE = `title: A clamped beam
description: What this case is about.

bodies:
  beam:
    mesh:
      line: {length: 1 m, divisions: 10} # sets start, end
    material: steel
    section:
      rectangle: {width: 20 mm, height: 10 mm}
    supports:
      - clamp: start

analyses:
  shapes:
    kind: modes
    count: 6
`;

async function newCase(): Promise<void> {
  const name = await askName("Name of the new case", "new-case.yaml");
  if (!name) return;
  try {
    await api.save(name, TEMPLATE, null);
    openCase(name);
  } catch (error) {
    report(error);
  }
}

export async function refreshCases(): Promise<void> {
  try {
    cases = await api.cases();
    showCases();
  } catch (error) {
    report(error);
  }
}

function showCases(): void {
  const current = location.hash;
  const known = [...new Set([...cases, ...drafts.keys()])].sort();
  caseList.replaceChildren(...known.map((name) => {
    const address = `#/case/${encodeURIComponent(name)}`;
    return h("a", { href: address, "aria-current": current === address ? "page" : undefined }, name.replace(/\.yaml$/, ""));
  }), known.length ? "" : h("p", { class: "side-empty" }, "None yet. Open one from the gallery."));
}

const RECORDING = /\.(csv|txt|nc|dof)$/i;

export async function refreshParts(): Promise<void> {
  try {
    const names = (await api.files()).filter((name) => !RECORDING.test(name) && !name.includes("/"));
    partList.replaceChildren(...names.map((name) => {
      const address = partAddress([name]);
      return h("a", { href: address, "aria-current": location.hash === address ? "page" : undefined }, name);
    }), names.length ? "" : h("p", { class: "side-empty" }, "None yet. Drop a file of Nastran, Ansys, Abaqus, STEP \u2026 here."));
  } catch (error) {
    report(error);
  }
}

function partAddress(names: string[]): string {
  return `#/part/${names.map(encodeURIComponent).join("/")}`;
}

/** Put files into the workspace and show them: cases as cases, all others as one part. */
async function addFiles(files: File[]): Promise<void> {
  const parts: string[] = [];
  try {
    for (const file of files) {
      if (file.name.endsWith(".yaml")) {
        const { name } = await api.save(file.name, await file.text(), null);
        if (file === files[files.length - 1]) openCase(name);
      } else if (await sent(file)) parts.push(file.name);
    }
  } catch (error) {
    report(error);
  }
  void refreshParts();
  const shown = parts.filter((name) => !RECORDING.test(name));
  if (shown.length) go(partAddress(shown));
  else if (parts.length) tell(`${parts.join(", ")}: in the workspace; name it in a case.`);
}

async function sent(file: File): Promise<boolean> {
  try {
    await api.upload(file, false);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 409) throw error;
    if (!(await askWhether(`The workspace has another ${file.name}. Replace it?`, "Replace"))) return false;
    await api.upload(file, true);
  }
  return true;
}

function acceptDrops(): void {
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    dropHint.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) dropHint.hidden = true;
  });
  addEventListener("drop", (event) => {
    dropHint.hidden = true;
    if (!holdsFiles(event)) return;
    event.preventDefault();
    void addFiles([...event.dataTransfer!.files]);
  });
}

function showRuns(runs: Run[]): void {
  lost.hidden = !runList.trouble;
  lost.textContent = runList.trouble ? TROUBLES[runList.trouble] : "";
  const current = location.hash;
  runItems.replaceChildren(...runs.slice(0, 40).map((run) => {
    const address = `#/run/${run.id}`;
    const fill = h("span", { class: "progress-fill" });
    fill.style.width = `${100 * run.fraction}%`;
    return h("a", { href: address, class: "run-item", "data-status": run.status, "aria-current": current === address ? "page" : undefined },
      statusDot(run.status), h("span", { class: "run-name" }, run.case.replace(/\.yaml$/, "")), h("span", { class: "run-time" }, moment(run.created)),
      isActive(run) ? h("span", { class: "run-status" }, statusText(run)) : null,
      isActive(run) ? h("span", { class: "progress-bar" }, fill) : null);
  }), runs.length ? "" : h("p", { class: "side-empty" }, "None yet."));
  if (runs.length > 40) runItems.append(h("p", { class: "side-empty" }, `and ${runs.length - 40} earlier ones`));
}

type View = (root: HTMLElement) => Promise<() => void> | (() => void);
let views: (address: string) => View = () => () => () => undefined;

async function route(): Promise<void> {
  const turn = ++visit;
  leave();
  leave = () => undefined;
  const root = h("div", { class: "view" });
  main.replaceChildren(root);
  scrollTo(0, 0);
  showCases();
  void refreshParts();
  showRuns(runList.runs);
  try {
    const end = await views(location.hash)(root);
    if (turn === visit) leave = end;
    else end();
  } catch (error) {
    if (turn !== visit) return;
    root.replaceChildren(h("div", { class: "notice notice-error" }, error instanceof Error ? error.message : String(error)));
  }
}

/** Build the frame and show the view of the address. */
export async function startShell(root: HTMLElement, chosen: (address: string) => View): Promise<void> {
  views = chosen;
  const about = await api.about();
  const chooser = h("input", { type: "file", hidden: true, multiple: true, "aria-label": "Files of a part" });
  chooser.addEventListener("change", () => {
    const files = [...(chooser.files ?? [])];
    chooser.value = "";
    void addFiles(files);
  });
  root.replaceChildren(
    h("a", { class: "skip", href: "#content" }, "Skip to the content"),
    h("header", { class: "studio-head" },
      h("a", { class: "brand", href: "#/gallery" }, h("span", { class: "brand-mark", "aria-hidden": "true" }), "flexframe", h("span", {}, "studio")),
      h("span", { class: "workspace", title: "Folder of the cases" }, about.workspace),
      h("div", { class: "page-tools" }, h("span", { class: "version" }, about.version), iconButton("theme", "Light or dark", toggleTheme))),
    lost,
    h("div", { class: "studio-body" },
      h("aside", { class: "studio-side" },
        h("nav", { class: "side-list", "aria-label": "Views" }, h("a", { href: "#/gallery", class: "side-gallery" }, "Gallery")),
        h("div", { class: "side-head" }, h("h2", {}, "Cases"), iconButton("add", "New case", () => void newCase(), "New")), caseList,
        h("div", { class: "side-head" }, h("h2", {}, "Parts"), chooser, iconButton("upload", "Add a part", () => chooser.click(), "Add")), partList,
        h("h2", {}, "Runs"), runItems),
      main),
    messages, dropHint);
  acceptDrops();
  addEventListener("hashchange", () => void route());
  addEventListener("beforeunload", (event) => {
    if ([...drafts.values()].some((draft) => draft.text !== draft.saved)) event.preventDefault();
  });
  runList.listen(showRuns);
  await Promise.all([runList.refresh(), refreshCases()]);
  if (about.opened && !location.hash.startsWith("#/")) location.hash = `#/case/${encodeURIComponent(about.opened)}`;
  else await route();
}
