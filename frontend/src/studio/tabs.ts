import { h } from "../ui/dom";

export interface Tab { name: string; content: HTMLElement; shown?: () => void }

/** Panes of which one is shown. */
export function tabs(list: Tab[]): { element: HTMLElement; show(name: string): void; current(): string } {
  let current = "";
  const buttons = list.map(({ name }) => h("button", { type: "button", class: "tab", role: "tab", click: () => show(name) }, name));
  const show = (name: string) => {
    current = name;
    list.forEach((tab, i) => {
      const chosen = tab.name === name;
      tab.content.hidden = !chosen;
      buttons[i].setAttribute("aria-selected", String(chosen));
      if (chosen) tab.shown?.();
    });
  };
  const bar = h("div", { class: "tab-bar", role: "tablist" }, ...buttons);
  bar.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = (list.findIndex((tab) => tab.name === current) + step + list.length) % list.length;
    show(list[next].name);
    buttons[next].focus();
  });
  for (const tab of list) tab.content.setAttribute("role", "tabpanel");
  show(list[0].name);
  return { element: h("div", { class: "tabs" }, bar, ...list.map((tab) => tab.content)), show, current: () => current };
}
