import { renderCode, renderKeyValues, renderNotice, renderQuality, renderText } from "../blocks/text";
import { renderMatrix, renderTable } from "../blocks/table";
import { renderPlot } from "../plot/plot";
import { renderScene } from "../scene/block";
import { h, iconButton } from "../ui/dom";
import { toggleTheme } from "../ui/theme";
import { Links } from "./links";
import type { Block, Document } from "./types";

/** Show `document` inside `root`; returns the links through which its scenes can be driven. */
export function renderDocument(root: HTMLElement, document: Document): Links {
  const links = new Links();
  root.replaceChildren(header(document), renderBody(document, links, true));
  return links;
}

/** The sections of a document, with a list of them beside where there is room for it. */
export function renderBody(document: Document, links: Links, listed: boolean): HTMLElement {
  const sections = document.sections.map((section, i) => h(
    "section", { id: `section-${i + 1}`, class: "section", "aria-labelledby": `section-title-${i + 1}` },
    h("h2", { id: `section-title-${i + 1}` }, section.title),
    ...section.blocks.map((block) => renderBlock(block, links))));
  const content = h("main", { class: "content", id: "content" }, ...sections);
  return h("div", { class: listed ? "page" : "page page-narrow" }, listed ? navigation(document, sections, links) : null, content);
}

/** One block as an element; a studio may place blocks on its own. */
export function renderBlock(block: Block, links: Links): HTMLElement {
  switch (block.kind) {
    case "Text": return renderText(block);
    case "Notice": return renderNotice(block);
    case "KeyValues": return renderKeyValues(block);
    case "Quality": return renderQuality(block);
    case "Table": return renderTable(block);
    case "Matrix": return renderMatrix(block);
    case "Code": return renderCode(block);
    case "Plot": return renderPlot(block, links);
    case "Scene": return renderScene(block, links);
    case "Row": return h("div", { class: "row" }, ...block.blocks.map((inner) => renderBlock(inner, links)));
  }
}

function header(document: Document): HTMLElement {
  const meta: [string, string][] = [...document.meta];
  return h("header", { class: "page-head" },
    h("a", { class: "skip", href: "#content" }, "Skip to the content"),
    h("div", { class: "page-title" },
      h("h1", {}, document.title),
      document.case_name ? h("span", { class: "case-name" }, document.case_name) : null),
    meta.length ? h("dl", { class: "meta" }, ...meta.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value)))) : null,
    h("div", { class: "page-tools" },
      document.version ? h("span", { class: "version" }, `flexframe ${document.version}`) : null,
      iconButton("theme", "Light or dark", toggleTheme)));
}

/** Links to the sections; the one being read is marked. */
function navigation(document: Document, sections: HTMLElement[], links: Links): HTMLElement {
  // Where the address names a view of the studio, it must go on doing so.
  const go = (i: number) => (event: Event) => {
    if (!location.hash.startsWith("#/")) return;
    event.preventDefault();
    sections[i].scrollIntoView();
  };
  const items = document.sections.map((section, i) => h("a", { href: `#section-${i + 1}`, click: go(i) }, section.title));
  const mark = () => {
    const line = innerHeight * 0.3;
    const bottom = innerHeight + scrollY >= globalThis.document.documentElement.scrollHeight - 4;
    let current = 0;
    sections.forEach((section, i) => {
      if (section.getBoundingClientRect().top <= line) current = i;
    });
    if (bottom && scrollY > 0) current = sections.length - 1;
    items.forEach((item, i) => (i === current ? item.setAttribute("aria-current", "true") : item.removeAttribute("aria-current")));
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", mark);
  links.atEnd(() => {
    removeEventListener("scroll", mark);
    removeEventListener("resize", mark);
  });
  requestAnimationFrame(mark);
  return h("nav", { class: "side", "aria-label": "Sections" }, ...items);
}
