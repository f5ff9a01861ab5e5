import { decodeDocument } from "./document/decode";
import { installHooks, offerScenes } from "./document/hooks";
import { renderDocument } from "./document/render";
import "./style/page.css";
import { h } from "./ui/dom";
import { startTheme } from "./ui/theme";

const hooks = installHooks();

function start(): void {
  startTheme();
  const root = document.getElementById("flexframe-root")!;
  const data = document.getElementById("flexframe-document");
  try {
    offerScenes(renderDocument(root, decodeDocument(data?.textContent ?? "")));
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
