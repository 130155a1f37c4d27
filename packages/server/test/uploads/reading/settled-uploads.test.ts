import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { keysOf } from '../../storage/open-test-storage.js';
import { codaFile } from '../sample-files.js';
import { recordLines, setUpUploads, withStore } from '../set-up-uploads.js';
import { readDue } from './run-reading.js';

test('D-27 an upload with line separators or marks of direction in its name is rejected, and kept', async () => {
  const work = await setUpUploads();
  const names = ['gpj.\u202edoc', 'a\u2028.cod', 'b\u200f.cod', 'relevé 2026 €.cod'];
  for (const name of names) await work.upload('CODA', name, codaFile({ iban: newIban() }));
  await scanUploads(work, work.now());
  await readDue(work);
  const uploads = await work.uploads();
  const codes = uploads.map(({ findings }) => findings.map(({ code }) => code));
  const unprintable = ['unprintableName'];
  expect(codes.sort()).toEqual([['unknownAccount'], unprintable, unprintable, unprintable]);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
  expect(await keysOf(work.storage, 'files')).toHaveLength(2 * names.length);
});

test('D-31 an upload that the storage does not return, because it is encrypted with a key of its own, is rejected and removed', async () => {
  const work = await setUpUploads();
  const key = await work.upload('CODA', 'encrypted.cod', codaFile({ iban: newIban() }));
  const changed = withStore(work, {
    async get(bucket, name) {
      if (name !== key) return work.storage.store.get(bucket, name);
      throw new S3ServiceException({
        ...{ name: 'InvalidRequest', $fault: 'client', $metadata: { httpStatusCode: 400 } },
        message: 'The object was stored using a form of Server Side Encryption.',
      });
    },
  });
  await scanUploads(work, work.now());
  await readDue(changed);
  const [upload] = await work.uploads();
  expect(upload).toMatchObject({ status: 'rejected', findings: [{ code: 'inaccessible' }] });
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
  expect(await keysOf(work.storage, 'files')).toEqual([`rejected/${upload?.id}.json`]);
});

test('D-55 the log has the outcome of an upload, with its firm and the codes of its findings', async () => {
  const work = await setUpUploads();
  const { lines, logger } = recordLines();
  await work.upload('CODA', 'secret-name.cod', codaFile({ iban: newIban() }, { iban: newIban() }));
  await scanUploads(work, work.now());
  const { firmId } = work.principal;
  await readDue(work, { logger });
  const [upload] = await work.uploads();
  expect(lines).toMatchObject([
    {
      upload: upload?.id,
      ...{ level: 30, firmId, product: 'CODA', status: 'rejected', findings: ['unknownAccount'] },
      msg: 'an upload was read',
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret-name');
});
