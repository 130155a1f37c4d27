const NEW_LINE = 0x0a;
const ZERO = 0x30;
const TRAILER = 0x39;
const MARK = [0xef, 0xbb, 0xbf] as const;
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

/** The largest chunk that the splitter takes, in bytes. */
export const PIECE = 65_536;

/** The bytes of one statement, or of lines that belong to no statement. */
export interface Segment {
  readonly isStatement: boolean;
  /** The bytes including line ends; empty if they exceed the limit. */
  readonly bytes: Buffer;
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
  /** The first blank line around the statement, 0 for none. */
  readonly blankLine: number;
  readonly byteOrderMark: boolean;
  /** Another statement follows. */
  readonly followed: boolean;
}

interface OpenSegment {
  readonly isStatement: boolean;
  readonly start: number;
  readonly firstLine: number;
  readonly lineEnds: number[];
  tooLarge: boolean;
}

/** A complete segment, until it is known what follows it. */
type ClosedSegment = Omit<Segment, 'followed' | 'blankLine' | 'byteOrderMark'>;

/**
 * Splits a stream of bytes into statements by the first characters of the lines, holding at most
 * one statement. A line that starts with 0 opens a statement, one that starts with 9 ends it, and
 * so does a header (00000) in the middle of it. The sizes of the chunks make no difference.
 */
export class StatementSplitter {
  readonly #maxBytes: number;
  #window: Buffer;
  /** The number of bytes in the window. */
  #used = 0;
  /** The offset of the window in the source. */
  #offset = 0;
  /** The start of the open segment in the window. */
  #begin = 0;
  /** The start of the current line in the window. */
  #lineStart = 0;
  #line = 1;
  /** The first byte of the current line, once the line has been assigned to a segment. */
  #lineKind: number | undefined;
  #open: OpenSegment | undefined;
  /** A complete statement, held back until it is known whether another one follows. */
  #held: ClosedSegment | undefined;
  #ready: Segment[] = [];
  #blankLine = 0;
  #byteOrderMark = false;

  /**
   * @param maxBytes the size limit of a statement
   * @param expectedBytes the size of the source, if it is known
   */
  constructor(maxBytes: number, expectedBytes = 4 * PIECE) {
    this.#maxBytes = maxBytes;
    this.#window = Buffer.allocUnsafe(Math.min(expectedBytes, 4 * PIECE));
  }

  /** Takes up to `PIECE` bytes and returns the statements that are complete now. */
  push(piece: Uint8Array): readonly Segment[] {
    this.#append(piece);
    let scanned = this.#used - piece.length;
    const view = this.#window.subarray(0, this.#used);
    for (;;) {
      const end = view.indexOf(NEW_LINE, scanned);
      if (end === -1) break;
      this.#endLine(end, end + 1);
      scanned = end + 1;
    }
    this.#bound();
    return this.#takeReady();
  }

  /** Ends the source and returns the last statement. */
  end(): readonly Segment[] {
    if (this.#used > this.#lineStart || this.#lineKind !== undefined) {
      this.#endLine(this.#used, this.#used);
    }
    if (this.#open !== undefined) {
      this.#release(this.#close(this.#open, this.#used, this.#line), false);
    }
    if (this.#held !== undefined) this.#release(this.#held, false);
    return this.#takeReady();
  }

  #takeReady(): readonly Segment[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** Ends the current line. @param next the start of the next one */
  #endLine(end: number, next: number): void {
    if (this.#lineKind === undefined) this.#beginLine(end, true);
    const open = this.#open;
    if (open === undefined) {
      this.#begin = next;
    } else {
      if (!open.tooLarge) open.lineEnds.push(end - this.#begin);
      this.#limit(open, next - this.#begin);
      if (open.isStatement && this.#lineKind === TRAILER) {
        this.#held = this.#close(open, next, this.#line + 1);
      }
    }
    this.#line += 1;
    this.#lineStart = next;
    this.#lineKind = undefined;
  }

  /** Assigns the current line to a segment; it may begin a statement or end one. */
  #beginLine(end: number, complete: boolean): void {
    if (this.#line === 1) this.#skipByteOrderMark(end);
    const from = this.#lineStart;
    const kind = from < end ? this.#window[from] : undefined;
    if (this.#open === undefined) {
      if (complete && this.#isBlank(from, end)) {
        this.#blankLine ||= this.#line;
        return;
      }
      const isStatement = this.#startsWithZeros(1, from, end);
      if (this.#held !== undefined) this.#release(this.#held, isStatement);
      this.#held = undefined;
      this.#start(isStatement);
    } else if (this.#startsWithZeros(5, from, end)) {
      this.#release(this.#close(this.#open, from, this.#line), true);
      this.#start(true);
    }
    this.#lineKind = kind ?? NEW_LINE;
  }

  #start(isStatement: boolean): void {
    this.#begin = this.#lineStart;
    this.#open = {
      isStatement,
      start: this.#offset + this.#lineStart,
      firstLine: this.#line,
      lineEnds: [],
      tooLarge: false,
    };
  }

  /** Copies the bytes up to `end`, the start of the line `nextLine`. */
  #close(open: OpenSegment, end: number, nextLine: number): ClosedSegment {
    const size = open.tooLarge ? 0 : end - this.#begin;
    const bytes = Buffer.allocUnsafe(size);
    this.#window.copy(bytes, 0, this.#begin, this.#begin + size);
    this.#begin = end;
    this.#open = undefined;
    const { isStatement, start, firstLine, lineEnds, tooLarge } = open;
    const lineCount = nextLine - firstLine;
    const last = this.#offset + end;
    return { isStatement, bytes, lineEnds, start, end: last, firstLine, lineCount, tooLarge };
  }

