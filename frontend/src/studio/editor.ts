import { autocompletion, completionKeymap, startCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h } from "../ui/dom";
import type { Problem } from "./api";
import { outline, shownPath, type Outline, type Path } from "./outline";
import type { CaseSchema } from "./schema";

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--c-green)" },
  { tag: [tags.separator, tags.punctuation, tags.bracket, tags.squareBracket, tags.brace], color: "var(--muted)" },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: "var(--c-purple)" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--text)", fontSize: "13.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { padding: "10px 0 40vh", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--line-strong)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 10px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--accent-soft)" },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", border: "1px solid var(--line-strong)", borderRadius: "5px", boxShadow: "0 4px 18px rgb(0 0 0 / 0.16)", color: "var(--text)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "15em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 10px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent-soft)", color: "var(--text)" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "650", color: "var(--accent)" },
  ".cm-completionInfo": { padding: "8px 12px", maxWidth: "340px", fontSize: "13px", lineHeight: "1.45", fontFamily: "var(--font)" },
  ".cm-diagnostic": { padding: "6px 12px", borderLeftWidth: "4px", fontFamily: "var(--font)", fontSize: "13px", maxWidth: "520px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--error)", textUnderlineOffset: "4px", textDecorationSkipInk: "none" },
  ".cm-lint-marker": { width: "9px", height: "9px" },
  ".cm-lint-marker-error": { content: "none", backgroundColor: "var(--error)", borderRadius: "50%", margin: "6px 2px 0" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-panels": { backgroundColor: "var(--page)", color: "var(--text)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-textfield": { backgroundColor: "var(--panel)", border: "1px solid var(--line-strong)", borderRadius: "4px" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--panel)", border: "1px solid var(--line-strong)", borderRadius: "4px" },
});

/** Fields whose values are names given elsewhere in the case, and where. */
const NAMES: Record<string, string> = { body: "bodies", material: "materials", joint: "joints" };
/** Fields that name files. */
const FILES = new Set(["file", "samples"]);

export interface EditorOptions {
  text: string; nonce: string; schema: CaseSchema; parent: HTMLElement;
  onChange(text: string): void;
  /** Files that a case may name. */
  files(): Promise<string[]>;
}

export class CaseEditor {
  readonly view: EditorView;

  constructor(options: EditorOptions) {
    this.view = new EditorView({
      parent: options.parent,
      state: EditorState.create({
        doc: options.text,
        extensions: [
          EditorView.cspNonce.of(options.nonce),
          lineNumbers(), lintGutter(), highlightActiveLineGutter(), highlightActiveLine(), highlightSelectionMatches(), drawSelection(), history(),
          indentUnit.of("  "), EditorState.tabSize.of(2), yaml(), syntaxHighlighting(COLOURS), LOOK,
          autocompletion({ override: [(context) => completions(context, options)], icons: false }),
          hoverTooltip((view, position) => explanation(view, position, options.schema), { hoverTime: 450 }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ "aria-label": "Case file" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) options.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replace everything, as one step that can be undone. */
  setText(text: string): void {
    this.replace(0, this.view.state.doc.length, text);
  }

  replace(from: number, to: number, insert: string): void {
    this.view.dispatch({ changes: { from, to, insert }, userEvent: "input" });
  }

  showProblems(problems: Problem[]): void {
    const { doc } = this.view.state;
    const diagnostics = problems.filter((problem) => problem.line !== null).map((problem): Diagnostic => {
      const line = doc.line(Math.min(Math.max(problem.line!, 1), doc.lines));
      // The field itself where it stands on this line, else all that is written there.
      const name = problem.field.split(".").at(-1)!.replace(/\[\d+\]$/, "");
      const at = name ? line.text.search(new RegExp(`(^|[\\s{,"'])${name.replace(/[^\w]/g, "\\$&")}\\s*["']?:`)) : -1;
      const start = at >= 0 ? at + line.text.slice(at).search(/[^\s{,]/) : line.text.search(/\S|$/);
      const text = problem.field ? `${problem.field}: ${problem.message}` : problem.message;
      return { from: line.from + start, to: Math.max(line.to, line.from + start), severity: "error", message: text };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Put the cursor on a line. */
  goTo(line: number): void {
    const { doc } = this.view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }
}

async function completions(context: CompletionContext, editor: EditorOptions): Promise<CompletionResult | null> {
  const { schema } = editor;
  const word = context.matchBefore(/[\w\-./]*/)!;
  const line = context.state.doc.lineAt(context.pos);
  if (/(^|\s)#/.test(line.text.slice(0, word.from - line.from))) return null;
  const text = context.state.doc.toString();
  const { end } = outline(text.slice(0, word.from));
  // What is typed just now is no field yet.
  const whole = outline(text.slice(0, word.from) + text.slice(context.pos));
  const value = end.at === "value";
  if (value && word.from === context.pos && !/[\s[{,]$/.test(text.slice(0, word.from))) return null;
  const named = value && FILES.has(String(end.path.at(-1))) ? await editor.files() : [];
  const options = [
    ...named.map((label): Completion => ({ label, type: "text" })),
    ...(value ? values(end.path, whole, schema) : fields(end.path, whole, schema)),
  ];
  if (!options.length || (!context.explicit && !value && word.from === word.to && line.text.trim() === "" && line.length === 0)) return null;
  return { from: word.from, options, validFor: /^[\w\-./]*$/ };
}

function fields(path: Path, whole: Outline, schema: CaseSchema): Completion[] {
  const found = schema.fields(path, whole);
  return found.map(({ name, schema: field, required }): Completion => {
    const lines = schema.describe(field);
    return {
      label: name, type: "property", detail: required ? "needed" : "", boost: required ? 10 : name === "description" ? -5 : 0,
      info: lines.length ? () => paragraphs(lines) : undefined,
      apply: (view, completion, from, to) => {
        const insert = completion.label + (schema.nested(field) ? ":" : ": ");
        view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input.complete" });
        if (!schema.nested(field)) startCompletion(view);
      },
    };
  });
}

function values(path: Path, whole: Outline, schema: CaseSchema): Completion[] {
  const name = String(path.at(-1));
  const named = NAMES[name];
  const names = named && path.length > 2 ? whole.keys.filter((key) => key.path.length === 2 && key.path[0] === named).map((key) => String(key.path[1])) : [];
  return [
    ...names.map((label): Completion => ({ label, type: "variable", detail: named })),
    ...schema.choices(path, whole).map(({ value, detail }): Completion => ({
      label: value, type: "constant", info: detail ? () => paragraphs([detail.split("\n\n")[0].replaceAll("\n", " ")]) : undefined,
    })),
  ];
}

function paragraphs(lines: string[]): HTMLElement {
  return h("div", {}, ...lines.map((line) => h("div", {}, line)));
}

function explanation(view: EditorView, position: number, schema: CaseSchema) {
  const whole = outline(view.state.doc.toString());
  const key = whole.keys.find(({ from, to }) => from <= position && position <= to);
  if (!key) return null;
  const name = String(key.path.at(-1));
  const owners = schema.at(key.path.slice(0, -1), whole);
  const field = owners.map((owner) => owner.properties?.[name]).find((found) => found !== undefined);
  const chosen = field ?? schema.at(key.path, whole)[0];
  const lines = chosen ? schema.describe(chosen) : [];
  if (!lines.length) return null;
  return {
    pos: key.from, end: key.to, above: true,
    create: () => ({ dom: h("div", { class: "cm-completionInfo" }, h("code", {}, shownPath(key.path)), paragraphs(lines)) }),
  };
}
