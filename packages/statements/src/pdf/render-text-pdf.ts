import { setImmediate } from 'node:timers/promises';
import { contentWidth, PdfSheet, page, type TextStyle, textStyles } from './layout/pdf-sheet.js';
import { wrapText } from './layout/wrap-text.js';

/** A part of a text document. */
export type TextBlock =
  | { readonly kind: 'title' | 'heading' | 'paragraph' | 'point'; readonly text: string }
  /** Left out if its value is empty. */
  | { readonly kind: 'fact'; readonly label: string; readonly value: string }
  /** An entry of a list, with notes below its name. */
  | { readonly kind: 'entry'; readonly name: string; readonly notes: readonly string[] };

/** A document of text, which may run over several pages. */
export interface TextDocument {
  readonly title: string;
  readonly subject: string;
  /** Such as `nl`. */
  readonly language: string;
  /** `YYYY-MM-DD`: the date of the content, not of printing, so that output is reproducible. */
  readonly date: string;
  readonly blocks: readonly TextBlock[];
  /** At the foot of each page. */
  readonly footer: (page: number, pages: number) => string;
}

const styles = {
  title: { ...textStyles.title, size: 18, leading: 24 },
  heading: { ...textStyles.title, size: 12, leading: 17 },
  text: { ...textStyles.value, size: 10, leading: 14 },
  strong: { ...textStyles.strongValue, size: 10, leading: 14 },
  label: { ...textStyles.label, size: 10, leading: 14 },
  note: { ...textStyles.quiet, size: 9, leading: 13 },
} as const satisfies Readonly<Record<string, TextStyle>>;

/** The space above a block, in points. */
const spaceAbove = { title: 18, heading: 12, paragraph: 6, point: 3, fact: 3, entry: 6 } as const;

const labelWidth = 150;
const indent = 12;
const foot = page.height - page.bottom;

/** Texts side by side. */
interface Line {
  readonly texts: readonly PlacedText[];
  readonly leading: number;
  /** The space above it, unless it is the first of a page. */
  readonly space: number;
  readonly keepWithNext: boolean;
}

interface PlacedText {
  readonly text: string;
  /** Points from the left margin. */
  readonly left: number;
  readonly style: TextStyle;
}

/** Renders a document of text as a PDF on A4. The same document gives the same bytes. */
export async function renderTextPdf(document: TextDocument): Promise<Uint8Array> {
  const sheet = await PdfSheet.create(document);
  const pages = paginateLines(document.blocks.flatMap((block) => blockLines(block, sheet)));
  for (const [index, lines] of pages.entries()) {
    // Long documents yield to the event loop.
    await setImmediate();
    sheet.addPage();
    let y: number = page.margin;
    for (const [place, { texts, leading, space }] of lines.entries()) {
      if (place > 0) y += space;
      for (const { text, left, style } of texts) sheet.setLine(text, page.margin + left, y, style);
      y += leading;
    }
    const footer = document.footer(index + 1, pages.length);
    sheet.setLine(footer, page.width - page.margin, foot + 14, textStyles.footer, 'right');
  }
  return sheet.finish();
}

function blockLines(block: TextBlock, sheet: PdfSheet): Line[] {
  const lines = (text: string, style: TextStyle, left = 0): Line[] =>
    wrapText(text, contentWidth - left, style, sheet).map((part) => ({
      texts: [{ text: part, left, style }],
      leading: style.leading,
      space: 0,
      keepWithNext: false,
    }));
  const above = spaceAbove[block.kind];
  switch (block.kind) {
    case 'title':
      return keptTogether(lines(block.text, styles.title), above);
    case 'heading':
      return keptTogether(lines(block.text, styles.heading), above);
    case 'paragraph':
      return withSpace(lines(block.text, styles.text), above);
    case 'point':
      return withSpace(withLabel('•', lines(block.text, styles.text, indent)), above);
    case 'fact':
      return withSpace(withLabel(block.label, lines(block.value, styles.text, labelWidth)), above);
    case 'entry': {
      const notes = block.notes.flatMap((note) => lines(note, styles.note, indent));
      const name = lines(block.name, styles.strong, indent);
      return [...(notes.length > 0 ? keptTogether(name, above) : withSpace(name, above)), ...notes];
    }
  }
}

/** Adds a label to the left of the first line. */
function withLabel(label: string, [first, ...others]: readonly Line[]): Line[] {
  if (first === undefined) return [];
  const placed = { text: label, left: 0, style: styles.label };
  return [{ ...first, texts: [placed, ...first.texts] }, ...others];
}

function withSpace([first, ...others]: readonly Line[], space: number): Line[] {
  return first === undefined ? [] : [{ ...first, space }, ...others];
}

function keptTogether(lines: readonly Line[], space: number): Line[] {
  return withSpace(
    lines.map((line) => ({ ...line, keepWithNext: true })),
    space,
  );
}

/**
 * Distributes lines over pages. A heading and the name of an entry are on the page of the next
 * line.
 */
function paginateLines(lines: readonly Line[]): readonly (readonly Line[])[] {
  const height = foot - page.margin;
  const pages: Line[][] = [[]];
  let used = 0;
  for (const [index, line] of lines.entries()) {
    const isFirst = pages.at(-1)?.length === 0;
    if (!isFirst && used + heightWithNext(lines, index) > height) {
      pages.push([]);
      used = 0;
    }
    used += (pages.at(-1)?.length === 0 ? 0 : line.space) + line.leading;
    pages.at(-1)?.push(line);
  }
  return pages;
}

/** Returns the height of a line together with the lines that have to be on its page. */
function heightWithNext(lines: readonly Line[], index: number): number {
  const line = lines[index];
  if (line === undefined) return 0;
  const own = line.space + line.leading;
  return line.keepWithNext ? own + heightWithNext(lines, index + 1) : own;
}
