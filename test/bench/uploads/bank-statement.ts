import { type StatementDraft, writeCoda } from '@adx/statements';

const amounts = Array.from({ length: 20 }, (_, index) => BigInt(index - 5) * 12_340n);

/** The first old balance, and the change by each statement, in thousandths. */
export const balances = { first: 1_000_000n, change: amounts.reduce((sum, each) => sum + each) };

/** Returns a CODA file. Statement n is of day n of 2026, and continues the one before. */
export function bankStatements(ibans: readonly string[], number: number): Uint8Array {
  const date = new Date(Date.UTC(2026, 0, number)).toISOString().slice(0, 10);
  const oldBalance = balances.first + BigInt(number - 1) * balances.change;
  return writeCoda(ibans.map((iban) => draft({ iban, number, date, oldBalance, amounts })));
}

export function bankStatement(iban: string, number: number): Uint8Array {
  return bankStatements([iban], number);
}

/** Returns a CODA file of 0.8 MB, which is different for each year. */
export function emptyStatements(iban: string, year: number): Uint8Array {
  return writeCoda(
    Array.from({ length: 1_500 }, (_, index) => {
      const date = `${year + Math.floor(index / 999)}-02-03`;
      const number = 1 + (index % 999);
      return draft({ iban, number, date, oldBalance: balances.first, amounts: [] });
    }),
  );
}

function draft(statement: {
  readonly iban: string;
  readonly number: number;
  readonly date: string;
  readonly oldBalance: bigint;
  readonly amounts: readonly bigint[];
}): StatementDraft {
  const { iban, number, date, oldBalance } = statement;
  return {
    header: { creationDate: date, bankCode: '435', bic: 'KREDBEBB', addressee: 'ACME NV' },
    account: { structure: 2, number: iban, currency: 'EUR', holder: 'ACME NV' },
    statementNumber: number,
    oldBalance: { amount: oldBalance, date },
    newBalance: { date },
    movements: statement.amounts.map((amount, index) => ({
      ...{ amount, valueDate: date, entryDate: date },
      transactionCode: { type: 0, family: '01', operation: '50', category: '000' },
      counterparty: { account: 'BE54000000000097', currency: 'EUR', bic: 'GEBABEBB', name: 'Jan' },
      communication: { kind: 'free', text: `Invoice 2026/${number}/${index}` },
    })),
  };
}
