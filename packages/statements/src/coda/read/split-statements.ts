const NEW_LINE = 0x0a;
const ZERO = 0x30;
const TRAILER = 0x39;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
/** Blank, tab, carriage return, the end-of-file mark of DOS, and zero. */
const blanks = new Set([0x20, 0x09, 0x0d, 0x1a, 0x00]);
/** A shorter line is no header, however wrong: else a few bytes would make a statement each. */
const SHORTEST_HEADER = 64;
/** Up to this length a line may be blank; a longer one is content of some kind. */
const LONGEST_BLANK = 1024;
/** From this length on, what a line belongs to is decided before its end is seen. */
const LONG_LINE = 65_536;
/** No statement has lines this short on average; they would weigh more than their bytes. */
const SHORTEST_LINE = 32;

/** How many bytes the splitter takes at a time. */
export const PIECE = 65_536;

/** One statement's bytes, or those of lines that belong to none. */
export interface Segment {
  readonly isStatement: boolean;
  /** The bytes with their line ends; empty where they are too many. */
  readonly bytes: Buffer;
  /** Where each line ends in the bytes, before its line feed. */
  readonly lineEnds: readonly number[];
  /** The place of the bytes in the source: `start` inclusive, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** The line of the source they start at, the first being 1, and how many they are. */
  readonly firstLine: number;
  readonly lineCount: number;
  readonly tooLarge: boolean;
  /** The first blank line around the statement, 0 where there is none. */
  readonly blankLine: number;
  readonly byteOrderMark: boolean;
  /** Whether another statement follows. */
  readonly followed: boolean;
}

interface OpenSegment {
  readonly isStatement: boolean;
  readonly start: number;
  readonly firstLine: number;
  readonly lineEnds: number[];
  tooLarge: boolean;
}

/**
 * Cuts a stream of bytes into statements by the first characters of their lines, holding no more
 * than one statement. A line that starts with 0 opens a statement, one that starts with 9 ends it;
 * a header in the middle of a statement (00000) ends it too. How the bytes arrive makes no
 * difference.
 */
export class StatementSplitter {
  readonly #maxBytes: number;
  #window = Buffer.allocUnsafeSlow(4 * PIECE);
  /** How far the window is filled, and the place of its first byte in the source. */
  #used = 0;
  #offset = 0;
  /** Where the open segment and the current line begin in the window. */
  #begin = 0;
  #lineStart = 0;
  #line = 1;
  /** The first byte of the current line, once it is decided what the line belongs to. */
  #lineKind: number | undefined;
  #open: OpenSegment | undefined;
  /** A complete statement that waits to be told whether another follows. */
  #held: Segment | undefined;
  #ready: Segment[] = [];
  #blankLine = 0;
  #byteOrderMark = false;

  /** @param maxBytes how large a statement may be */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes up to `PIECE` bytes and gives the statements that are now complete. */
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

  /** Ends the source and gives the last statement. */
  end(): readonly Segment[] {
    if (this.#used > this.#lineStart || this.#lineKind !== undefined) {
      this.#endLine(this.#used, this.#used);
    }
    if (this.#open !== undefined)
      this.#release(this.#close(this.#open, this.#used, this.#line), false);
    if (this.#held !== undefined) this.#release(this.#held, false);
    return this.#takeReady();
  }

  #takeReady(): readonly Segment[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** Ends the current line. @param next where the next one begins */
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

  /** Decides what the current line belongs to, which may begin a statement or end one. */
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

  /** Copies the bytes up to `end`, where the line `nextLine` begins. */
  #close(open: OpenSegment, end: number, nextLine: number): Segment {
    const size = open.tooLarge ? 0 : end - this.#begin;
    const bytes = Buffer.allocUnsafeSlow(size);
    this.#window.copy(bytes, 0, this.#begin, this.#begin + size);
    this.#begin = end;
    this.#open = undefined;
    return {
      ...open,
      bytes,
      end: this.#offset + end,
      lineCount: nextLine - open.firstLine,
      blankLine: 0,
      byteOrderMark: false,
      followed: false,
    };
  }

  #release(segment: Segment, followed: boolean): void {
    const blankLine = this.#blankLine;
    this.#ready.push({ ...segment, followed, blankLine, byteOrderMark: this.#byteOrderMark });
    this.#blankLine = 0;
    this.#byteOrderMark = false;
  }

  #limit(open: OpenSegment, size: number): void {
    const lines = open.lineEnds.length;
    if (size <= this.#maxBytes && lines <= this.#maxBytes / SHORTEST_LINE) return;
    open.tooLarge = true;
    open.lineEnds.length = 0;
  }

  /** Lets go of what will not be needed, so that no input can fill the memory. */
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
    // Growing when it is more than half full keeps moving bytes in proportion to reading them.
    if (kept + size > old.length / 2) this.#window = Buffer.allocUnsafeSlow(old.length * 2);
    old.copy(this.#window, 0, this.#begin, this.#used);
    this.#offset += this.#begin;
    this.#lineStart -= this.#begin;
    this.#used = kept;
    this.#begin = 0;
  }

  #skipByteOrderMark(end: number): void {
    if (end - this.#lineStart < byteOrderMark.length) return;
    if (!byteOrderMark.every((byte, index) => this.#window[this.#lineStart + index] === byte))
      return;
    this.#byteOrderMark = true;
    this.#lineStart += byteOrderMark.length;
    this.#begin = this.#lineStart;
  }

  #isBlank(from: number, end: number): boolean {
    if (end - from > LONGEST_BLANK) return false;
    for (let index = from; index < end; index += 1) {
      if (!blanks.has(this.#window[index] ?? 0)) return false;
    }
    return true;
  }

  /** Whether the line could be a header: the standard's starts with five zeros. */
  #startsWithZeros(count: number, from: number, end: number): boolean {
    if (end - from < SHORTEST_HEADER) return false;
    for (let index = from; index < from + count; index += 1) {
      if (this.#window[index] !== ZERO) return false;
    }
    return true;
  }
}
