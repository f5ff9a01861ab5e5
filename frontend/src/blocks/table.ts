import type { Cell, Matrix, Table } from "../document/types";
import { caption, copyButton, csv, h } from "../ui/dom";
import { commonExponent, formatColumn, scaledUnit, withUnit } from "../ui/numbers";

const SHORT = 16; // characters of a text that is not broken
const TITLE = 60; // characters of a caption that is a title

/** The cells of one column: numbers aligned on their decimal points where they have one unit, the rest as text. */
function columnCells(values: Cell[], digits: number, aligned = true): { numeric: boolean; cells: HTMLTableCellElement[] } {
  const numeric = values.some((v) => typeof v === "number") && values.every((v) => typeof v !== "string" || /^[\u2212-]?\u221e$/.test(v));
  const formatted = formatColumn(values.map((v) => (typeof v === "number" ? v : null)), digits);
  const short = values.every((v) => typeof v !== "string" || v.length <= SHORT) ? "short" : "";
  const cells = values.map((value, row) => {
    if (typeof value === "number") {
      const { text, padding } = formatted[row];
      const zero = value === 0 ? " zero" : "";
      return h("td", { class: `number${zero}` }, text, padding && aligned ? h("span", { class: "padding", "aria-hidden": "true" }, padding) : null);
    }
    const text = value === null ? "\u2013" : typeof value === "boolean" ? (value ? "yes" : "no") : value;
    return h("td", { class: numeric ? "number" : short }, text);
  });
  return { numeric, cells };
}

function compareCells(a: Cell, b: Cell): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

/** What a table is, in a few words, and the rest of its caption. */
export function titleAndRest(caption: string): [string, string] {
  if (caption.length <= TITLE) return [caption, ""];
  const cuts = [/[.;:] /, /, /].map((mark) => caption.search(mark)).filter((at) => at > 0 && at <= TITLE);
  if (cuts.length === 0) return [caption, ""];
  const rest = caption.slice(cuts[0] + 2);
  return [caption.slice(0, cuts[0]), rest.charAt(0).toUpperCase() + rest.slice(1)];
}

export function renderTable(block: Table): HTMLElement {
  const columns = block.columns.map((column, j) => columnCells(block.rows.map((row) => row[j]), column.digits, !column.of_row));
  const [title, rest] = titleAndRest(block.caption);
  const rows = block.rows.map((_, i) => h("tr", {}, ...columns.map((column) => column.cells[i])));
  const body = h("tbody", {}, ...rows);
  let sorted = { column: -1, direction: 1 };
  const heads = block.columns.map((column, j) => {
    const sort = () => {
      sorted = { column: j, direction: sorted.column === j ? -sorted.direction : 1 };
      const order = block.rows.map((_, i) => i).sort((a, b) =>
        sorted.direction * compareCells(block.rows[a][j], block.rows[b][j]) || a - b);
      body.replaceChildren(...order.map((i) => rows[i]));
      heads.forEach((head, k) => head.setAttribute("aria-sort", k !== j ? "none" : sorted.direction > 0 ? "ascending" : "descending"));
    };
    return h("th", { scope: "col", class: columns[j].numeric ? "number" : "", "aria-sort": "none" },
      h("button", { type: "button", class: "sort", title: "Sort by this column", click: sort },
        h("span", {}, column.header, column.unit ? h("span", { class: "unit" }, ` ${column.unit}`) : null)));
  });
  const text = () => csv([block.columns.map((c) => withUnit(c.header, c.unit)), ...block.rows]);
  return h("figure", { class: "panel" },
    h("div", { class: "panel-head" }, h("h3", {}, title), h("span", { class: "tools" }, copyButton("CSV", text))),
    h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": block.caption || "Table" },
      h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body)),
    caption(rest));
}

/** All cells share one format, and one power of ten if the numbers need it. */
export function renderMatrix(block: Matrix): HTMLElement {
  const width = block.values[0].length;
  const all = block.values.flat();
  const numeric = all.every((value) => typeof value === "number");
  const exponent = numeric ? commonExponent(Math.max(...all.map((value) => Math.abs(value as number)))) : 0;
  const scaled = all.map((value) => (typeof value === "number" ? value / 10 ** exponent : value));
  const { cells } = columnCells(scaled, block.digits);
  const labelled = block.row_labels.length > 0;
  const rows = block.values.map((_, i) => h("tr", {},
    labelled ? h("th", { scope: "row" }, block.row_labels[i]) : null,
    h("td", { class: "bracket bracket-left", "aria-hidden": "true" }),
    ...cells.slice(i * width, (i + 1) * width),
    h("td", { class: "bracket bracket-right", "aria-hidden": "true" })));
  const head = block.column_labels.length > 0 && h("thead", {}, h("tr", {},
    labelled ? h("td") : null, h("td"), ...block.column_labels.map((label) => h("th", { scope: "col" }, label)), h("td")));
  const unit = scaledUnit(exponent, block.unit);
  return h("figure", { class: "panel" },
    h("div", { class: "panel-head" },
      h("h3", {}, block.name, unit ? h("span", { class: "unit" }, ` [${unit}]`) : null),
      h("span", { class: "muted" }, `${block.values.length} \u00d7 ${width}`),
      h("span", { class: "tools" }, copyButton("CSV", () => csv(block.values)))),
    h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": `Matrix ${block.name}` },
      h("table", { class: numeric ? "matrix" : "matrix symbolic" }, head || null, h("tbody", {}, ...rows))),
    caption(block.caption));
}
