import { h, iconButton } from "../ui/dom";
import { api } from "./api";
import { duration, moment } from "./progress";
import { ResultPane } from "./results";
import { runList } from "./runs";
import { go, openDraft, report } from "./shell";

/** One run over the whole width. */
export function showRun(root: HTMLElement, id: string): () => void {
  const pane = new ResultPane({ listed: true });
  const title = h("h1", {});
  const note = h("p", { class: "muted" });
  const edit = async () => {
    try {
      const { name, text } = await api.runCase(id);
      openDraft(name, text);
    } catch (error) {
      report(error);
    }
  };
  const remove = iconButton("remove", "Remove this run and its results", () => {
    void runList.remove(id).then(() => go("#/gallery"), report);
  }, "Remove");
  const missing = h("p", { class: "result-empty", hidden: true }, "There is no such run.");
  root.replaceChildren(
    h("div", { class: "view-head" }, h("div", {}, title, note), h("div", { class: "view-tools" },
      iconButton("previous", "Open the case as it was run", () => void edit(), "Edit this case"), remove)),
    missing, pane.element);
  const forget = runList.listen(() => {
    const run = runList.find(id);
    missing.hidden = run !== undefined || runList.runs.length === 0;
    pane.element.hidden = run === undefined;
    if (!run) return;
    title.textContent = run.title || run.case;
    const took = run.started && run.ended ? `, took ${duration(run.ended - run.started)}` : "";
    note.textContent = `${run.case}, run ${moment(run.created)}${took}`;
    remove.hidden = run.status === "queued" || run.status === "running";
    pane.update(run);
  });
  return () => {
    forget();
    pane.dispose();
  };
}
