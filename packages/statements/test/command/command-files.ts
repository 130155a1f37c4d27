import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { runCommand } from '../../src/command/run-command.js';
import { type MovementDraft, writeCoda } from '../../src/index.js';
import { sample } from '../coda/sample-statement.js';
import { payrollFile } from '../codb/payroll-file.js';

export const good = writeCoda([sample]);
const [first] = sample.movements ?? [];
const code = { type: 3, family: '41', operation: '50', category: '000' };
const payment: MovementDraft = { amount: 799_200n, transactionCode: code };
/** A statement with a payment, whose detail has another amount. */
export const gross = writeCoda([
  {
    ...sample,
    movements: [
      {
        ...first,
        ...payment,
        details: [{ amount: 800_200n, transactionCode: { ...code, type: 8 } }],
      },
    ],
  },
]);
/** The amount of the first movement is changed, so that the totals are wrong. */
export const bad = Buffer.from(good)
  .toString('latin1')
  .replace(/^(21.{30})\d/m, '$19');

/** Makes a folder with files, for the tests of a file. */
export function useFiles() {
  let folder: string;
  const path = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adx-statements-'));
    await writeFile(path('good.cod'), good);
    await writeFile(path('bad.cod'), bad, 'latin1');
    await writeFile(path('payroll.xml'), payrollFile());
    await writeFile(path('other.pdf'), '%PDF-1.7\nnot a statement');
    await writeFile(path('empty.cod'), '');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs the command. `@` stands for the folder of the files. */
  async function run(line: string, input: Uint8Array | Iterable<Uint8Array> = []) {
    const chunks = input instanceof Uint8Array ? [input] : input;
    const shown = { code: 0, output: '', errors: '' };
    const words = line.split(' ').filter((word) => word !== '');
    const args = words.map((arg) => arg.replace('@', `${folder}/`));
    shown.code = await runCommand(args, {
      input: (async function* () {
        yield* chunks;
      })(),
      write: async (text) => {
        shown.output += text;
      },
      warn: async (text) => {
        shown.errors += text;
      },
    });
    return shown;
  }

  return { path, run };
}
