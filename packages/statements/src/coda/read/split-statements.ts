import { newBytes, viewOf } from '../../bytes.js';
import { endOfJoinedRecord } from './missing-line-end.js';

const empty: Uint8Array = new Uint8Array();
const NEW_LINE = 0x0a;
const ZERO = 0x30;
const TRAILER = 0x39;
const MARK = [0xef, 0xbb, 0xbf] as const;
const END_OF_FILE = 0x1a;
/** Blank, tab, carriage return, the end-of-file mark of DOS, and NUL. */
const blanks = new Set([0x20, 0x09, 0x0d, 0x1a, 0x00]);
/** A shorter line is not taken for a header, or a few bytes each would start a statement. */
const SHORTEST_HEADER = 64;
/** A longer line counts as content, even if it is blank. */
const LONGEST_BLANK = 1024;
/** A longer line is assigned to a statement before its end has arrived. */
const LONG_LINE = 65_536;
/** The shortest average line of a statement; bookkeeping of shorter ones would outweigh them. */
const SHORTEST_LINE = 32;

/** The largest piece that the splitter takes, in bytes. */
export const PIECE = 65_536;

/** The bytes of one statement, or of lines that belong to no statement. */
export interface Segment {
  readonly isStatement: boolean;
  /** The bytes including line ends; empty if they exceed the limit. */
  readonly bytes: Uint8Array;
  /** The offset of each line's end in the bytes, before its line feed. */
  readonly lineEnds: readonly number[];
  /** The offset of the first byte in the source. */
  readonly start: number;
  /** The offset after the last byte. */
  readonly end: number;
  /** The number of the first line in the source, from 1. */
  readonly firstLine: number;
  readonly lineCount: number;
  readonly tooLarge: boolean;
  /** The first line that another one follows without a line end, 0 for none. */
  readonly cutLine: number;
  /** The first blank line around the statement, 0 for none. */
  readonly blankLine: number;
  readonly byteOrderMark: boolean;
  /** Another statement follows. */
  readonly followed: boolean;
}

/** A segment that is not complete, or of which it is not known what follows it. */
type OpenSegment = { -readonly [Key in keyof Segment]: Segment[Key] } & {
  readonly lineEnds: number[];
};

/**
 * Splits bytes into statements by the first characters of the lines, holding at most one statement
 * of a stream. A line that starts with 0 opens a statement, one that starts with 9 ends it, and so
 * does a header (00000) in the middle of it. The sizes of the pieces make no difference.
 */
export class StatementSplitter {
  readonly #maxBytes: number;
  /** Holds the content of a stream. */
  #window: Uint8Array | undefined;
  /** The bytes that have arrived, without those that are no longer needed. */
  #content: Uint8Array = empty;
  /** The offset of the content in the source. */
  #offset = 0;
  /** The start of the open segment in the content. */
  #begin = 0;
  /** The start of the current line in the content. */
  #lineStart = 0;
  /** The end of the bytes in which line feeds have been searched. */
  #scanned = 0;
  #line = 1;
  /** The first byte of the current line, once the line has been assigned to a segment. */
  #lineKind: number | undefined;
  #open: OpenSegment | undefined;
  /** A complete statement, held back until it is known whether another one follows. */
  #held: OpenSegment | undefined;
  #blankLine = 0;
  #byteOrderMark = false;
  #isEnded = false;

  /** @param maxBytes the size limit of a statement */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes of a stream, up to `PIECE`. */
  push(piece: Uint8Array): void {
    const window = this.#makeRoom(piece.length);
    const used = this.#content.length;
    window.set(piece, used);
    this.#content = window.subarray(0, used + piece.length);
  }

  /** Ends the source. @param whole the source, if nothing of it was pushed; it is not copied */
  end(whole?: Uint8Array): void {
    if (whole !== undefined) {
      this.#content = viewOf(whole);
    }
    this.#isEnded = true;
  }

  /** Returns the next statement that is complete; undefined if it needs more bytes. */
  next(): Segment | undefined {
    for (;;) {
      const lineFeed = this.#content.indexOf(NEW_LINE, this.#scanned);
      const end = lineFeed === -1 ? this.#content.length : lineFeed;
      const isWhole = lineFeed !== -1 || this.#isEnded;
      const cut = endOfJoinedRecord(this.#content, this.#lineStart, end, isWhole);
      this.#scanned = cut === undefined && lineFeed !== -1 ? lineFeed + 1 : end;
      if (cut === undefined && lineFeed === -1) break;
      const complete = this.#endLine(cut ?? lineFeed, cut ?? lineFeed + 1);
      if (complete !== undefined) return complete;
    }
    return this.#isEnded ? this.#last() : this.#bound();
  }

  #last(): Segment | undefined {
    const end = this.#content.length;
    if (end > this.#lineStart || this.#lineKind !== undefined) {
      const complete = this.#endLine(end, end);
      if (complete !== undefined) return complete;
    }
    if (this.#open !== undefined) this.#held = this.#close(this.#open, end, this.#line);
    return this.#releaseHeld(false);
  }

  /** Ends the current line. @param next the start of the next one */
  #endLine(end: number, next: number): Segment | undefined {
    const complete = this.#lineKind === undefined ? this.#beginLine(end, true) : undefined;
    const open = this.#open;
    if (open === undefined) {
      this.#begin = next;
    } else {
      if (!open.tooLarge) open.lineEnds.push(end - this.#begin);
      if (end === next && end < this.#content.length) open.cutLine ||= this.#line;
      this.#limit(open, next - this.#begin);
      if (open.isStatement && this.#lineKind === TRAILER) {
        this.#held = this.#close(open, next, this.#line + 1);
      }
    }
    this.#line += 1;
    this.#lineStart = next;
    this.#lineKind = undefined;
    return complete;
  }

  /**
   * Assigns the current line to a segment; it may begin a statement or end one.
   *
   * @returns the segment that is complete, as it is known now what follows it
   */
  #beginLine(end: number, isWhole: boolean): Segment | undefined {
    if (this.#open === undefined) this.#skipMarks(end);
    const from = this.#lineStart;
    const kind = from < end ? this.#content[from] : undefined;
    let complete: Segment | undefined;
    if (this.#open === undefined) {
      if (isWhole && this.#isBlank(from, end)) {
        this.#blankLine ||= this.#line;
        return undefined;
      }
      const isStatement = this.#startsWithZeros(1, from, end);
      complete = this.#releaseHeld(isStatement);
      this.#start(isStatement);
    } else if (this.#startsWithZeros(5, from, end)) {
      this.#held = this.#close(this.#open, from, this.#line);
      complete = this.#releaseHeld(true);
      this.#start(true);
    }
    this.#lineKind = kind ?? NEW_LINE;
    return complete;
  }

  #start(isStatement: boolean): void {
    this.#begin = this.#lineStart;
    const start = this.#offset + this.#lineStart;
    this.#open = {
      isStatement,
      bytes: empty,
      lineEnds: [],
      start,
      end: start,
      firstLine: this.#line,
      lineCount: 0,
      tooLarge: false,
      cutLine: 0,
      blankLine: 0,
      byteOrderMark: false,
      followed: false,
    };
  }

