import { type MovementDraft, type StatementDraft, writeCoda } from '@adx/statements';

const PIECE = 65_536;

/** A hundred statements. The last one says that another statement follows. */
const block = Buffer.from(writeCoda(Array.from({ length: 100 }, (_, day) => statement(day))));
block.write('1', block.length - 3);
const file = Buffer.concat([block, block]);

/** Yields a CODA file of about this many MB, in pieces of the size that a file stream yields. */
export function* codaPieces(megabytes: number): Generator<Buffer> {
  let left = megabytes * 1_000_000;
  let from = 0;
  while (left > PIECE) {
    yield file.subarray(from, from + PIECE);
    left -= PIECE;
    from = (from + PIECE) % block.length;
  }
  // Only whole blocks, because a file ends with a trailer.
  yield file.subarray(from, block.length);
}

/** Returns the statement of a small company: transfers, direct debits, cards, a batch with its details. */
function statement(day: number): StatementDraft {
  return {
    header: { creationDate: '2026-02-04', bankCode: '096', bic: 'GKCCBEBB', addressee: 'ACME NV' },
    account: { structure: 2, number: 'BE71096123456769', currency: 'EUR', holder: 'ACME NV' },
    statementNumber: day + 1,
    oldBalance: { amount: 1_000_000n, date: '2026-02-02' },
    newBalance: { date: '2026-02-03' },
    movements: Array.from({ length: 10 + (day % 30) }, (_, index) => movement(day, index)),
    freeCommunications: day % 10 === 0 ? [{ lines: ['Our offices are closed on Monday.'] }] : [],
  };
}

function movement(day: number, index: number): MovementDraft {
  const common: MovementDraft = {
    amount: BigInt(index - 5) * 12_340n,
    bankReference: `REF${day}-${index}`,
    transactionCode: { type: 0, family: '01', operation: '50', category: '000' },
    valueDate: '2026-02-03',
    entryDate: '2026-02-03',
    counterparty: { account: 'BE54000000000097', currency: 'EUR', bic: 'GEBABEBB', name: 'Jan' },
  };
  const invoice = { kind: 'free', text: `Facture ${day}/${index}, société de Liège` } as const;
  switch (index % 5) {
    case 0:
      return { ...common, communication: { kind: 'free', text: `Invoice 2026/${day}/${index}` } };
    case 1:
      return {
        ...common,
        communication: { kind: 'structured', type: '101', reference: '090933755493' },
        information: [
          {
            communication: {
              kind: 'structured',
              type: '001',
              name: 'Jan Janssens',
              street: 'Dorpsstraat 1',
              locality: '9000 Gent',
              identification: '',
            },
          },
        ],
      };
    case 2:
      return day % 10 === 0 ? { ...common, communication: invoice } : common;
    case 3:
      return {
        ...common,
        transactionCode: { type: 0, family: '05', operation: '01', category: '000' },
        communication: {
          kind: 'structured',
          type: '127',
          settlementDate: '2026-02-03',
          debitType: '1',
          scheme: '1',
          paid: '0',
          creditor: 'BE02ZZZ0477472701',
          mandate: `MANDATE-${index}`,
          text: 'Subscription of February',
          rTransaction: '',
          reason: '',
        },
      };
    default:
      return {
        ...common,
        amount: -20_000n,
        transactionCode: { type: 1, family: '01', operation: '01', category: '000' },
        details: [1, 2].map(() => ({
          ...common,
          amount: -10_000n,
          transactionCode: { type: 5, family: '01', operation: '01', category: '000' },
        })),
      };
  }
}
