import { isValidBban, isValidIban } from '../format/check-digits.js';
import { CodaWriteError, RecordLine } from './record-line.js';
import type { StatementDraft } from './statement-draft.js';
import { writeMovements } from './write-movements.js';

/**
 * Writes the records 0 to 9 of one statement, each of 128 characters.
 *
 * @throws {CodaWriteError} if the data do not fit the format
 */
export function writeStatement(draft: StatementDraft, anotherFollows: boolean): string[] {
  const { movements = [], freeCommunications = [], newBalance } = draft;
  const isPart = (draft.header.separateApplication ?? '00000') !== '00000';
  if (isPart && (draft.oldBalance.amount !== 0n || (draft.statementNumber ?? 0) !== 0)) {
    throw new CodaWriteError('A separate application has neither balances nor a number');
  }
  if (newBalance === undefined && movements.length + freeCommunications.length > 0) {
    throw new CodaWriteError('Only an empty statement may leave out its new balance');
  }
  if (draft.oldBalance.date === undefined && !isPart) {
    throw new CodaWriteError('The old balance has a date');
  }
  const paperNumber = draft.paperNumber ?? draft.statementNumber ?? 0;
  const yearOfFile = Number(draft.header.creationDate.slice(0, 4));
  const counted = [writeOldBalance(draft, paperNumber), ...writeMovements(movements, yearOfFile)];
  const total = movements.reduce((sum, { amount }) => sum + amount, 0n);
  if (newBalance !== undefined) {
    const record = new RecordLine('8')
      .digits('newBalance.paperNumber', 2, 4, newBalance.paperNumber ?? paperNumber)
      .amount('newBalance', 42, isPart ? 0n : draft.oldBalance.amount + total)
      .date('newBalance.date', 58, newBalance.date)
      .digits('link', 128, 128, freeCommunications.length > 0 ? 1 : 0);
    writeAccount(record, 5, draft.account);
    counted.push(record);
  }
  const credit = movements.reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n);
  const trailer = new RecordLine('9')
    .digits('count', 17, 22, counted.length)
    .digits('debit total', 23, 37, credit - total)
    .digits('credit total', 38, 52, credit)
    .digits('multiple-file code', 128, 128, anotherFollows ? 1 : 2);
  const records = [writeHeader(draft), ...counted, ...writeFree(freeCommunications), trailer];
  return records.map(String);
}

function writeHeader({ header }: StatementDraft): RecordLine {
  const { enterpriseNumber = '' } = header;
  if (!/^(\d{10})?$/.test(enterpriseNumber)) {
    throw new CodaWriteError(`An enterprise number has ten digits: ${enterpriseNumber}`);
  }
  const digits = (name: string, value: string, length: number) => {
    if (/^\d+$/.test(value) && value.length === length) return value;
    throw new CodaWriteError(`${name} has ${length} digits: ${value}`);
  };
  return new RecordLine('00000')
    .date('header.creationDate', 6, header.creationDate)
    .text('header.bankCode', 12, 14, digits('header.bankCode', header.bankCode ?? '000', 3))
    .text('constant', 15, 16, '05')
    .text('duplicate', 17, 17, header.duplicate ? 'D' : '')
    .text('header.fileReference', 25, 34, header.fileReference ?? '')
    .text('header.addressee', 35, 60, header.addressee ?? '')
    .text('header.bic', 61, 71, header.bic)
    .text('header.enterpriseNumber', 72, 82, enterpriseNumber.padStart(11, '0'))
    .text(
      'header.separateApplication',
      84,
      88,
      digits('header.separateApplication', header.separateApplication ?? '00000', 5),
    )
    .text('header.transactionReference', 89, 104, header.transactionReference ?? '')
    .text('header.relatedReference', 105, 120, header.relatedReference ?? '')
    .text('version', 128, 128, '2');
}

function writeOldBalance(draft: StatementDraft, paperNumber: number): RecordLine {
  const { account, oldBalance, statementNumber = 0 } = draft;
  const record = new RecordLine('1')
    .digits('account.structure', 2, 2, account.structure)
    .digits('paperNumber', 3, 5, paperNumber)
    .amount('oldBalance', 43, oldBalance.amount)
    .date('oldBalance.date', 59, oldBalance.date)
    .text('account.holder', 65, 90, account.holder ?? '')
    .text('account.description', 91, 125, account.description ?? '')
    .digits('statementNumber', 126, 128, statementNumber);
  writeAccount(record, 6, account);
  return record;
}

function writeFree(messages: NonNullable<StatementDraft['freeCommunications']>): RecordLine[] {
  const records = messages.flatMap(({ lines }, message) =>
    lines.map((line, index) =>
      new RecordLine('4')
        .digits('sequence', 3, 6, message + 1)
        .digits('detail', 7, 10, index)
        .text('free communication', 33, 112, line),
    ),
  );
  return records.map((record, index) =>
    record.digits('link', 128, 128, index < records.length - 1 ? 1 : 0),
  );
}

/**
 * Writes the 37 positions of the account, from position 6 of record 1 or 5 of record 8.
 *
 * @throws {CodaWriteError} if the check digits are wrong or a part does not fit
 */
function writeAccount(record: RecordLine, start: number, account: StatementDraft['account']): void {
  const { structure, number, currency, extension = '', qualifier = '', country = '' } = account;
  const text = (name: string, from: number, to: number, value: string) =>
    record.text(`account ${name}`, start + from - 1, start + to - 1, value);
  if (!/^[A-Z]{3}$/.test(currency)) throw new CodaWriteError(`Unknown currency ${currency}`);
  if (extension !== '' && (structure === 1 || structure === 3)) {
    throw new CodaWriteError(`An account of structure ${structure} has no extension`);
  }
  if (number === '' || number.includes(' ')) {
    throw new CodaWriteError(`The account number is empty or has spaces: ${number}`);
  }
  if (structure === 0) {
    if (!isValidBban(number)) throw wrongCheckDigits(number);
    text('number', 1, 12, number);
    text('currency', 14, 16, currency);
    text('qualifier', 17, 17, qualifier);
    text('country', 18, 19, country);
    text('extension', 23, 37, extension);
    return;
  }
  if (structure !== 1 && !isValidIban(number)) throw wrongCheckDigits(number);
  if (structure === 2 && !number.startsWith('BE')) throw wrongCheckDigits(number);
  text('number', 1, structure === 2 ? 31 : 34, number);
  if (structure === 2) text('extension', 32, 34, extension);
  text('currency', 35, 37, currency);
}

function wrongCheckDigits(number: string): CodaWriteError {
  return new CodaWriteError(`The check digits of the account are wrong: ${number}`);
}
