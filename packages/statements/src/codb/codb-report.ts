import type { Severity } from '../finding.js';
import { type CodbFinding, type CodbFindingCode, codbFindings } from './finding-catalogue.js';

/** Something the format does not have, kept as it was found. */
export interface UnknownContent {
  /** From the root's children on, such as `Social[2]/Transactions/TransactionLine[1]/Note`. */
  readonly path: string;
  readonly text: string;
}

/** A finding whose place is still an offset. */
interface Noted {
  readonly code: CodbFindingCode;
  readonly offset: number;
  readonly seen: string | undefined;
}

const LISTED_OF_EACH_SEVERITY = 100;
const KEPT_UNKNOWN = 10_000;

/**
 * Gathers what is found while a file is read: at most a hundred errors and a hundred warnings, so
 * that a broken file cannot fill the memory; the rest are counted.
 */
export class CodbReport {
  readonly #text: string;
  readonly #noted: Record<Severity, Noted[]> = { error: [], warning: [] };
  readonly #unknown: UnknownContent[] = [];
  readonly #unknownKinds = new Set<string>();
  #omitted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether one of the findings is an error. */
  get refused(): boolean {
    return this.#noted.error.length > 0;
  }

  /** How many more findings there were. */
  get omitted(): number {
    return this.#omitted;
  }

  /** At most ten thousand; the file has them all. */
  get unknown(): readonly UnknownContent[] {
    return this.#unknown;
  }

  /** In the order of the file. */
  get findings(): readonly CodbFinding[] {
    const noted = [...this.#noted.error, ...this.#noted.warning];
    noted.sort((a, b) => a.offset - b.offset);
    const offsets = noted.map(({ offset }) => offset);
    return placesOf(this.#text, offsets).flatMap(({ line, column }, index) => {
      const finding = noted[index];
      return finding ? [{ ...describe(finding), record: line, position: column }] : [];
    });
  }

  /**
   * @param offset in the text
   * @param seen what the finding is about; never what a file could fill at will
   */
  add(code: CodbFindingCode, offset: number, seen?: string): void {
    const noted = this.#noted[codbFindings[code].severity];
    if (noted.length < LISTED_OF_EACH_SEVERITY) noted.push({ code, offset, seen });
    else this.#omitted += 1;
  }

  /** Warns of the first of its kind: a new element may stand in every line. */
  addUnknown(
    code: 'unknownElement' | 'unknownAttribute' | 'unexpectedText',
    path: string,
    offset: number,
  ): void {
    const kind = path.replaceAll(/\[\d+\]/g, '');
    if (this.#unknownKinds.has(kind)) return;
    this.#unknownKinds.add(kind);
    this.add(code, offset, kind);
  }

  keepUnknown(path: string, text: string): void {
    if (this.#unknown.length < KEPT_UNKNOWN) this.#unknown.push({ path, text });
  }
}

function describe({ code, seen }: Noted): Pick<CodbFinding, 'severity' | 'code' | 'message'> {
  const { severity, text } = codbFindings[code];
  return { severity, code, message: seen === undefined ? text : `${text}: ${seen}` };
}

/** A place in a text, both from 1. Columns count UTF-16 code units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Tells line and column of offsets in one pass over the text, however many there are.
 *
 * @param offsets in rising order
 */
export function placesOf(text: string, offsets: readonly number[]): TextPlace[] {
  let line = 1;
  let lineStart = 0;
  return offsets.map((offset) => {
    for (;;) {
      const lineEnd = text.indexOf('\n', lineStart);
      if (lineEnd < 0 || lineEnd >= offset) break;
      line += 1;
      lineStart = lineEnd + 1;
    }
    return { line, column: offset - lineStart + 1 };
  });
}
