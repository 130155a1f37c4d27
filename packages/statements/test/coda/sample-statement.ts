import type { MovementDraft, StatementDraft, TransactionCode } from '../../src/index.js';
import { party } from '../communications.js';

/** Returns the transaction code of a SEPA transfer, with the type digit of a total or a detail. */
export function transferCode(type: number): TransactionCode {
  return { type, family: '01', operation: type === 5 ? '01' : '50', category: '000' };
}

/** Returns a plain movement: a received transfer. */
export const transfer: MovementDraft = {
  amount: 125_500n,
  bankReference: 'REF-1',
  transactionCode: transferCode(0),
  valueDate: '2026-02-03',
  entryDate: '2026-02-03',
  communication: { kind: 'structured', type: '101', reference: '090933755493' },
  customerReference: 'NOTPROVIDED',
  counterparty: { account: 'BE54000000000097', currency: 'EUR', bic: 'GEBABEBB', name: 'Jan' },
};

/** Returns a statement without findings, with these changes. */
export const sample: StatementDraft = {
  header: {
    creationDate: '2026-02-04',
    bankCode: '096',
    bic: 'GKCCBEBB',
    enterpriseNumber: '0403019261',
    addressee: 'ACME NV',
  },
  account: {
    structure: 2,
    number: 'BE71096123456769',
    currency: 'EUR',
    holder: 'ACME NV',
    description: 'Zichtrekening',
  },
  statementNumber: 14,
  oldBalance: { amount: 1_000_000n, date: '2026-02-02' },
  newBalance: { date: '2026-02-03' },
  movements: [
    {
      ...transfer,
      information: [party('Jan', 'Dorpsstraat 1', '9000 Gent')],
    },
    {
      ...transfer,
      amount: -30_000n,
      bankReference: 'REF-2',
      transactionCode: { type: 1, family: '01', operation: '01', category: '000' },
      communication: { kind: 'free', text: 'Wages' },
      counterparty: {},
      details: [
        { ...transfer, amount: -10_000n, bankReference: 'REF-3', transactionCode: transferCode(5) },
        { ...transfer, amount: -20_000n, bankReference: 'REF-4', transactionCode: transferCode(5) },
      ],
    },
    { ...transfer, bankReference: 'REF-5', communication: { kind: 'free', text: 'Thank you' } },
  ],
  freeCommunications: [{ lines: ['Our offices are closed on Monday.', 'Until Tuesday!'] }],
};
