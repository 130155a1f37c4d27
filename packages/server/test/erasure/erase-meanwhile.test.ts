import { expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.js';
import { eraseCustomer, eraseFileBatch } from '../../src/erasure/erase-customer.js';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { removeDueObjects } from '../../src/uploads/object-removals.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { reopenUpload } from '../../src/uploads/upload-store.js';
import { keysOf } from '../storage/open-test-storage.js';
import { newIban } from '../support/belgian-iban.js';
import { codaFile, enterpriseNumber } from '../uploads/sample-files.js';
import { readById, setUpUploads, type Uploads, withStore } from '../uploads/set-up-uploads.js';

/** Removes the objects that are due after two hours, as workers do. */
const removeLater = (work: Uploads) => removeDueObjects(work, new Date(Date.now() + 7_200_000));

test.each(['finishes', 'is killed'])(
  'D-63 no PDF is left of a file that is erased while a worker prints it, which then %s',
  async (then) => {
    const work = await setUpUploads();
    const iban = newIban();
    await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
    await work.deliver(codaFile({ iban }));
    const [{ id = '' } = {}] = await work.files();
    const erasing = withStore(work, {
      async put(...parameters) {
        await eraseFileBatch(work, work.knex('files').where({ id }));
        await work.storage.store.put(...parameters);
        if (then === 'is killed') throw new Error('killed');
      },
    });
    const printer = createFilePrinter({ ...erasing, logger: createLogger('silent') });
    await printer.printFiles([id]).catch((error: Error) => expect(error.message).toBe('killed'));
    expect(await keysOf(work.storage, 'files', 'coda/')).toHaveLength(then === 'finishes' ? 1 : 2);
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
