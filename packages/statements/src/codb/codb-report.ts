import type { Severity } from '../finding.js';
import { type CodbFinding, type CodbFindingCode, codbFindings } from './finding-catalogue.js';
import { TextPlaces } from './text-places.js';

/** Something the format does not have, kept as it was found. */
export interface UnknownContent {
  /** From the root's children on, such as `Social[2]/Transactions/TransactionLine[1]/Note`. */
  readonly path: string;
  readonly text: string;
}

const LISTED_OF_EACH_SEVERITY = 100;
const KEPT_UNKNOWN = 10_000;

/**
 * Gathers what is found while a file is read: at most a hundred errors and a hundred warnings, so
 * that a broken file cannot fill the memory; the rest are counted.
 */
export class CodbReport {
  readonly #places: TextPlaces;
  readonly #findings: Record<Severity, CodbFinding[]> = { error: [], warning: [] };
  readonly #unknown: UnknownContent[] = [];
  readonly #unknownKinds = new Set<string>();
  #omitted = 0;

  constructor(text: string) {
    this.#places = new TextPlaces(text);
  }

  /** Whether one of the findings is an error. */
  get refused(): boolean {
    return this.#findings.error.length > 0;
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
    return [...this.#findings.error, ...this.#findings.warning].sort(
      (a, b) => a.record - b.record || (a.position ?? 0) - (b.position ?? 0),
    );
  }

  /**
   * @param offset in the text
   * @param seen what the finding is about; never what a file could fill at will
   */
  add(code: CodbFindingCode, offset: number, seen?: string): void {
    const { severity, text } = codbFindings[code];
    const findings = this.#findings[severity];
    if (findings.length >= LISTED_OF_EACH_SEVERITY) {
      this.#omitted += 1;
      return;
    }
    const { line, column } = this.#places.at(offset);
    const message = seen === undefined ? text : `${text}: ${seen}`;
    findings.push({ severity, code, message, record: line, position: column });
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
