import type { InformationDraft, MovementCommunication } from '../src/index.js';

type DirectDebit = Extract<MovementCommunication, { readonly type: '127' }>;
type CardPayment = Extract<MovementCommunication, { readonly type: '113' }>;

export const directDebit = (values: Partial<DirectDebit>): DirectDebit => ({
  ...{ kind: 'structured', type: '127', settlementDate: '2026-02-02', debitType: '1' },
  ...{ scheme: '1', paid: '0', creditor: 'BE69ZZZ0403019261', mandate: '', text: '' },
  ...{ rTransaction: '', reason: '', ...values },
});

export const cardPayment = (values: Partial<CardPayment>): CardPayment => ({
  ...{ kind: 'structured', type: '113', cardNumber: '6703000000001234', cardScheme: '1' },
  ...{ terminal: '004711', sequence: '000123', date: '2026-02-01', time: '14:35' },
  ...{ transactionType: '1', terminalName: '', terminalTown: '', originalAmount: undefined },
  ...{ originalCurrency: '', rate: undefined, volume: undefined, product: '' },
  ...{ unitPrice: undefined, ...values },
});

export const party = (name: string, street = '', locality = ''): InformationDraft => ({
  communication: { kind: 'structured', type: '001', name, street, locality, identification: '' },
});
