import { installHooks } from "../document/hooks";
import "../style/page.css";
import "../style/studio.css";
import { h } from "../ui/dom";
import { startTheme } from "../ui/theme";
import { showCase } from "./case_view";
import { showGallery } from "./gallery";
import { showPart } from "./part_view";
import { showRun } from "./run_view";
import { startShell } from "./shell";

const hooks = installHooks();

async function start(): Promise<void> {
  startTheme();
  const root = document.getElementById("flexframe-root")!;
  try {
    await startShell(root, (address) => {
      const [, view, name = ""] = /^#\/(\w+)(?:\/(.+))?$/.exec(address) ?? [];
      if (view === "case") return (place) => showCase(place, decodeURIComponent(name));
      if (view === "part") return (place) => showPart(place, name.split("/").map(decodeURIComponent));
      if (view === "run") return (place) => showRun(place, decodeURIComponent(name));
      return showGallery;
    });
  } catch (error) {
    hooks.error = error instanceof Error ? error.message : String(error);
    root.replaceChildren(h("p", { class: "notice notice-error", role: "alert" }, `The studio cannot be shown: ${hooks.error}`));
  }
  hooks.ready = true;
  document.documentElement.dataset["flexframe"] = hooks.error === null ? "ready" : "failed";
}

void start();
