import { isValidBban, isValidIban } from '../format/check-digits.js';
import { CodaWriteError } from './coda-write-error.js';
import type { RecordLine } from './record-line.js';
import type { StatementDraft } from './statement-draft.js';

/**
 * Writes the 37 positions of the account, from position 6 of record 1 or 5 of record 8.
 *
 * @throws CodaWriteError where the check digits are wrong or a part does not fit
 */
export function writeAccount(
  record: RecordLine,
  start: number,
  account: StatementDraft['account'],
): void {
  const { structure, number, currency, extension = '', qualifier = '', country = '' } = account;
  const text = (name: string, from: number, to: number, value: string) =>
    record.text(`account ${name}`, start + from - 1, start + to - 1, value);
  if (!/^[A-Z]{3}$/.test(currency)) throw new CodaWriteError(`There is no currency ${currency}`);
  if (extension !== '' && (structure === 1 || structure === 3)) {
    throw new CodaWriteError(`An account of structure ${structure} has no extension`);
  }
  if (number === '' || number.includes(' ')) {
    throw new CodaWriteError(`The account number is empty or has spaces: ${number}`);
  }
  if (structure === 0) {
    if (!isValidBban(number)) throw wrong(number);
    text('number', 1, 12, number);
    text('currency', 14, 16, currency);
    text('qualifier', 17, 17, qualifier);
    text('country', 18, 19, country);
    text('extension', 23, 37, extension);
    return;
  }
  if (structure !== 1 && !isValidIban(number)) throw wrong(number);
  if (structure === 2 && !number.startsWith('BE')) throw wrong(number);
  text('number', 1, structure === 2 ? 31 : 34, number);
  if (structure === 2) text('extension', 32, 34, extension);
  text('currency', 35, 37, currency);
}

function wrong(number: string): CodaWriteError {
  return new CodaWriteError(`The check digits of the account are wrong: ${number}`);
}
