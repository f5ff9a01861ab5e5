export type ThemeChoice = "auto" | "light" | "dark";
const KEY = "flexframe-theme";
const listeners = new Set<() => void>();
const values = new Map<string, string>(); // colours of the current theme, read once
const system = matchMedia("(prefers-color-scheme: dark)");

/** The reader's choice; storage may be refused for a file opened from disk. */
function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}

export function currentTheme(): "light" | "dark" {
  return document.documentElement.dataset["theme"] === "dark" ? "dark" : "light";
}

function apply(theme: "light" | "dark"): void {
  if (document.documentElement.dataset["theme"] === theme) return;
  document.documentElement.dataset["theme"] = theme;
  values.clear();
  for (const listener of listeners) listener();
}

function follow(): void {
  const choice = stored();
  apply(choice === "auto" ? (system.matches ? "dark" : "light") : choice);
}

/** Start following the system and the reader's choice; paper is always light. */
export function startTheme(): void {
  follow();
  system.addEventListener("change", follow);
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", follow);
}

export function toggleTheme(): void {
  const next = currentTheme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Not remembered then; the page still changes.
  }
  apply(next);
}

/** Call back on every change of theme, until the returned function is called. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The value of a colour of the current theme. */
export function themeColour(name: string): string {
  let value = values.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    values.set(name, value);
  }
  return value;
}

export const PALETTE = ["blue", "orange", "green", "red", "purple", "teal", "brown", "grey"];

/** CSS for a document colour: a palette name, #rrggbb, or the palette colour number `index`. */
export function cssColour(colour: string, index: number): string {
  if (colour.startsWith("#")) return colour;
  return `var(--c-${colour || PALETTE[index % (PALETTE.length - 1)]})`;
}

/** The same, resolved to #rrggbb for canvas and WebGL. */
export function resolveColour(colour: string, index: number): string {
  if (colour.startsWith("#")) return colour;
  return themeColour(`c-${colour || PALETTE[index % (PALETTE.length - 1)]}`);
}
