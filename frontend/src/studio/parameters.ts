// The numbers of a case as a form; changing one changes the text, and nothing else.
import { clamp, h, iconButton } from "../ui/dom";
import { outline, shownPath, type Scalar } from "./outline";

const NUMBER = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(\s*)([^\W\d_%][^*]*|%)?$/u;

/** The field of a case that holds its named parameters. */
const NAMED = "parameters";

interface Parameter { path: string; group: string; name: string; value: number; unit: string; gap: string; whole: boolean; from: number; to: number }

/** Every single number of a case, with the unit written behind it; named parameters first, since they are meant to be changed. */
export function findParameters(text: string): Parameter[] {
  const found: Parameter[] = [];
  for (const scalar of outline(text).scalars) {
    const parameter = asParameter(scalar);
    if (parameter) found.push(parameter);
  }
  const named = (parameter: Parameter) => (parameter.path.startsWith(`${NAMED}.`) ? 0 : 1);
  return found.sort((first, second) => named(first) - named(second));
}

function asParameter(scalar: Scalar): Parameter | null {
  const match = NUMBER.exec(scalar.text);
  if (!match || scalar.path.length < 2) return null;
  const [, number, gap, unit = ""] = match;
  if (scalar.to - scalar.from !== scalar.text.length) return null; // quoted: a text, not a number
  const depth = Math.min(2, scalar.path.length - 1);
  return {
    path: shownPath(scalar.path), group: shownPath(scalar.path.slice(0, depth)), name: shownPath(scalar.path.slice(depth)),
    value: Number(number), unit, gap, whole: /^[-+]?\d+$/.test(number) && !unit, from: scalar.from, to: scalar.to,
  };
}

/** A number as it is written into a case: short, and never with more digits than were meant. */
export function written(value: number, like: number): string {
  if (value === 0) return "0";
  const size = Math.abs(like) || 1;
  const decimals = clamp(3 - Math.floor(Math.log10(size)), 0, 15);
  const text = Number(value.toFixed(decimals));
  return String(text === 0 ? Number(value.toPrecision(4)) : text).replace("e+", "e");
}

function range(parameter: Parameter): [number, number, number] {
  const { value, whole } = parameter;
  if (whole) {
    const reach = Math.max(2 * Math.abs(value), 4);
    return value < 0 ? [-reach, 0, 1] : [value > 0 ? 1 : 0, reach, 1];
  }
  if (value === 0) return [-1, 1, 0.01];
  const [low, high] = value > 0 ? [0, 2 * value] : [2 * value, 0];
  return [low, high, Math.abs(value) / 100];
}

export interface ParameterHost {
  text(): string;
  replace(from: number, to: number, insert: string): void;
  /** A change is finished: the slider is let go, the number is entered. */
  settled(): void;
}

/** The form; `refresh` follows changes of the text made elsewhere. */
export class ParameterForm {
  readonly element = h("div", { class: "parameters" });
  private readonly rows = new Map<string, { first: Parameter; show(parameter: Parameter): void }>();
  private filter = "";
  private layout = "";

  constructor(private readonly host: ParameterHost) {}

  refresh(): void {
    const found = findParameters(this.host.text());
    const layout = found.map((parameter) => `${parameter.path} ${parameter.unit}`).join("\n");
    if (layout !== this.layout) this.build(found, layout);
    for (const parameter of found) this.rows.get(parameter.path)?.show(parameter);
  }

  private build(found: Parameter[], layout: string): void {
    this.layout = layout;
    const earlier = new Map([...this.rows].map(([path, row]) => [path, row.first]));
    this.rows.clear();
    const search = h("input", { type: "search", class: "field", placeholder: "Find a parameter", value: this.filter, "aria-label": "Find a parameter" });
    const groups = new Map<string, HTMLElement>();
    for (const parameter of found) {
      let group = groups.get(parameter.group);
      if (!group) groups.set(parameter.group, (group = h("div", { class: "parameter-group" }, h("h3", {}, parameter.group))));
      const before = earlier.get(parameter.path);
      group.append(this.row(parameter, before && before.unit === parameter.unit ? before : parameter));
    }
    const narrow = () => {
      this.filter = search.value;
      for (const group of groups.values()) {
        let any = false;
        for (const row of group.querySelectorAll<HTMLElement>(".parameter")) {
          const wanted = row.dataset["path"]!.toLowerCase().includes(this.filter.toLowerCase());
          row.hidden = !wanted || (this.filter === "" && row.dataset["quiet"] === "true");
          any ||= !row.hidden;
        }
        group.hidden = !any;
      }
    };
    search.addEventListener("input", narrow);
    const note = !found.length ? "This case has no numbers." : "Zeros in lists are shown when searched for.";
    this.element.replaceChildren(search, ...groups.values(), h("p", { class: "parameter-note" }, note));
    narrow();
  }

  /** `first` is the parameter as it was when it was first shown: the slider reaches from 0 to twice its value. */
  private row(parameter: Parameter, first: Parameter): HTMLElement {
    const [low, high, step] = range(first);
    const slider = h("input", { type: "range", min: low, max: high, step: first.whole ? 1 : step / 10, "aria-label": parameter.path });
    const number = h("input", { type: "text", inputmode: "decimal", class: "field parameter-number", "aria-label": `${parameter.path}, number` });
    const back = iconButton("reset", "Back to the first value", () => {
      put(first.value);
      this.host.settled();
    });
    const put = (value: number) => {
      const now = findParameters(this.host.text()).find((candidate) => candidate.path === parameter.path);
      if (!now || !Number.isFinite(value)) return;
      const text = now.whole && Number.isInteger(value) ? String(value) : value === first.value ? String(first.value) : written(value, first.value);
      this.host.replace(now.from, now.to, `${text}${now.gap}${now.unit}`);
    };
    slider.addEventListener("input", () => put(Number(slider.value)));
    slider.addEventListener("change", () => this.host.settled());
    number.addEventListener("change", () => {
      put(Number(number.value.replace(",", ".")));
      this.refresh();
      this.host.settled();
    });
    this.rows.set(parameter.path, {
      first,
      show: (now) => {
        slider.value = String(now.value);
        if (document.activeElement !== number) number.value = String(now.value);
        back.style.visibility = now.value === first.value ? "hidden" : "visible";
        row.classList.toggle("changed", now.value !== first.value);
      },
    });
    const row = h("div", { class: "parameter", "data-path": parameter.path, "data-quiet": String(first.value === 0 && /\]$/.test(parameter.path)), title: parameter.path },
      label(parameter.name), slider, number, h("span", { class: "parameter-unit" }, parameter.unit), back);
    return row;
  }
}

/** The name of a field, its last part the most visible; lines break after dots. */
function label(name: string): HTMLElement {
  const parts = name.split(/(?<=\.)/);
  return h("span", { class: "parameter-name" },
    ...parts.map((part, i) => h("span", { class: i < parts.length - 1 ? "parameter-place" : "parameter-leaf" }, part)).flatMap((part) => [part, h("wbr")]));
}
