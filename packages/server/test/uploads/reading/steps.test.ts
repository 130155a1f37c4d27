import { expect, onTestFinished, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { readUpload } from '../../../src/uploads/reading/read-upload.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { findUpload } from '../../../src/uploads/upload-store.js';
import { keysOf, textOf } from '../../storage/open-test-storage.js';
import { completeRows } from '../../support/rows.js';
import { codaFile, codbFile, enterpriseNumber } from '../sample-files.js';
import {
  readById,
  setUpAccount,
  setUpUploads,
  type Uploads,
  withStore,
} from '../set-up-uploads.js';
import { checkSteps } from './random-steps.js';
import { longFile, stopClock } from './run-reading.js';

/** Scans, and returns the id of the only upload. */
async function scan(work: Uploads): Promise<string> {
  await scanUploads(work, work.now());
  const [upload] = await work.uploads();
  return upload?.id ?? expect.fail();
}

/** Reads one step of an upload, as a process does that is killed after it. */
async function readStep(work: Uploads, id: string) {
  const upload = await findUpload(work.knex, id);
  return upload && readUpload(work, upload, 0);
}

test.each([
  ['CODA', 100],
  // The first result of a CODB file is its findings.
  ['CODB', 99],
] as const)(
  '§9, D-38 a %s file whose reader was killed goes on at its checkpoint',
  async (product, listed) => {
    const { work, iban, customerId } = await setUpAccount();
    const number = enterpriseNumber();
    await work.knex('customers').where({ id: customerId }).update({ enterprise_number: number });
    await completeRows(work.knex);
    const numbers = Array.from({ length: 110 }, (_, i) => i + 1);
    const bookings = numbers.map((each) => ({ enterpriseNumber: number, number: each }));
    await work.upload(
      product,
      'a',
      product === 'CODA' ? longFile(iban, 110) : codbFile(...bookings),
    );
    const id = await scan(work);
    expect(await readStep(work, id)).toBe('unfinished');
    expect(await readStep(work, id)).toBe('unfinished');
    expect(await work.files()).toHaveLength(listed);
    let puts = 0;
    const counted = withStore(work, {
      async put(...parameters) {
        puts += 1;
        await work.storage.store.put(...parameters);
      },
    });
    await readById(counted, id);
    expect(puts).toBe(110 - listed);
    const files = await work.files();
    expect(files.map(({ statement_number }) => statement_number)).toEqual(numbers);
    expect(await work.uploads()).toMatchObject([{ status: 'processed', findings: [] }]);
    expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
  },
);

test('§9, D-38 of processes that read one upload at once, one records each step', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'long.cod', longFile(iban, 110));
  const id = await scan(work);
  const read = () => findUpload(work.knex, id);
  for (let upload = await read(); upload?.status === 'received'; upload = await read()) {
    const current = upload;
    const states = await Promise.all([1, 2, 3].map(() => readUpload(work, current, 0)));
    expect(states.filter((state) => state === 'overtaken')).toHaveLength(2);
  }
  expect(await work.files()).toHaveLength(110);
  // If two had recorded a step, one of them would have found its statements already listed.
  expect(await work.uploads()).toMatchObject([{ status: 'processed', findings: [] }]);
});

test('D-38 a process that finds an upload gone, because another one has read it, leaves nothing', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'a.cod', codaFile({ iban }));
  const upload = (await findUpload(work.knex, await scan(work))) ?? expect.fail();
  expect(await readUpload(work, upload)).toBe('settled');
  expect(await readUpload(work, upload)).toBe('overtaken');
  expect(await work.uploads()).toMatchObject([{ status: 'processed', findings: [] }]);
  expect(await keysOf(work.storage, 'files', 'rejected/')).toEqual([]);
});

test('D-38 a file is read until the end of its turn', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'long.cod', longFile(iban, 110));
  const upload = (await findUpload(work.knex, await scan(work))) ?? expect.fail();
  const elapse = stopClock();
  const slow = withStore(work, {
    async put(...parameters) {
      elapse(10);
      await work.storage.store.put(...parameters);
    },
  });
  expect(await readUpload(slow, upload, 1_000)).toBe('unfinished');
  // Each step takes half a second.
  expect(await work.uploads()).toMatchObject([{ checkpoint: 100 }]);
});

test('D-38 an upload that is replaced while it is read keeps its findings, and the new one is read', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'a.cod', longFile(iban, 60));
  const id = await scan(work);
  expect(await readStep(work, id)).toBe('unfinished');
  await work.upload('CODA', 'a.cod', codaFile({ iban, number: 61 }));
  await work.readAll();
  const uploads = await work.uploads();
  expect(uploads.find((upload) => upload.id === id)).toMatchObject({
    ...{ status: 'rejected', findings: [{ code: 'uploadGone' }] },
  });
  expect((await work.files()).map(({ statement_number }) => statement_number)).toEqual([
    ...Array.from({ length: 50 }, (_, i) => i + 1),
    61,
  ]);
});

test('D-38 the copy of a rejected upload has the bytes of the upload, and its findings those of all steps', async () => {
  const work = await setUpUploads();
  const [iban, unknown] = [newIban(), newIban()];
  await work.create({ ibans: [iban] });
  const bytes = Buffer.concat([longFile(unknown, 60), longFile(iban, 10)]);
  // The last trailer of the first half says that no statement follows, which is an error.
  bytes.write('1', longFile(unknown, 60).length - 3);
  await work.upload('CODA', 'a.cod', bytes);
  const id = await scan(work);
  while ((await readStep(work, id)) !== 'settled');
  expect(await textOf(work.storage, 'files', `rejected/${id}.cod`)).toBe(bytes.toString());
  const described = JSON.parse(
    (await textOf(work.storage, 'files', `rejected/${id}.json`)) ?? expect.fail(),
  );
  const [upload] = await work.uploads();
  expect(described.findings).toEqual(upload?.findings);
  expect(upload?.findings.filter(({ code }) => code === 'unknownAccount')).toHaveLength(60);
  expect(await work.files()).toHaveLength(10);
});

test('D-38 files that are read in random steps by processes that are killed give the same as files that are read at once', async () => {
  const tally = await checkSteps(11, 2);
  expect(tally.steps).toBeGreaterThan(0);
  expect(tally.kills).toBeGreaterThan(0);
});

test('D-38 to list one more version of a statement, the versions that are listed are not read', async () => {
  const { work, iban } = await setUpAccount();
  const versions = Array.from({ length: 60 }, (_, i) => ({ iban, communication: `Version ${i}` }));
  await work.upload('CODA', 'versions.cod', codaFile(...versions));
  await work.readAll();
  let most = 0;
  const measure = (_response: unknown, { response }: { response: { rows?: unknown[] } }) => {
    most = Math.max(most, JSON.stringify(response.rows ?? []).length);
  };
  work.knex.on('query-response', measure);
  onTestFinished(() => void work.knex.off('query-response', measure));
  await work.upload('CODA', 'more.cod', codaFile({ iban, communication: 'Version 59' }, { iban }));
  await scanUploads(work, work.now());
  const [upload] = await work.knex('uploads').where({ status: 'received' });
  await readById(work, upload.id);
  // One version takes more than 100 characters.
  expect(most).toBeLessThan(2_000);
  const names = (await work.files()).map(({ file_name }) => file_name);
  expect(names).toHaveLength(61);
  expect(names.at(-1)).toBe(`${iban}_EUR_2026_014_61.cod`);
});
