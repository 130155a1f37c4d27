import { type StatementDraft, writeCoda } from '@adx/statements';

/** Returns a CODA file with a statement of one page. */
export function bankStatement(iban: string, number: number): Uint8Array {
  return writeCoda([draft(iban, number, 20)]);
}

/** Returns a CODA file with a statement of one page of each account. */
export function bankStatements(ibans: readonly string[], number: number): Uint8Array {
  return writeCoda(ibans.map((iban) => draft(iban, number, 20)));
}

/** Returns a CODA file with 1,500 statements without movements, 0.8 MB. The year makes them different. */
export function emptyStatements(iban: string, year: number): Uint8Array {
  return writeCoda(
    Array.from({ length: 1_500 }, (_, index) =>
      draft(iban, 1 + (index % 999), 0, year + Math.floor(index / 999)),
    ),
  );
}

function draft(iban: string, number: number, movements: number, year = 2026): StatementDraft {
  const date = `${year}-02-03`;
  return {
    header: { creationDate: date, bankCode: '435', bic: 'KREDBEBB', addressee: 'ACME NV' },
    account: { structure: 2, number: iban, currency: 'EUR', holder: 'ACME NV' },
    statementNumber: number,
    oldBalance: { amount: 1_000_000n, date },
    newBalance: { date },
    movements: Array.from({ length: movements }, (_, index) => ({
      ...{ amount: BigInt(index - 5) * 12_340n, valueDate: date, entryDate: date },
      transactionCode: { type: 0, family: '01', operation: '50', category: '000' },
      counterparty: { account: 'BE54000000000097', currency: 'EUR', bic: 'GEBABEBB', name: 'Jan' },
      communication: { kind: 'free', text: `Invoice 2026/${number}/${index}` },
    })),
  };
}
