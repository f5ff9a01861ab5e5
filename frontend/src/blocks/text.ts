import type { Cell, Check, Code, KeyValues, Notice, Quality, Text } from "../document/types";
import { copyButton, h } from "../ui/dom";
import { formatNumber } from "../ui/numbers";

/** Paragraphs, lists, **bold** and `code`; anything else is plain text. */
export function renderMarkup(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const chunk of text.replace(/\r\n?/g, "\n").split(/\n\s*\n/)) {
    let list: HTMLUListElement | HTMLOListElement | null = null;
    let paragraph: string[] = [];
    const flush = () => {
      if (paragraph.length) fragment.append(h("p", {}, ...inline(paragraph.join(" "))));
      paragraph = [];
    };
    for (const line of chunk.split("\n")) {
      const bullet = /^\s*[-*]\s+(.*)$/.exec(line);
      const numbered = /^\s*\d+[.)]\s+(.*)$/.exec(line);
      const item = bullet ?? numbered;
      if (item) {
        flush();
        const tag = bullet ? "ul" : "ol";
        if (!list || list.tagName.toLowerCase() !== tag) fragment.append((list = h(tag)));
        list.append(h("li", {}, ...inline(item[1])));
      } else if (list && /^\s+\S/.test(line)) {
        list.lastElementChild!.append(" ", ...inline(line.trim()));
      } else if (line.trim()) {
        list = null;
        paragraph.push(line.trim());
      }
    }
    flush();
  }
  return fragment;
}

function inline(text: string): (Node | string)[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter(Boolean).map((piece) => {
    if (piece.length > 4 && piece.startsWith("**") && piece.endsWith("**")) return h("strong", {}, piece.slice(2, -2));
    if (piece.length > 2 && piece.startsWith("`") && piece.endsWith("`")) return h("code", {}, piece.slice(1, -1));
    return piece;
  });
}

export function renderText(block: Text): HTMLElement {
  return h("div", { class: "prose" }, renderMarkup(block.text));
}

const NOTICE_NAMES = { info: "Note", warning: "Warning", error: "Error" };

export function renderNotice(block: Notice): HTMLElement {
  return h(
    "div", { class: `notice notice-${block.level}`, role: "note" },
    h("span", { class: "notice-name" }, NOTICE_NAMES[block.level]),
    h("div", { class: "prose" }, renderMarkup(block.text)),
  );
}

export function renderKeyValues(block: KeyValues): HTMLElement {
  return h("dl", { class: "figures" }, ...block.items.map((item) => {
    const value = showCell(item.value, item.digits);
    return h(
      "div", { class: "figure" },
      h("dt", {}, item.label),
      h("dd", {}, h("span", { class: "figure-value" }, value), item.unit ? h("span", { class: "figure-unit" }, ` ${item.unit}`) : null),
      item.note ? h("dd", { class: "figure-note" }, item.note) : null,
    );
  }));
}

function showCell(value: Cell, digits: number): string {
  if (typeof value === "number") return formatNumber(value, digits);
  if (value === null) return "\u2013";
  return typeof value === "boolean" ? (value ? "yes" : "no") : value;
}

function isFine(check: Check): boolean {
  return check.limit === null || (typeof check.value === "number" && Math.abs(check.value) <= check.limit);
}

/** How good a result is: one line where all is fine, opened and in words where something is not. */
export function renderQuality(block: Quality): HTMLElement {
  const doubts = block.checks.filter((check) => !isFine(check));
  const list = h("dl", { class: "quality-list" }, ...block.checks.map((check) => h(
    "div", { class: isFine(check) ? "" : "quality-doubt" },
    h("dt", {}, check.label),
    h("dd", {}, `${showCell(check.value, check.digits)} ${check.unit}`.trim()),
    isFine(check) ? null : h("dd", { class: "quality-words" }, check.otherwise))));
  const words = doubts.length ? `look at ${doubts.map((check) => check.label).join(", ")}` : "fine";
  const box = h("details", { class: `quality ${doubts.length ? "quality-doubtful" : "quality-fine"}` },
    h("summary", {}, h("span", { class: "quality-mark", "aria-hidden": "true" }), `Quality: ${words}`), list);
  if (doubts.length) box.setAttribute("open", "");
  return box;
}

export function renderCode(block: Code): HTMLElement {
  const lines = block.text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  const body = h("pre", { class: "code", tabindex: 0 }, h("code", {}, ...lines.flatMap((line) =>
    [h("span", { class: "code-line" }, ...highlight(line, block.language)), "\n"])));
  body.style.setProperty("--line-number-width", `${String(lines.length).length}ch`);
  const copy = copyButton("Copy", () => block.text);
  const title = block.caption || "Source";
  if (!block.collapsed) {
    return h("figure", { class: "panel" }, h("div", { class: "panel-head" }, h("h3", {}, title), h("span", { class: "tools" }, copy)), body);
  }
  return h("details", { class: "panel" },
    h("summary", { class: "panel-head" }, h("h3", {}, title), h("span", { class: "muted" }, `${lines.length} lines`)),
    h("div", { class: "panel-tools" }, copy), body);
}

/** Comments, and the keys of YAML, set apart; a `#` inside quotes is no comment. */
function highlight(line: string, language: Code["language"]): (Node | string)[] {
  if (language === "plain") return [line];
  const comment = /^((?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*'|\S#)*?)((?:^|(?<=\s))#.*)$/.exec(line);
  const code = comment ? comment[1] : line;
  const pieces: (Node | string)[] = [];
  const key = language === "yaml" ? /^(\s*(?:- )*)([^\s:#"'{[][^:#"']*)(:(?:\s|$).*)$/.exec(code) : null;
  if (key) pieces.push(key[1], h("span", { class: "code-key" }, key[2]), key[3]);
  else pieces.push(code);
  if (comment) pieces.push(h("span", { class: "code-comment" }, comment[2]));
  return pieces;
}
