import type { FindingValues, Severity } from '../finding.js';
import { describeValues } from '../finding-language.js';
import {
  type CodbFinding,
  type CodbFindingCode,
  codbFindings,
} from './findings/finding-catalogue.js';
import { above, XmlFault, xmlLimits } from './xml/xml-fault.js';

/** Content that the format does not define, kept as it was found. */
export interface UnknownContent {
  /** The path below the root, such as `Social[2]/Transactions/TransactionLine[1]/Note`. */
  readonly path: string;
  readonly text: string;
}

/** A finding whose position is still an offset. */
interface Noted {
  readonly code: CodbFindingCode;
  readonly offset: number;
  readonly values: FindingValues;
  readonly detail: string | undefined;
}

const LISTED_OF_EACH_SEVERITY = 100;

/**
 * Collects the findings of a file: at most a hundred errors and a hundred warnings, so that a
 * broken file cannot exhaust memory; the rest are counted.
 */
export class CodbReport {
  readonly #text: string;
  readonly #noted: Record<Severity, Noted[]> = { error: [], warning: [] };
  readonly #unknown: UnknownContent[] = [];
  readonly #unknownKinds = new Set<string>();
  #unknownCharacters = 0;
  #omitted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True if one of the findings is an error. */
  get refused(): boolean {
    return this.#noted.error.length > 0;
  }

  /** The number of findings beyond the limits. */
  get omitted(): number {
    return this.#omitted;
  }

  get unknown(): readonly UnknownContent[] {
    return this.#unknown;
  }

  /** The findings in file order. */
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
   * @param values of limited length
   * @param detail the reason in English, for the message
   */
  add(
    code: CodbFindingCode,
    offset: number,
    values: FindingValues = {},
    detail?: string | undefined,
  ): void {
    const noted = this.#noted[codbFindings[code].severity];
    if (noted.length < LISTED_OF_EACH_SEVERITY) noted.push({ code, offset, values, detail });
    else this.#omitted += 1;
  }

  /** Warns once per path, as a new element may be in every line. */
  addUnknown(
    code: 'unknownElement' | 'unknownAttribute' | 'unexpectedText',
    path: string,
    offset: number,
  ): void {
    const kind = path.replaceAll(/\[\d+\]/g, '');
    if (this.#unknownKinds.has(kind)) return;
    this.#unknownKinds.add(kind);
    this.add(code, offset, { field: kind });
  }

  /** @throws XmlFault if there is too much of it */
  keepUnknown(path: string, text: string, offset: number): void {
    this.#unknownCharacters += path.length + text.length;
    if (this.#unknownCharacters > xmlLimits.unknownCharacters) {
      const unit = ' characters that the format does not define';
      throw new XmlFault('tooManyElements', offset, ...above(xmlLimits.unknownCharacters, unit));
    }
    this.#unknown.push({ path, text });
  }
}

function describe({ code, values, detail }: Noted): Omit<CodbFinding, 'record'> {
  const { severity, text } = codbFindings[code];
  const message = detail === undefined ? describeValues(text, values, 'en') : `${text}: ${detail}`;
  return { severity, code, message, ...values };
}

/** A place in a text. Lines and columns count from 1, columns in UTF-16 code units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Converts offsets to lines and columns, in one pass over the text.
 *
 * @param offsets in ascending order
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
