import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { inTransaction } from '../../src/db/transaction.js';
import { eraseCustomer } from '../../src/erasure/erase-customer.js';
import { removeDueObjects } from '../../src/files/object-removals.js';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { captureProgram } from '../../src/operator/program.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { reopenUpload } from '../../src/uploads/upload-store.js';
import { signal } from '../jobs/jobs-database.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { keysOf } from '../storage/open-test-storage.js';
import { codaFile, enterpriseNumber } from '../uploads/sample-files.js';
import { readById, setUpUploads, withStore } from '../uploads/set-up-uploads.js';
import { removeLater } from './find-traces.js';

test.each([
  ['finishes', 'nobody else'],
  ['is killed', 'nobody else'],
  ['finishes', 'another worker'],
  ['is killed', 'another worker'],
  ['finishes', 'an operator'],
  ['is killed', 'an operator'],
])(
  'D-63 no PDF is left of a file that is erased while a worker prints it, which then %s, and %s has printed it',
  async (then, printed) => {
    const work = await setUpUploads();
    const iban = newIban();
    const number = enterpriseNumber();
    const customerId = await work.create({ ibans: [iban] }, { enterprise_number: number });
    await work.setStatus(customerId, 'finished');
    await work.deliver(codaFile({ iban }));
    await work.knex('customers').where({ id: customerId }).update({ archived_on: new Date() });
    const [{ id = '' } = {}] = await work.files();
    const stored = signal();
    const erasing = withStore(work, {
      async put(...parameters) {
        if (printed === 'another worker')
          await work.printer.printFiles(work.principal.firmId, [id]);
        if (printed === 'an operator') await work.printer.printAgain(id);
        await eraseCustomer(work, customerId, number);
        await removeDueObjects(work, new Date());
        await work.storage.store.put(...parameters);
        stored.give();
        // One that was killed does nothing more.
        if (then === 'is killed') await new Promise(() => {});
      },
    });
    const printing = createFilePrinter({ ...erasing, logger: createLogger('silent') });
    const ended = printing.printFiles(work.principal.firmId, [id]);
    await (then === 'is killed' ? stored.given : ended);
    // Others are gone at once.
    const left = then === 'is killed' ? [expect.stringMatching(/\.pdf$/)] : [];
    expect(await keysOf(work.storage, 'files')).toEqual(left);
    await removeLater(work);
    expect(await keysOf(work.storage, 'files')).toEqual([]);
  },
);

test.each(['only the customer', 'others too'])(
  'D-63 a worker that reads an upload of %s while it is erased records nothing of it, and no copy is left',
  async (of) => {
    const work = await setUpUploads();
    const { knex, storage } = work;
    const [iban, otherIban] = [newIban(), newIban()];
    const number = enterpriseNumber();
    await work.create({ ibans: [otherIban] });
    const customerId = await work.create({ ibans: [iban] }, { enterprise_number: number });
    await knex('customers').where({ id: customerId }).update({ archived_on: new Date() });
    const others = of === 'others too' ? [{ iban: otherIban }] : [];
    await work.upload('CODA', 'xqz.cod', codaFile(...others, { iban }));
    if (of === 'others too') await work.readAll();
    else await scanUploads(work, new Date());
    const [{ id = '' } = {}] = await work.uploads();
    await inTransaction(knex, (trx) => reopenUpload(trx, id));

    let erased: unknown;
    const erasing = withStore(work, {
      async put(bucket, key, ...parameters) {
        // The findings of a rejected upload, after its copy and before its outcome.
        if (key.startsWith('rejected/')) {
          erased = await eraseCustomer(work, customerId, number, { withUnread: true });
        }
        return storage.store.put(bucket, key, ...parameters);
      },
    });
    await readById(erasing, id);
    expect(erased).toMatchObject({ uploadIds: [id] });
    const key = expect.stringMatching(/^uploads\/[^/]+\/erased-/);
    const row = { id, object_key: key, status: 'rejected', findings: [], has_copy: false };
    expect(await work.uploads()).toMatchObject(of === 'others too' ? [row] : []);
    expect(await work.files()).toHaveLength(others.length);
    await removeLater(work);
    expect(await keysOf(storage, 'files', 'rejected/')).toEqual([]);
    expect(await keysOf(storage, 'codaUploads')).toEqual([]);
    expect(await scanUploads(work, new Date())).toBe(true);
    expect(await work.uploads()).toHaveLength(others.length);
  },
);

