import { type MovementDraft, readCoda, writeCoda } from '@adx/statements';
import { parse } from 'coda-parser';
import { cardPayment } from '../../../packages/statements/test/communications.js';
import type { Table } from '../table.js';
import { cpuOf, inTurns, medianOf } from '../turns.js';
import { directDebitOf, readStatement, transfer } from './sample-movements.js';

const MEASURED_BYTES = 5_000_000;
const TURNS = 15;

interface File {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly encoding: 'utf8' | 'latin1';
}

/** Measures reading with all checks, in turns with npm's `coda-parser`, which checks nothing. */
export async function benchReadCodaFiles(): Promise<Table> {
  const all = files();
  // All files take turns, so that each is read by code that is compiled for all of them.
  const turns = await inTurns(all, { rounds: TURNS }, async ({ bytes, encoding }) => {
    const count = Math.ceil(MEASURED_BYTES / bytes.length);
    const buffer = Buffer.from(bytes);
    const own = (await cpuOf(() => repeat(count, () => readAll(bytes)))) / count;
    const peer = (await cpuOf(() => repeat(count, () => parse(buffer.toString(encoding))))) / count;
    return { own, peer };
  });
  const rows = all.map(({ name, bytes }, index) => {
    const micros = medianOf(turns, (turn) => turn[index]?.own);
    return [
      name,
      `${bytes.length}`,
      micros.toFixed(1),
      (bytes.length / micros).toFixed(0),
      // The two times of a turn are compared: the speed of the machine changes between turns.
      medianOf(turns, (turn) => (turn[index]?.peer ?? 0) / (turn[index]?.own ?? 0)).toFixed(2),
    ];
  });
  return { head: ['file', 'bytes', 'µs/file', 'MB/CPU s', 'times coda-parser'], rows };
}

async function repeat(count: number, run: () => unknown): Promise<void> {
  for (let index = 0; index < count; index += 1) await run();
}

async function readAll(bytes: Uint8Array): Promise<void> {
  for await (const { statement, findings } of readCoda(bytes)) {
    if (statement === undefined) throw new Error(JSON.stringify(findings));
  }
}

function files(): File[] {
  const invoice = (index: number) => movement(index, `Invoice ${index}`);
  const accented = (index: number) => movement(index, `Société à Liège ${index}`);
  const oneAccent = (index: number) => (index === 3 ? accented(index) : invoice(index));
  const ing = (index: number): MovementDraft => ({
    ...movement(index, ''),
    counterparty: {},
    information: Array.from({ length: 8 }, (_, line) => ({
      communication: {
        kind: 'free',
        text: `line ${line} of a text over many records`.padEnd(73, 'x'),
      },
    })),
  });
  return [
    file('no movement', 0, invoice),
    file('1 transfer', 1, invoice),
    file('2 transfers', 2, invoice),
    file('5 transfers', 5, invoice),
    file('20 transfers', 20, invoice),
    file('20, one é, UTF-8', 20, oneAccent),
    file('20, one é, windows-1252', 20, oneAccent, 'windows-1252'),
    file('20, all with é, UTF-8', 20, accented),
    file('20, all with é, windows-1252', 20, accented, 'windows-1252'),
    file('20 direct debits', 20, (index) => directDebitOf(index, `REF${index}`)),
    file('20 card payments', 20, paidByCard),
    file('20 with 8 records 3.1', 20, ing),
    file('300 transfers', 300, invoice),
  ];
}

function file(
  name: string,
  count: number,
  movementOf: (index: number) => MovementDraft,
  encoding: 'utf-8' | 'windows-1252' = 'utf-8',
): File {
  const movements = Array.from({ length: count }, (_, index) => movementOf(index));
  const bytes = writeCoda([readStatement(14, movements)], { encoding });
  return { name, bytes, encoding: encoding === 'utf-8' ? 'utf8' : 'latin1' };
}

function movement(index: number, text: string): MovementDraft {
  return { ...transfer(index, `REF${index}`), communication: { kind: 'free', text } };
}

function paidByCard(index: number): MovementDraft {
  return {
    ...movement(index, ''),
    counterparty: {},
    transactionCode: { type: 0, family: '04', operation: '02', category: '000' },
    communication: cardPayment({
      ...{ transactionType: '5', terminalName: 'Bakkerij Peeters', terminalTown: 'Gent' },
    }),
  };
}