  /** Completes a segment with the bytes up to `end`, the start of the line `nextLine`. */
  #close(open: OpenSegment, end: number, nextLine: number): OpenSegment {
    if (!open.tooLarge) {
      const bytes = this.#content.subarray(this.#begin, end);
      open.bytes = this.#window === undefined ? bytes : viewOf(new Uint8Array(bytes));
    }
    open.end = this.#offset + end;
    open.lineCount = nextLine - open.firstLine;
    this.#begin = end;
    this.#open = undefined;
    return open;
  }

  #releaseHeld(followed: boolean): Segment | undefined {
    const segment = this.#held;
    if (segment === undefined) return undefined;
    segment.followed = followed;
    segment.blankLine = this.#blankLine;
    segment.byteOrderMark = this.#byteOrderMark;
    this.#held = undefined;
    this.#blankLine = 0;
    this.#byteOrderMark = false;
    return segment;
  }

  #limit(open: OpenSegment, size: number): void {
    const lines = open.lineEnds.length;
    if (size <= this.#maxBytes && lines <= this.#maxBytes / SHORTEST_LINE) return;
    open.tooLarge = true;
    open.lineEnds.length = 0;
  }

  /** Drops bytes that are not needed, so that no stream can exhaust memory. */
  #bound(): Segment | undefined {
    const end = this.#content.length;
    const isLong = this.#lineKind === undefined && end - this.#lineStart > LONG_LINE;
    const complete = isLong ? this.#beginLine(end, false) : undefined;
    const open = this.#open;
    if (open === undefined) return complete;
    if (this.#lineKind !== undefined) this.#limit(open, end - this.#begin);
    if (open.tooLarge) {
      this.#begin = this.#lineKind === undefined ? this.#lineStart : end;
      this.#lineStart = this.#begin;
    }
    return complete;
  }

  /** Makes room behind the content. Bytes before the open segment are dropped if need be. */
  #makeRoom(size: number): Uint8Array {
    const content = this.#content;
    const old = this.#window ?? newBytes(4 * PIECE);
    this.#window = old;
    if (content.length + size <= old.length) return old;
    const kept = content.length - this.#begin;
    // Doubling once it is more than half full keeps the cost of moving bytes linear.
    const window = kept + size > old.length / 2 ? newBytes(old.length * 2) : old;
    window.set(content.subarray(this.#begin));
    this.#window = window;
    this.#content = window.subarray(0, kept);
    this.#offset += this.#begin;
    this.#lineStart -= this.#begin;
    this.#scanned -= this.#begin;
    this.#begin = 0;
    return window;
  }

  /** Skips byte order marks and end-of-file marks of DOS before a statement. */
  #skipMarks(end: number): void {
    const content = this.#content;
    const from = this.#lineStart;
    let start = from;
    for (;;) {
      const isEndOfFile = content[start] === END_OF_FILE && start < end - SHORTEST_HEADER;
      if (!isEndOfFile && !this.#hasMarkAt(start)) break;
      start += isEndOfFile ? 1 : MARK.length;
    }
    if (start === from) return;
    if (this.#line === 1 && this.#hasMarkAt(from)) this.#byteOrderMark = true;
    else this.#blankLine ||= this.#line;
    this.#lineStart = start;
    this.#begin = start;
  }

  #hasMarkAt(from: number): boolean {
    return MARK.every((byte, index) => this.#content[from + index] === byte);
  }

  #isBlank(from: number, end: number): boolean {
    if (end - from > LONGEST_BLANK) return false;
    for (let index = from; index < end; index += 1) {
      if (!blanks.has(this.#content[index] ?? 0)) return false;
    }
    return true;
  }

  /** True if the line could be a header, which starts with five zeros. */
  #startsWithZeros(count: number, from: number, end: number): boolean {
    if (end - from < SHORTEST_HEADER) return false;
    for (let index = from; index < from + count; index += 1) {
      if (this.#content[index] !== ZERO) return false;
    }
    return true;
  }
}
