// The structure of a case as it is being written: keys and values with their places. Unlike a YAML parser it never
// fails, so that completion works in the middle of a line; block and flow style, quotes, comments, literal blocks.

export type Path = (string | number)[];
export interface Key { path: Path; from: number; to: number }
export interface Scalar { path: Path; from: number; to: number; text: string }
/** Where the text ends: in a key or a value of the field at `path`. */
export interface Place { path: Path; at: "key" | "value" }
export interface Outline { keys: Key[]; scalars: Scalar[]; end: Place }

interface BlockFrame { indent: number; key: string | null; index: number; open: boolean }
interface FlowFrame { mapping: boolean; key: string | null; index: number; token: number }

const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#,[\]{}"'&*!|>-][^#,[\]{}:]*?|-[^\s#,[\]{}:][^#,[\]{}:]*?)\s*:(?=\s|$)/;

function unquoted(text: string): string {
  return /^(".*"|'.*')$/s.test(text) ? text.slice(1, -1) : text;
}

class Scanner {
  readonly keys: Key[] = [];
  readonly scalars: Scalar[] = [];
  private readonly blocks: BlockFrame[] = [];
  private readonly flows: FlowFrame[] = [];
  private literal: number | null = null; // indent of the field whose literal block is being read
  private at: "key" | "value" = "key";

  constructor(private readonly text: string) {}

  run(): Outline {
    let from = 0;
    while (from <= this.text.length) {
      const stop = this.text.indexOf("\n", from);
      const to = stop < 0 ? this.text.length : stop;
      if (this.flows.length) this.flow(from, to);
      else this.line(from, to, stop < 0);
      if (stop < 0) break;
      from = to + 1;
    }
    return { keys: this.keys, scalars: this.scalars, end: { path: this.path(), at: this.at } };
  }

  private path(): Path {
    const flows = this.flows.map((frame) => (frame.mapping ? frame.key : frame.index));
    const parts = [...this.blocks.map((frame) => frame.key ?? (frame.index >= 0 ? frame.index : null)), ...flows];
    return parts.filter((part): part is string | number => part !== null);
  }

  private line(from: number, to: number, last: boolean): void {
    const line = this.text.slice(from, to);
    const indent = line.length - line.trimStart().length;
    const blank = /^\s*(#.*)?$/.test(line);
    if (this.literal !== null) {
      if (blank || indent > this.literal) return;
      this.literal = null;
    }
    if (blank && !(last && /^\s*$/.test(line))) return;
    let column = indent;
    while (this.blocks.length && this.blocks.at(-1)!.indent > column) this.blocks.pop();
    const dash = /^-(\s+|$)/.exec(line.slice(column));
    if (!dash && this.blocks.at(-1)?.indent === column && this.blocks.at(-1)!.key === null && !blank) this.blocks.pop();
    let rest = line.slice(column);
    for (let match = dash; match; match = /^-(\s+|$)/.exec(rest)) {
      const top = this.blocks.at(-1);
      if (top && top.indent === column && top.key === null) top.index++;
      else this.blocks.push({ indent: column, key: null, index: 0, open: true });
      column += match[0].length;
      rest = line.slice(column);
    }
    if (blank) return this.blankEnd(column);
    const found = KEY.exec(rest);
    if (!found) {
      this.at = this.blocks.at(-1)?.key === null ? "value" : "key";
      if (this.blocks.at(-1)?.indent === column && this.blocks.at(-1)?.key !== null && last) this.blocks.pop();
      if (this.blocks.at(-1)?.key === null) this.value(from + column, to);
      return;
    }
    const key = unquoted(found[1]);
    const top = this.blocks.at(-1);
    if (top && top.indent === column && top.key !== null) Object.assign(top, { key, open: true });
    else this.blocks.push({ indent: column, key, index: -1, open: true });
    this.keys.push({ path: this.path(), from: from + column, to: from + column + found[1].length });
    this.at = "value";
    this.value(from + column + found[0].length, to);
  }

  /** The text ends on an empty line: its indentation tells which mapping is meant. */
  private blankEnd(column: number): void {
    const top = this.blocks.at(-1);
    if (top && top.indent === column && top.key !== null) this.blocks.pop();
    this.at = "key";
  }

  private value(from: number, to: number): void {
    const raw = this.text.slice(from, to);
    const start = from + raw.length - raw.trimStart().length;
    const text = raw.trim();
    if (!text || text.startsWith("#")) return;
    const top = this.blocks.at(-1)!;
    if (/^[|>][-+\d]*\s*(#.*)?$/.test(text)) {
      this.literal = top.indent;
    } else if (text[0] === "[" || text[0] === "{") {
      this.flow(start, to);
    } else {
      const quoted = /^("(?:[^"\\]|\\.)*"|'[^']*')/.exec(text);
      const shown = quoted ? quoted[0] : text.replace(/\s+#.*$/, "");
      this.scalars.push({ path: this.path(), from: start, to: start + shown.length, text: unquoted(shown) });
    }
  }

  /** Read on inside brackets, over as many lines as they take. */
  private flow(from: number, to: number): void {
    const { text, flows } = this;
    for (let i = from; i < to; i++) {
      const c = text[i];
      const top = flows.at(-1);
      if (c === "[" || c === "{") {
        flows.push({ mapping: c === "{", key: null, index: 0, token: i + 1 });
      } else if (!top) {
        return;
      } else if (c === "]" || c === "}") {
        this.finish(top, i);
        flows.pop();
        if (flows.length) flows.at(-1)!.token = i + 1;
        else this.at = "value";
      } else if (c === ",") {
        this.finish(top, i);
        if (top.mapping) top.key = null;
        else top.index++;
        top.token = i + 1;
      } else if (c === ":" && top.mapping && top.key === null && (i + 1 >= to || /[\s,\]}]/.test(text[i + 1]))) {
        const raw = text.slice(top.token, i);
        const start = top.token + raw.length - raw.trimStart().length;
        top.key = unquoted(raw.trim());
        this.keys.push({ path: this.path(), from: start, to: start + raw.trim().length });
        top.token = i + 1;
      } else if ((c === '"' || c === "'") && text.slice(top.token, i).trim() === "") {
        const close = text.indexOf(c, i + 1);
        i = close < 0 || close >= to ? to : close;
      } else if (c === "#" && /\s/.test(text[i - 1] ?? " ")) break;
    }
    const top = flows.at(-1);
    if (top) this.at = top.mapping && top.key === null ? "key" : "value";
  }

  private finish(frame: FlowFrame, to: number): void {
    const raw = this.text.slice(frame.token, to);
    const token = raw.trim();
    if (!token || (frame.mapping && frame.key === null)) return;
    const start = frame.token + raw.length - raw.trimStart().length;
    this.scalars.push({ path: this.path(), from: start, to: start + token.length, text: unquoted(token) });
  }
}

/** Keys and single values of a case, and where its text ends. */
export function outline(text: string): Outline {
  return new Scanner(text).run();
}

/** Names of the fields directly below `path`. */
export function fieldsOf(whole: Outline, path: Path): string[] {
  const depth = path.length;
  return whole.keys
    .filter((key) => key.path.length === depth + 1 && path.every((part, i) => key.path[i] === part))
    .map((key) => String(key.path[depth]));
}

/** The single value of a field, if it has one. */
export function valueAt(whole: Outline, path: Path): string | undefined {
  return whole.scalars.find((scalar) => scalar.path.length === path.length && path.every((part, i) => scalar.path[i] === part))?.text;
}

export function shownPath(path: Path): string {
  return path.reduce<string>((text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${part}` : part), "");
}
