import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { createFileStore } from '../../src/files/file-store.js';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { textOf } from '../storage/open-test-storage.js';
import { listedFiles } from '../support/files.js';
import { failAt } from '../uploads/killed/fail-at-call.js';
import { codaFile } from '../uploads/sample-files.js';
import { setUpAccount, setUpUploads, withStore } from '../uploads/set-up-uploads.js';
import { listStatements } from './waiting-printer.js';

const logger = createLogger('silent');

test('D-38 a statement is listed before it is printed, and printed again if the printer is killed', async () => {
  const { work, iban } = await setUpAccount('finished');
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({ listed: 1 });
  const [file] = await work.files();
  const pdf = () => textOf(work.storage, 'files', file?.pdf_key ?? '');
  expect(await pdf()).toBeUndefined();
  for (const moment of ['before', 'after'] as const) {
    for (const call of [1, 2]) {
      const killed = createFilePrinter({ ...failAt(work, call, moment), logger });
      await killed.printFiles(work.principal.firmId, [file?.id ?? '']).catch(() => {});
      expect(await work.files()).toMatchObject([{ pdf_status: 'missing' }]);
    }
  }
  await work.printAll();
  expect(await work.files()).toMatchObject([{ pdf_status: 'present' }]);
  expect(await pdf()).toMatch(/^%PDF-/);
});

test.each([
  ['fr', 'fr'],
  ['nl', 'nl'],
  ['de', 'nl'],
  ['en', 'nl'],
])('D-13 for a contact who reads %s the PDF is in %s', async (language, printed) => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] }, { contact_language: language });
  await work.upload('CODA', 'a.cod', codaFile({ iban }));
  await work.readAll();
  const [file] = await work.files();
  const pdf = await textOf(work.storage, 'files', file?.pdf_key ?? '');
  expect(/\/Lang \((..)/.exec(pdf ?? '')?.[1]).toBe(printed);
});

test('D-38 a file of more than 5 MiB is listed, but not printed', async () => {
  const work = await setUpUploads();
  const [id = ''] = await listStatements(work, 3);
  const { object_key: key } = await listedFiles(work.knex).where({ id }).first('object_key');
  const { store, buckets } = work.storage;
  await store.put(buckets.files, key, Buffer.alloc(5 * 2 ** 20 + 1, '0'), 'text/plain');
  await work.printAll();
  expect(await listedFiles(work.knex).orderBy('id').select('pdf_status', 'print_failure')).toEqual([
    { pdf_status: 'failed', print_failure: 'The file is larger than 5 MiB' },
    { pdf_status: 'present', print_failure: null },
    { pdf_status: 'present', print_failure: null },
  ]);
});

test('D-38 concurrent calls print each file once, and both get the files that have a PDF', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 3);
  const stored: string[] = [];
  const counting = withStore(work, {
    put: (bucket, key, ...others) => {
      stored.push(key);
      return work.storage.store.put(bucket, key, ...others);
    },
  });
  const printer = createFilePrinter({ ...counting, logger });
  const results = await Promise.all([
    printer.printFiles(work.principal.firmId, ids),
    printer.printFiles(work.principal.firmId, ids),
  ]);
  for (const printed of results) expect([...printed].sort()).toEqual(ids);
  expect(new Set(stored).size).toBe(3);
  expect(stored).toHaveLength(3);
});

test('D-38 a file that ends its process during each attempt is given up, and can be printed again', async () => {
  const work = await setUpUploads();
  const [killing = expect.fail(), ...others] = await listStatements(work, 3);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    // The attempt begins, but never ends, as if the process had been killed.
    const reached = new Promise<void>((resolve) => {
      const killed = withStore(work, {
        get: () => {
          resolve();
          return new Promise(() => {});
        },
      });
      void createFilePrinter({ ...killed, logger }).printFiles(work.principal.firmId, [killing]);
    });
    await reached;
  }
  await work.printAll();
  expect(
    await listedFiles(work.knex).orderBy('id').select('id', 'pdf_status', 'print_failure'),
  ).toEqual([
    { id: killing, pdf_status: 'failed', print_failure: 'The process ended during 3 attempts' },
    ...others.map((id) => ({ id, pdf_status: 'present', print_failure: null })),
  ]);
  await work.printer.printAgain(killing);
  expect(await listedFiles(work.knex).where({ id: killing }).first()).toMatchObject({
    ...{ pdf_status: 'present', print_attempts: 0, print_failure: null },
  });
});

test.each([
  ['first', [3, 0, 1, 2]],
  ['last', [0, 1, 2, 3]],
])(
  'D-38 a file has a PDF in the end if the process that gives it up while others print it is the %s to end',
  async (_, order) => {
    const work = await setUpUploads();
    const [file = expect.fail()] = await listStatements(work, 3);
    const waiting: (() => void)[] = [];
    // Each process has begun before the first goes on.
    const slow = withStore(work, {
      async get(bucket, key) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return work.storage.store.get(bucket, key);
      },
    });
    const printing: Promise<ReadonlySet<string>>[] = [];
    for (let process = 1; process <= 4; process += 1) {
      printing.push(
        createFilePrinter({ ...slow, logger }).printFiles(work.principal.firmId, [file]),
      );
      await expect.poll(() => waiting).toHaveLength(process);
    }
    // The last one to begin gives it up.
    for (const process of order) {
      waiting[process]?.();
      await printing[process];
    }
    const [printed] = await Promise.all(printing);
    expect(printed).toEqual(new Set([file]));
    expect(await listedFiles(work.knex).where({ id: file }).first()).toMatchObject({
      ...{ pdf_status: 'present', print_attempts: 0, print_failure: null },
    });
  },
);

test('D-38 an outage of the storage does not count as an attempt', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 3);
  const unreachable = withStore(work, { put: () => Promise.reject(new Error('Unreachable')) });
  const printer = createFilePrinter({ ...unreachable, logger });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await expect(printer.printFiles(work.principal.firmId, ids)).rejects.toThrow('Unreachable');
    const row = { pdf_status: 'missing', print_attempts: 0, print_failure: 'Error: Unreachable' };
    expect(await listedFiles(work.knex)).toMatchObject([row, row, row]);
  }
  await work.printAll();
  expect(await listedFiles(work.knex).whereNotNull('print_failure')).toEqual([]);
  expect(
    await listedFiles(work.knex).where({ pdf_status: 'present' }).orderBy('id').pluck('id'),
  ).toEqual(ids);
});

test('D-38 a list with PDFs prints few files before the first is sent, and none for a caller that has gone', async () => {
  const { work, iban } = await setUpAccount('finished');
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  await work.deliver(codaFile(...numbers.map((number) => ({ iban, number }))));
  const calls: number[] = [];
  const store = createFileStore({
    ...{ knex: work.knex, presign: work.storage.presign, now: work.now },
    async printFiles(_, ids) {
      calls.push(ids.length);
      return new Set(ids);
    },
  });
  const list = () => store.listCoda(work, { includePdf: true });
  const first = list();
  await first.next();
  expect(calls).toEqual([20]);
  await first.return(undefined);
  expect(calls).toEqual([20]);
  const names: string[] = [];
  for await (const { ibans } of list()) {
    for await (const { files } of ibans) {
      for await (const { fileName, urls } of files) {
        names.push(fileName);
        expect(urls.pdf).toBeDefined();
      }
    }
  }
  expect(names).toEqual(
    numbers.map((number) => expect.stringContaining(String(number).padStart(3, '0'))),
  );
  expect(calls).toEqual([20, 20, 20, 10]);
});
