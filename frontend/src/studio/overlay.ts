// Two runs over each other, such as rigid against flexible: curves of the same plot, those of the other run dashed.
import type { Block, Document, Plot, Section } from "../document/types";
import { PALETTE } from "../ui/theme";

/** What makes two plots show the same thing; in documents with other units they do not. */
const subject = (plot: Plot) => JSON.stringify([plot.title, plot.x.label, plot.x.unit, plot.x.log, plot.y.label, plot.y.unit, plot.y.log]);

function plotsOf(blocks: Block[]): Plot[] {
  return blocks.flatMap((block) => (block.kind === "Plot" ? [block] : block.kind === "Row" ? plotsOf(block.blocks) : []));
}

/** The plots of some sections by subject, each used once. */
function supply(sections: Section[]): Map<string, Plot[]> {
  const found = new Map<string, Plot[]>();
  for (const plot of plotsOf(sections.flatMap((section) => section.blocks))) {
    found.set(subject(plot), [...(found.get(subject(plot)) ?? []), plot]);
  }
  return found;
}

/** The plot with the curves of the same names from another run. */
function laid(plot: Plot, other: Plot, name: string): { plot: Plot; curves: number } {
  const more = plot.series.flatMap((own, index) => {
    const twin = other.series.find((series) => series.name === own.name);
    const colour = own.colour || PALETTE[index % (PALETTE.length - 1)]; // that of its own curve
    return twin ? [{ ...twin, name: `${twin.name}, ${name}`, colour, dashed: true, markers: false, line: true, links: null }] : [];
  });
  return { plot: { ...plot, series: [...plot.series, ...more] }, curves: more.length };
}

/**
 * The document with the curves of another one in its plots, and how many there are. Analyses of the same name are laid over
 * each other; an analysis that the other run does not have takes plots of the same title from anywhere in it.
 */
export function overlay(document: Document, other: Document, name: string): { document: Document; curves: number } {
  let curves = 0;
  const sections = document.sections.map((section) => {
    const same = other.sections.filter((candidate) => candidate.title === section.title);
    const plots = supply(same.length ? same : other.sections);
    const blocks = (list: Block[]): Block[] => list.map((block) => {
      if (block.kind === "Row") return { ...block, blocks: blocks(block.blocks) };
      const twin = block.kind === "Plot" ? plots.get(subject(block))?.shift() : undefined;
      if (block.kind !== "Plot" || !twin) return block;
      const made = laid(block, twin, name);
      curves += made.curves;
      return made.plot;
    });
    return { ...section, blocks: blocks(section.blocks) };
  });
  return { document: { ...document, sections }, curves };
}
