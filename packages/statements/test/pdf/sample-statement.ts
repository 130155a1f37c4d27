import { readCoda } from '../../src/coda/read/read-coda.js';
import type { Statement } from '../../src/coda/statement.js';
import type { MovementDraft, StatementDraft } from '../../src/coda/write/statement-draft.js';
import { writeCoda } from '../../src/coda/write/write-coda.js';
import { cardPayment, directDebit, party } from '../communications.js';

export const day = { valueDate: '2026-02-02', entryDate: '2026-02-03' };
export const code = (type: number, family: string, operation: string, category = '000') => ({
  type,
  family,
  operation,
  category,
});
export const free = (text: string) => ({ kind: 'free', text }) as const;

const transfer: MovementDraft = {
  ...day,
  amount: 1_234_560n,
  transactionCode: code(0, '01', '50'),
  counterparty: {
    account: 'BE54000000000097',
    currency: 'EUR',
    name: 'Établissements Œuvre & Söhne',
    bic: 'BPOTBEB1',
  },
  communication: { kind: 'structured', type: '101', reference: '090933755493' },
};

const invoice: MovementDraft = {
  ...day,
  amount: -98_765_432_100n,
  transactionCode: code(0, '02', '01'),
  counterparty: { account: 'BE71096123456769', currency: 'EUR', name: 'Leverancier NV' },
  communication: free(
    'Facture 2026/31 du 15 janvier, matériel de bureau et livraison au dépôt de Liège, solde',
  ),
  customerReference: 'VREF-2026-000123',
  information: [
    party('Leverancier NV', 'Kerkstraat 12', '9000 Gent'),
    { communication: free('Ultimate debtor: Atelier du Sud, rue de la Gare 7, 6700 Arlon') },
  ],
};

const cards: MovementDraft = {
  ...day,
  amount: 150_000n,
  transactionCode: code(1, '04', '50'),
  communication: free('Encaissements par carte'),
  details: [100_000n, 50_000n].map((amount, index) => ({
    ...day,
    amount,
    transactionCode: code(5, '04', '50'),
    communication: free(`Terminal ${index + 1}, ticket 00${index}`),
  })),
};

const subscription: MovementDraft = {
  ...day,
  amount: -49_950n,
  transactionCode: code(0, '05', '01'),
  counterparty: { account: 'BE54000000000097', currency: 'EUR', name: 'Télécom SA' },
  rTransaction: 2,
  reason: 'MD06',
  communication: directDebit({
    ...{ mandate: 'MANDAT-2024-77', text: 'Abonnement février 2026', rTransaction: '0' },
  }),
};

const withdrawal: MovementDraft = {
  ...day,
  amount: -60_125n,
  transactionCode: code(0, '04', '01'),
  communication: cardPayment({
    ...{ transactionType: '1', terminalName: 'STATION TOTAL', terminalTown: 'NAMUR' },
    ...{ originalAmount: 60_125n, rate: 100_000_000n, originalCurrency: 'EUR' },
    ...{ volume: 3_520n, product: '01', unitPrice: 1_708n },
  }),
};

export const movements = [transfer, invoice, cards, subscription, withdrawal];

/** Returns the statement that the reader reads from the written draft. */
export async function sampleStatement(changes: Partial<StatementDraft> = {}): Promise<Statement> {
  const file = writeCoda([
    {
      header: {
        creationDate: '2026-02-03',
        bic: 'GKCCBEBB',
        enterpriseNumber: '0403019261',
        addressee: 'ATELIERS DU MIDI SA',
      },
      account: {
        structure: 2,
        number: 'BE71096123456769',
        currency: 'EUR',
        holder: 'ATELIERS DU MIDI SA',
        description: 'Compte à vue entreprises',
      },
      statementNumber: 14,
      oldBalance: { amount: 120_000_000_000n, date: '2026-02-02' },
      newBalance: { date: '2026-02-03' },
      movements,
      freeCommunications: [{ lines: ['Nos agences sont fermées le 1er mai.'] }],
      ...changes,
    },
  ]);
  for await (const { statement, findings } of readCoda(file)) {
    if (statement) return statement;
    throw new Error(JSON.stringify(findings));
  }
  throw new Error('There is no statement');
}
