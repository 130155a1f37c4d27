import { type MovementDraft, type StatementDraft, writeCoda } from '@adx/statements';
import { party } from '../../../packages/statements/test/communications.js';
import { directDebitOf, readStatement, transfer } from './sample-movements.js';

const PIECE = 65_536;

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

function statement(day: number): StatementDraft {
  const movements = Array.from({ length: 10 + (day % 30) }, (_, index) => movement(day, index));
  return {
    ...readStatement(day + 1, movements),
    freeCommunications: day % 10 === 0 ? [{ lines: ['Our offices are closed on Monday.'] }] : [],
  };
}

function movement(day: number, index: number): MovementDraft {
  const bankReference = `REF${day}-${index}`;
  const common = transfer(index, bankReference);
  const invoice = { kind: 'free', text: `Facture ${day}/${index}, société de Liège` } as const;
  switch (index % 5) {
    case 0:
      return { ...common, communication: { kind: 'free', text: `Invoice 2026/${day}/${index}` } };
    case 1:
      return {
        ...common,
        communication: { kind: 'structured', type: '101', reference: '090933755493' },
        information: [party('Jan Janssens', 'Dorpsstraat 1', '9000 Gent')],
      };
    case 2:
      return day % 10 === 0 ? { ...common, communication: invoice } : common;
    case 3:
      return directDebitOf(index, bankReference);
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
