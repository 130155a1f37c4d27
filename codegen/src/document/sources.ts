import type { LineCounter } from 'yaml';

/** A place in the text of a file. Line and column count from 1. */
export interface Position {
  /** The path as messages show it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The offset in the texts of all files, one after the other, by which positions compare. */
  readonly offset: number;
}

export interface Source {
  readonly file: string;
  /** The text as it was read, with LF line ends. */
  readonly text: string;
  readonly lines: LineCounter;
  readonly start: number;
}

/** The files of a spec in the order they were read. Their offsets do not overlap. */
export class Sources {
  readonly #sources: Source[] = [];

  add(file: string, text: string, lines: LineCounter): Source {
    const last = this.#sources.at(-1);
    // One more, because a position can be behind the last character.
    const start = last ? last.start + last.text.length + 1 : 0;
    const source = { file, text, lines, start };
    this.#sources.push(source);
    return source;
  }

  positionAt(offset: number): Position {
    const source = this.#sources.findLast(({ start }) => start <= offset);
    if (source === undefined) throw new Error(`No file contains the offset ${offset}`);
    const { line, col } = source.lines.linePos(offset - source.start);
    return { file: source.file, line: Math.max(line, 1), column: Math.max(col, 1), offset };
  }
}