  #release(segment: ClosedSegment, followed: boolean): void {
    const { isStatement, bytes, lineEnds, start, end, firstLine, lineCount, tooLarge } = segment;
    const blankLine = this.#blankLine;
    const byteOrderMark = this.#byteOrderMark;
    this.#ready.push({
      isStatement,
      bytes,
      lineEnds,
      start,
      end,
      firstLine,
      lineCount,
      tooLarge,
      blankLine,
      byteOrderMark,
      followed,
    });
    this.#blankLine = 0;
    this.#byteOrderMark = false;
  }

  #limit(open: OpenSegment, size: number): void {
    const lines = open.lineEnds.length;
    if (size <= this.#maxBytes && lines <= this.#maxBytes / SHORTEST_LINE) return;
    open.tooLarge = true;
    open.lineEnds.length = 0;
  }

  /** Drops bytes that are not needed, so that no input can exhaust memory. */
  #bound(): void {
    if (this.#lineKind === undefined && this.#used - this.#lineStart > LONG_LINE) {
      this.#beginLine(this.#used, false);
    }
    const open = this.#open;
    if (open === undefined) return;
    if (this.#lineKind !== undefined) this.#limit(open, this.#used - this.#begin);
    if (!open.tooLarge) return;
    this.#begin = this.#lineKind === undefined ? this.#lineStart : this.#used;
    this.#lineStart = this.#begin;
  }

  #append(piece: Uint8Array): void {
    if (this.#used + piece.length > this.#window.length) this.#makeRoom(piece.length);
    this.#window.set(piece, this.#used);
    this.#used += piece.length;
  }

  #makeRoom(size: number): void {
    const kept = this.#used - this.#begin;
    const old = this.#window;
    // Doubling once it is more than half full keeps the cost of moving bytes linear.
    if (kept + size > old.length / 2) this.#window = Buffer.allocUnsafeSlow(old.length * 2);
    old.copy(this.#window, 0, this.#begin, this.#used);
    this.#offset += this.#begin;
    this.#lineStart -= this.#begin;
    this.#used = kept;
    this.#begin = 0;
  }

  #skipByteOrderMark(end: number): void {
    if (end - this.#lineStart < MARK.length) return;
    const hasMark = MARK.every((byte, index) => this.#window[this.#lineStart + index] === byte);
    if (!hasMark) return;
    this.#byteOrderMark = true;
    this.#lineStart += MARK.length;
    this.#begin = this.#lineStart;
  }

  #isBlank(from: number, end: number): boolean {
    if (end - from > LONGEST_BLANK) return false;
    for (let index = from; index < end; index += 1) {
      if (!blanks.has(this.#window[index] ?? 0)) return false;
    }
    return true;
  }

  /** True if the line could be a header, which starts with five zeros. */
  #startsWithZeros(count: number, from: number, end: number): boolean {
    if (end - from < SHORTEST_HEADER) return false;
    for (let index = from; index < from + count; index += 1) {
      if (this.#window[index] !== ZERO) return false;
    }
    return true;
  }
}
