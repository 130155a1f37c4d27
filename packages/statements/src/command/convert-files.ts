import { writeCamt053 } from '../convert/camt053.js';
import { payrollCsv, statementsCsv } from '../convert/csv.js';
import { toJsonValue } from '../json-value.js';
import { type Target, WrongUse } from './command-line.js';
import type { ReadFile } from './read-file.js';

/**
 * Converts what was accepted of files into one text, which is empty if nothing was.
 *
 * @throws WrongUse if the format is not for these files
 */
export function convertFiles(files: readonly ReadFile[], to: Target): string {
  const parts = files.flatMap((file) => file.parts);
  const statements = parts.flatMap(({ statement }) => (statement === undefined ? [] : [statement]));
  const bookings = parts.flatMap((part) => part.bookings);
  if (statements.length + bookings.length === 0) return '';
  if (to === 'json') {
    return `${JSON.stringify(toJsonValue([...statements, ...bookings]), null, 2)}\n`;
  }
  if (to === 'camt053' && bookings.length > 0) {
    throw new WrongUse('a payroll file cannot be converted to CAMT.053');
  }
  if (to === 'camt053') return writeCamt053(statements);
  if (statements.length > 0 && bookings.length > 0) {
    throw new WrongUse(
      'statements and payroll files have different columns: convert them one by one',
    );
  }
  return statements.length > 0 ? statementsCsv(statements) : payrollCsv(bookings);
}
