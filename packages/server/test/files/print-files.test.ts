import { expect, test } from 'vitest';
import { createFileStore } from '../../src/files/file-store.js';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { createLinkedCustomer, newPrincipal } from '../mandates/linked-customer.js';
import { textOf } from '../storage/open-test-storage.js';
import { newIban } from '../support/belgian-iban.js';
import { failAt } from '../uploads/killed/fail-at-call.js';
import { codaFile } from '../uploads/sample-files.js';
import { setUpUploads, type Uploads, withStore } from '../uploads/set-up-uploads.js';

const logger = createLogger('silent');

/** Lists three statements that are not printed, and returns their ids in order. */
async function listThree(work: Uploads): Promise<string[]> {
  const iban = newIban();
  await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
  await work.deliver(codaFile(...[1, 2, 3].map((number) => ({ iban, number }))));
  return work.knex('files').orderBy('id').pluck('id');
}

test('D-38 a statement is listed before it is printed, and printed again if the printer is killed', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({ listed: 1 });
  const [file] = await work.files();
  const pdf = () => textOf(work.storage, 'files', file?.pdf_key ?? '');
  expect(await pdf()).toBeUndefined();
  for (const moment of ['before', 'after'] as const) {
    for (const call of [1, 2]) {
      const killed = createFilePrinter({ ...failAt(work, call, moment), logger });
      await expect(killed.printInTurns(60_000)).rejects.toThrow('killed');
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
  const [id = ''] = await listThree(work);
  const { object_key: key } = await work.knex('files').where({ id }).first('object_key');
  const { store, buckets } = work.storage;
  await store.put(buckets.files, key, Buffer.alloc(5 * 2 ** 20 + 1, '0'), 'text/plain');
  await work.printAll();
  expect(await work.knex('files').orderBy('id').select('pdf_status', 'print_failure')).toEqual([
    { pdf_status: 'failed', print_failure: 'The file is larger than 5 MiB' },
    { pdf_status: 'present', print_failure: null },
    { pdf_status: 'present', print_failure: null },
  ]);
});

test('D-38 concurrent calls print each file once, and both get the files that have a PDF', async () => {
  const work = await setUpUploads();
  const ids = await listThree(work);
  const stored: string[] = [];
  const counting = withStore(work, {
    put: (bucket, key, ...others) => {
      stored.push(key);
      return work.storage.store.put(bucket, key, ...others);
    },
  });
  const printer = createFilePrinter({ ...counting, logger });
  const results = await Promise.all([printer.printFiles(ids), printer.printFiles(ids)]);
  for (const printed of results) expect([...printed].sort()).toEqual(ids);
  expect(new Set(stored).size).toBe(3);
  expect(stored).toHaveLength(3);
});

test('D-38 a file that the storage does not return does not prevent the others from being printed', async () => {
  const work = await setUpUploads();
  const [first = expect.fail(), ...others] = await listThree(work);
  const { object_key } = await work.knex('files').where({ id: first }).first('object_key');
  const failing = withStore(work, {
    get: (bucket, key) =>
      key === object_key
        ? Promise.reject(new Error('Access denied'))
        : work.storage.store.get(bucket, key),
  });
  const printing = createFilePrinter({ ...failing, logger }).printInTurns(60_000);
  await expect(printing).rejects.toThrow('Access denied');
  const statuses = () =>
    work.knex('files').where({ pdf_status: 'present' }).orderBy('id').pluck('id');
  expect(await statuses()).toEqual(others);
  await work.printAll();
  expect(await statuses()).toEqual([first, ...others]);
});

test('D-38 a file whose storage request takes a whole run does not prevent the others from being printed', async () => {
  const work = await setUpUploads();
  const [first = expect.fail(), ...others] = await listThree(work);
  const { object_key } = await work.knex('files').where({ id: first }).first('object_key');
  let isFailing = true;
  const failing = withStore(work, {
    get: (bucket, key) =>
      isFailing && key === object_key
        ? Promise.reject(new Error('Timeout'))
        : work.storage.store.get(bucket, key),
  });
  const printer = createFilePrinter({ ...failing, logger });
  const present = () =>
    work.knex('files').where({ pdf_status: 'present' }).orderBy('id').pluck('id');
  // Each run prints one file.
  for (let printed = 1; printed <= others.length; printed += 1) {
    await expect(printer.printInTurns(0)).rejects.toThrow('Timeout');
    expect(await printer.printInTurns(0)).toBe(true);
    expect(await present()).toEqual(others.slice(0, printed));
  }
  isFailing = false;
  await printer.printInTurns(0);
  expect(await present()).toEqual([first, ...others]);
});

test('D-38 after many failures, files that failed are tried again before the others', async () => {
  const work = await setUpUploads();
  await listThree(work);
  const tried: string[] = [];
  const failing = withStore(work, {
    async get(_bucket, key) {
      tried.push(key);
      throw new Error('Timeout');
    },
  });
  const printer = createFilePrinter({ ...failing, logger, maxFailed: 2 });
  for (let run = 0; run < 3; run += 1) {
    await expect(printer.printInTurns(0)).rejects.toThrow('Timeout');
  }
  const [first, second] = await work.knex('files').orderBy('id').pluck('object_key');
  expect(tried).toEqual([first, second, first]);
});

test('D-38 the files of firms are printed in turns', async () => {
  const work = await setUpUploads();
  const [flooding, other] = [newIban(), newIban()];
  await work.setStatus(await work.create({ ibans: [flooding] }), 'finished');
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
  await work.deliver(codaFile(...numbers.map((number) => ({ iban: flooding, number }))));
  const otherFirm = await newPrincipal(work.knex);
  await work.setStatus(
    await createLinkedCustomer(work.knex, otherFirm, { ibans: [other] }),
    'finished',
  );
  await work.deliver(codaFile(...[1, 2, 3].map((number) => ({ iban: other, number }))));
  const printed: string[] = [];
  const watched = withStore(work, {
    put: async (bucket, key, ...others) => {
      const { firm_id } = await work.knex('files').where({ pdf_key: key }).first('firm_id');
      printed.push(firm_id === otherFirm.firmId ? 'other' : 'flooding');
      return work.storage.store.put(bucket, key, ...others);
    },
  });
  const printer = createFilePrinter({ ...watched, logger });
  // Turns go on where a run ended, here after each file.
  for (let run = 0; run < 3; run += 1) expect(await printer.printInTurns(0)).toBe(true);
  expect(printed).toEqual(['flooding', 'other', 'flooding']);
  await printer.printInTurns(60_000);
  expect(printed.slice(3, 7)).toEqual(['other', 'flooding', 'other', 'flooding']);
  expect(printed).toHaveLength(15);
});

test('D-38 a file that ends its process during each attempt is given up, and can be printed again', async () => {
  const work = await setUpUploads();
  const [killing = expect.fail(), ...others] = await listThree(work);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    // The attempt begins, but never ends, as if the process had been killed.
    const reached = new Promise<void>((resolve) => {
      const killed = withStore(work, {
        get: () => {
          resolve();
          return new Promise(() => {});
        },
      });
      void createFilePrinter({ ...killed, logger }).printFiles([killing]);
    });
    await reached;
  }
  await work.printAll();
  expect(
    await work.knex('files').orderBy('id').select('id', 'pdf_status', 'print_failure'),
  ).toEqual([
    { id: killing, pdf_status: 'failed', print_failure: 'The process ended during each attempt' },
    ...others.map((id) => ({ id, pdf_status: 'present', print_failure: null })),
  ]);
  await work.printer.printAgain(killing);
  expect(await work.knex('files').where({ id: killing }).first()).toMatchObject({
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
    const [file = expect.fail()] = await listThree(work);
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
      printing.push(createFilePrinter({ ...slow, logger }).printFiles([file]));
      await expect.poll(() => waiting).toHaveLength(process);
    }
    // The last one to begin gives it up.
    for (const process of order) {
      waiting[process]?.();
      await printing[process];
    }
    const [printed] = await Promise.all(printing);
    expect(printed).toEqual(new Set([file]));
    expect(await work.knex('files').where({ id: file }).first()).toMatchObject({
      ...{ pdf_status: 'present', print_attempts: 0, print_failure: null },
    });
  },
);

test('D-38 an outage of the storage does not count as an attempt', async () => {
  const work = await setUpUploads();
  const ids = await listThree(work);
  const unreachable = withStore(work, { put: () => Promise.reject(new Error('Unreachable')) });
  const printer = createFilePrinter({ ...unreachable, logger });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await expect(printer.printInTurns(60_000)).rejects.toThrow('Unreachable');
  }
  await work.printAll();
  expect(
    await work.knex('files').where({ pdf_status: 'present' }).orderBy('id').pluck('id'),
  ).toEqual(ids);
});

test('D-38 a list with PDFs prints few files before the first is sent, and none for a caller that has gone', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  await work.deliver(codaFile(...numbers.map((number) => ({ iban, number }))));
  const calls: number[] = [];
  const store = createFileStore({
    ...{ knex: work.knex, presign: work.storage.presign, now: work.now },
    async printFiles(ids) {
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
