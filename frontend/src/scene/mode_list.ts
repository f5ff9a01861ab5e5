import type { Mode } from "../document/types";
import { h } from "../ui/dom";

let nextId = 0;

/** A list box of modes: click, or arrow keys, Home and End. */
export function modeList(modes: Mode[], choose: (index: number) => void): { element: HTMLElement; select(index: number): void } {
  const prefix = `mode-list-${nextId++}`;
  const list = h("div", { class: "mode-list", role: "listbox", tabindex: 0, "aria-label": "Modes" });
  let selected = -1;
  const options = modes.map((mode, i) => h("div", { class: "mode", role: "option", id: `${prefix}-${i}`, "aria-selected": "false", click: () => choose(i) },
    h("span", {}, mode.label), h("span", { class: "mode-frequency" }, mode.frequency)));
  let group = "";
  modes.forEach((mode, i) => {
    if (mode.group && mode.group !== group) list.append(h("div", { class: "mode-group", role: "presentation" }, mode.group));
    group = mode.group;
    list.append(options[i]);
  });
  list.addEventListener("keydown", (event) => {
    const targets: Record<string, number> = { ArrowDown: selected + 1, ArrowUp: selected - 1, Home: 0, End: modes.length - 1 };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (modes[target]) choose(target);
  });
  const select = (index: number) => {
    if (index === selected) return;
    options[selected]?.setAttribute("aria-selected", "false");
    options[index].setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", options[index].id);
    selected = index;
    const { offsetTop, offsetHeight } = options[index];
    if (offsetTop < list.scrollTop) list.scrollTop = offsetTop - 4;
    else if (offsetTop + offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = offsetTop + offsetHeight - list.clientHeight + 4;
  };
  return { element: list, select };
}
