type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** Create an element; text children become text nodes, so no content is ever read as markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  assign(element, attributes, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag) as SVGElementTagNameMap[K];
  assign(element, attributes, children);
  return element;
}

function assign(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
}

/** Icons on a 16 × 16 grid, as stroked paths. */
const ICONS = {
  play: "M4.5 2.8 13 8l-8.5 5.2z",
  pause: "M5 3v10M11 3v10",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  film: "M2.5 3h11v10h-11zM5 3v10M11 3v10M2.5 6.3H5M2.5 9.7H5M11 6.3h2.5M11 9.7h2.5",
  camera: "M2 5h3l1.2-2h3.6L11 5h3v8H2zM8 11.2a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8z",
  copy: "M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8z",
  reset: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3",
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  tick: "M3 8.5 6.5 12 13 4.5",
  previous: "M10.5 3 5.5 8l5 5",
  next: "M5.5 3l5 5-5 5",
  save: "M2.5 2.5h8.5l2.5 2.5v8.5h-11zM5 2.5v4h5.5v-4M5 13.5v-4h6v4",
  stop: "M4 4h8v8H4z",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
  remove: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.7 9h5.6l.7-9",
  wide: "M2 8h12M5 5 2 8l3 3M11 5l3 3-3 3",
  add: "M8 3v10M3 8h10",
  upload: "M8 11V3M4.5 6.5 8 3l3.5 3.5M3 13.5h10",
};

export function icon(name: keyof typeof ICONS): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 16 16", class: `icon icon-${name}`, "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

export function iconButton(name: keyof typeof ICONS, label: string, onClick: () => void, text?: string): HTMLButtonElement {
  return h("button", { type: "button", class: "tool", title: label, "aria-label": label, click: onClick }, icon(name), text);
}

/** Put text on the clipboard, also where the asynchronous interface is not offered. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "off-screen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A button that copies text and says so for a moment. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = iconButton("copy", label === "Copy" ? label : `Copy as ${label}`, async () => {
    await copyText(text());
    button.classList.add("done");
    button.replaceChildren(icon("tick"), "Copied");
    setTimeout(() => {
      button.classList.remove("done");
      button.replaceChildren(icon("copy"), label);
    }, 1400);
  }, label);
  return button;
}

export function csv(rows: (string | number | boolean | null)[][]): string {
  const quote = (cell: string | number | boolean | null) => {
    const text = cell === null ? "" : String(cell);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(quote).join(",")).join("\n") + "\n";
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A caption under or over a block, if there is one. */
export function caption(text: string): HTMLElement | null {
  return text ? h("p", { class: "caption" }, text) : null;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
