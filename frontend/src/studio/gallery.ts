import { h, iconButton } from "../ui/dom";
import { api, type Checked, type Example } from "./api";
import { thumbnail } from "./model";
import { openCase, report } from "./shell";

const models = new Map<string, Promise<Checked>>(); // of the examples; they do not change while the studio runs

function firstSentences(text: string): string {
  const paragraph = text.trim().split(/\n\s*\n/)[0].replaceAll("\n", " ").replace(/[*`]/g, "");
  return paragraph.length > 190 ? `${paragraph.slice(0, 190).replace(/\s+\S*$/, "")} …` : paragraph;
}

/** The examples as cards with pictures; returns what to do when the view is left. */
export async function showGallery(root: HTMLElement): Promise<() => void> {
  const examples = await api.examples();
  const endings: (() => void)[] = [];
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      observer.unobserve(entry.target);
      void picture(entry.target as HTMLElement, endings);
    }
  }, { rootMargin: "300px" });
  root.replaceChildren(
    h("div", { class: "view-head" },
      h("div", {}, h("h1", {}, "Gallery"), h("p", { class: "muted" }, "Complete cases to look at, run and change. Opening one puts a copy into the workspace."))),
    h("div", { class: "gallery" }, ...examples.map((example) => card(example, observer))));
  return () => {
    observer.disconnect();
    for (const end of endings) end();
  };
}

function card(example: Example, observer: IntersectionObserver): HTMLElement {
  const frame = h("div", { class: "card-picture", "data-example": example.name });
  observer.observe(frame);
  const open = async () => {
    try {
      openCase((await api.copyExample(example.name)).name);
    } catch (error) {
      report(error);
    }
  };
  const button = iconButton("next", `Open a copy of ${example.name}`, () => void open(), "Open");
  button.classList.add("card-open");
  return h("article", { class: "card" }, frame,
    h("div", { class: "card-text" },
      h("h2", {}, example.title),
      h("p", {}, firstSentences(example.description)),
      h("div", { class: "chips" }, ...example.analyses.map((kind) => h("span", { class: "chip" }, kind.replaceAll("_", " "))), button)));
}

async function picture(frame: HTMLElement, endings: (() => void)[]): Promise<void> {
  const name = frame.dataset["example"]!;
  const asked = models.get(name) ?? api.exampleModel(name);
  models.set(name, asked);
  try {
    const { scene } = await asked;
    if (!scene) return;
    const { element, dispose } = thumbnail(scene);
    endings.push(dispose);
    frame.replaceChildren(element);
  } catch (error) {
    models.delete(name);
    report(error);
  }
}
