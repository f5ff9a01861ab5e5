import { h } from "../ui/dom";

const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}\.yaml$/;

/** Ask whether to go on. */
export function askWhether(question: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = false;
    const agree = () => {
      answer = true;
      dialog.close();
    };
    const dialog = h("dialog", { class: "dialog" }, h("h2", {}, question), h("div", { class: "dialog-tools" },
      h("button", { type: "button", class: "tool", click: () => dialog.close() }, "Cancel"),
      h("button", { type: "button", class: "primary", click: agree }, yes)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Ask for the name of a case; null when the reader thinks better of it. */
export function askName(title: string, suggestion: string): Promise<string | null> {
  return new Promise((resolve) => {
    const input = h("input", { class: "field", value: suggestion, "aria-label": "Name", autocomplete: "off", spellcheck: "false" });
    const wrong = h("p", { class: "dialog-note" });
    const ending = () => (input.value.trim().endsWith(".yaml") ? input.value.trim() : `${input.value.trim()}.yaml`);
    const save = h("button", { type: "submit", class: "primary" }, "Save");
    const cancel = h("button", { type: "button", class: "tool", click: () => dialog.close() }, "Cancel");
    const form = h("form", { method: "dialog" }, h("h2", {}, title), input, wrong, h("div", { class: "dialog-tools" }, cancel, save));
    const dialog = h("dialog", { class: "dialog" }, form);
    let answer: string | null = null;
    const check = () => {
      const fits = NAME.test(ending());
      save.disabled = !fits;
      wrong.textContent = fits ? "" : "Letters, digits, spaces, '-', '_' and '.', a letter or digit first.";
    };
    input.addEventListener("input", check);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (save.disabled) return;
      answer = ending();
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    input.setSelectionRange(0, input.value.replace(/\.yaml$/, "").length);
    check();
  });
}
