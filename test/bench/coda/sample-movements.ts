import type { MovementDraft, StatementDraft } from '@adx/statements';
import { directDebit } from '../../../packages/statements/test/communications.js';

export function readStatement(
  statementNumber: number,
  movements: readonly MovementDraft[],
): StatementDraft {
  return {
    header: { creationDate: '2026-02-04', bankCode: '096', bic: 'GKCCBEBB', addressee: 'ACME NV' },
    account: { structure: 2, number: 'BE71096123456769', currency: 'EUR', holder: 'ACME NV' },
    statementNumber,
    oldBalance: { amount: 1_000_000n, date: '2026-02-02' },
    newBalance: { date: '2026-02-03' },
    movements,
  };
}

export function transfer(index: number, bankReference: string): MovementDraft {
  return {
    amount: BigInt(index - 5) * 12_340n,
    bankReference,
    transactionCode: { type: 0, family: '01', operation: '50', category: '000' },
    valueDate: '2026-02-03',
    entryDate: '2026-02-03',
    counterparty: { account: 'BE54000000000097', currency: 'EUR', bic: 'GEBABEBB', name: 'Jan' },
  };
}

export function directDebitOf(index: number, bankReference: string): MovementDraft {
  return {
    ...transfer(index, bankReference),
    transactionCode: { type: 0, family: '05', operation: '01', category: '000' },
    communication: directDebit({
      mandate: `MANDATE-${index}`,
      text: 'Subscription of February',
    }),
  };
}
