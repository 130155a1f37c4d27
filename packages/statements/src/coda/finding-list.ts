import type { Finding } from '../finding.js';
import { describeValues } from '../finding-language.js';
import { type CodaFindingCode, codaFindings } from './finding-catalogue.js';

/** A finding in a CODA file. */
export type CodaFinding = Finding<CodaFindingCode>;

const PER_STATEMENT = 100;
const PER_CODE = 10;

/**
 * The findings of one statement: at most ten per code and a hundred in total, so that a broken file
 * cannot exhaust memory; the rest are counted. Errors displace warnings, and so does a statement
 * that is there twice, which would be booked twice.
 */
export class FindingList {
  readonly #findings: CodaFinding[] = [];
  #counts: Map<CodaFindingCode, number> | undefined;
  #omitted = 0;
  #errors = 0;
  readonly #leftOut = new Set<CodaFindingCode>();

  /** True if one of the findings is an error. */
  get refused(): boolean {
    return this.#errors > 0;
  }

  /** The number of findings beyond the limits. */
  get omitted(): number {
    return this.#omitted;
  }

  /**
   * Adds a finding.
   *
   * @param found the value or text at that place
   * @param expected the value or text that belongs there
   * @param field the field of a structured communication
   */
  add(
    code: CodaFindingCode,
    record: number,
    position?: number,
    found?: string,
    expected?: string,
    field?: string,
  ): void {
    if (this.#leftOut.has(code)) return;
    const { severity, text } = codaFindings[code];
    if (severity === 'error') this.#errors += 1;
    this.#counts ??= new Map();
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count > PER_CODE || !this.#makeRoom(severity === 'error' || code === 'statementRepeated')) {
      this.#omitted += 1;
      return;
    }
    const values = {
      ...(found === undefined ? {} : { found }),
      ...(expected === undefined ? {} : { expected }),
      ...(field === undefined ? {} : { field }),
    };
    this.#findings.push({
      severity,
      code,
      message: describeValues(text, values, 'en'),
      record,
      ...(position === undefined ? {} : { position }),
      ...values,
    });
  }

  /** Leaves out findings of a code from now on, because they say nothing of this statement. */
  leaveOut(code: CodaFindingCode): void {
    this.#leftOut.add(code);
  }

  /** The findings in file order. */
  toArray(): readonly CodaFinding[] {
    if (this.#findings.length < 2) return this.#findings;
    return this.#findings.toSorted(
      (a, b) => a.record - b.record || (a.position ?? 0) - (b.position ?? 0),
    );
  }

  #makeRoom(isImportant: boolean): boolean {
    if (this.#findings.length < PER_STATEMENT) return true;
    const warning = isImportant
      ? this.#findings.findLastIndex(({ severity }) => severity === 'warning')
      : -1;
    if (warning === -1) return false;
    this.#findings.splice(warning, 1);
    this.#omitted += 1;
    return true;
  }
}
