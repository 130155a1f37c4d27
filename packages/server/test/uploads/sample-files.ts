import { type StatementDraft, writeCoda, writeCodb } from '@adx/statements';
import { bicOfBankCode } from '../../src/identifiers/bic-of-bank-code.js';

/** The fields of a statement that tests vary; the others are the same for all. */
export interface SampleStatement {
  readonly iban: string;
  /** The BIC in the header; by default that of the account's bank. */
  readonly bic?: string;
  readonly number?: number;
  readonly currency?: string;
  /** `YYYY-MM-DD` */
  readonly date?: string;
  /** Thousandths; by default, that with which the statement of the number before ended. */
  readonly oldBalance?: bigint;
  /** Distinguishes a statement from its correction. */
  readonly communication?: string;
  readonly duplicate?: boolean;
}

/** Returns a statement that `writeCoda` writes. */
export function statementDraft(sample: SampleStatement): StatementDraft {
  const { iban, number = 14, currency = 'EUR', date = '2026-02-03' } = sample;
  const { oldBalance = 1_000_000n - 12_500n * BigInt(number) } = sample;
  const { bic = bicOfBankCode(iban.slice(4, 7)) ?? 'GKCCBEBB' } = sample;
  const { communication = 'Invoice 2026/31', duplicate = false } = sample;
  return {
    header: { creationDate: date, bic, duplicate },
    account: {
      structure: iban.startsWith('BE') ? 2 : 3,
      number: iban,
      currency,
      holder: 'ACME NV',
    },
    statementNumber: number,
    oldBalance: { amount: oldBalance, date },
    newBalance: { date },
    movements: [
      {
        amount: -12_500n,
        valueDate: date,
        entryDate: date,
        transactionCode: { type: 0, family: '01', operation: '01', category: '000' },
        communication: { kind: 'free', text: communication },
      },
    ],
  };
}

/** Writes a CODA file with these statements. */
export function codaFile(...statements: readonly SampleStatement[]): Uint8Array {
  return writeCoda(statements.map(statementDraft));
}

/**
 * Replaces a text of the file with another one of the same length. Fails if the file does not
 * contain it.
 */
export function changed(file: Uint8Array, from: string, to: string): Uint8Array {
  const text = Buffer.from(file).toString('latin1');
  if (!text.includes(from)) throw new Error(`The file does not contain ${from}`);
  return Buffer.from(text.replace(from, to), 'latin1');
}

/** The fields of a payroll booking that tests vary. */
export interface SampleBooking {
  readonly enterpriseNumber: string;
  readonly number?: number;
  readonly source?: string;
  readonly label?: string;
}

/** Writes a CODB file with these bookings. */
export function codbFile(...bookings: readonly SampleBooking[]): Uint8Array {
  return writeCodb(
    bookings.map(({ enterpriseNumber, number = 7, source = 'SD Worx', label = 'Wages' }) => ({
      ...{ source, version: '1.2', sequenceNumber: number, generationDate: '2026-02-28' },
      ...{ enterpriseNumber, enterpriseName: 'ACME NV', accountPeriod: '202602' },
      lines: [
        { ...entry, account: '61800', label, debit: 1_234_560n, credit: 0n },
        { ...entry, account: '4530', label, debit: 0n, credit: 1_234_560n },
      ],
    })),
  );
}

const entry = { socialPeriod: '202602', department: undefined };

let enterprises = 0;

/** Returns a valid enterprise number, ten digits, that is unique in this test file. */
export function enterpriseNumber(): string {
  enterprises += 1;
  const base = 4_030_000 + enterprises;
  return `${String(base).padStart(8, '0')}${String(97 - (base % 97)).padStart(2, '0')}`;
}