test('D-63 an upload that names the customer and arrives while it is erased is erased too, or reported', async () => {
  const work = await setUpUploads();
  const { knex, storage } = work;
  const iban = newIban();
  const number = enterpriseNumber();
  const customerId = await work.create({ ibans: [iban] }, { enterprise_number: number });
  await work.upload('CODA', 'listed.cod', codaFile({ iban }));
  // Refused, because the account of the second statement is unknown.
  await work.upload('CODA', 'refused.cod', codaFile({ iban }, { iban: newIban() }));
  await work.readAll();
  const [rejected] = (await work.uploads()).filter(({ status }) => status === 'rejected');
  await knex('customers').where({ id: customerId }).update({ archived_on: new Date() });
  /** Erases, and uploads a file once the listed file is gone. */
  const erase = async (isRead: boolean) => {
    let arrived = false;
    const erasing = withStore(work, {
      async *list(...parameters) {
        if (!arrived && (await work.files()).length === 0) {
          arrived = true;
          await work.upload('CODA', 'late.cod', codaFile({ iban, number: 2 }));
          if (isRead) await work.readAll();
        }
        yield* storage.store.list(...parameters);
      },
    });
    return eraseCustomer(erasing, customerId, number);
  };
  expect(await erase(false)).toEqual({
    ...{ unreadIds: [expect.any(String)], uploadIds: [rejected?.id] },
  });
  await work.readAll();
  expect(await erase(true)).toMatchObject({ id: customerId });
  expect(await work.uploads()).toEqual([]);
  await removeLater(work);
  expect(await keysOf(storage, 'files')).toEqual([]);
});

test('D-63 what a disabled firm has uploaded does not keep customers of others from being erased', async () => {
  const work = await setUpUploads();
  const number = enterpriseNumber();
  const customerId = await work.create({ ibans: [] }, { enterprise_number: number });
  await work.knex('customers').where({ id: customerId }).update({ archived_on: new Date() });
  const disabled = await newPrincipal(work.knex);
  const prefix = await work.grant('CODA', disabled);
  await work.knex('firms').where({ id: disabled.firmId }).update({ disabled_on: new Date() });
  for (const name of ['a', 'b', 'c'])
    await work.upload('CODA', `${prefix}/${name}`, Buffer.from(name));
  const parts = { ...work, maxWaiting: 2 };
  expect(await scanUploads(parts, new Date())).toBe(false);
  const own = await work.upload('CODA', 'z.cod', Buffer.from(number));
  const erased = await eraseCustomer(parts, customerId, number, { withUnread: true });
  expect(erased).toMatchObject({ uploadIds: [expect.any(String)] });
  expect(await keysOf(work.storage, 'codaUploads')).not.toContain(own);
});

test('D-63 an object that cannot be removed is named, and nothing else of the customer is left', async () => {
  const work = await setUpUploads();
  const number = enterpriseNumber();
  const customerId = await work.create({ ibans: [] }, { enterprise_number: number });
  await work.knex('customers').where({ id: customerId }).update({ archived_on: new Date() });
  // Keys of S3 have at most 1,024 bytes.
  const key = `held/${'x'.repeat(2_000)}.cod`;
  await work.knex('object_removals').insert({ object_key: key, remove_after: new Date() });
  const erase = ['customer', 'erase', customerId, '--confirm', number];
  const { exitCode, stdout, stderr } = await captureProgram(erase, {
    ...work.storage.settings,
    DATABASE_URL: work.url,
  });
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: expect.stringContaining(customerId),
    stderr: expect.stringContaining(`object ${key}`),
  });
  expect(await work.knex('customers').where({ id: customerId })).toEqual([]);
});
