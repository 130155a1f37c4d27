import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { readPdf } from '../../../statements/test/pdf/read-pdf.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { contentOf, keysOf, textOf } from '../storage/open-test-storage.js';
import { completeRows } from '../support/rows.js';
import { changed, codaFile, codbFile, enterpriseNumber } from './sample-files.js';
import { setUpAccount, setUpUploads, withStore } from './set-up-uploads.js';

test('§4.17 a CODA upload is listed statement by statement, with PDF, and the upload is gone', async () => {
  const { work, iban, customerId } = await setUpAccount();
  const { name } = await work
    .knex('banks_by_code')
    .where({ bank_code: iban.slice(4, 7) })
    .first('name');
  const bytes = codaFile({ iban, number: 14 }, { iban, number: 15 });
  await work.upload('CODA', 'bank/feb.cod', bytes);
  await work.readAll();
  const files = await work.files();
  expect(files).toMatchObject([
    {
      ...{ customer_id: customerId, firm_id: work.principal.firmId, product: 'CODA' },
      ...{ iban, currency: 'EUR', extension: '', year: 2026, statement_number: 14 },
      ...{ statement_date: '2026-02-03', file_name: `${iban}_EUR_2026_014.cod`, arrival: 1 },
    },
    { statement_number: 15, file_name: `${iban}_EUR_2026_015.cod`, arrival: 2 },
  ]);
  const texts = await Promise.all(
    files.map(({ object_key }) => textOf(work.storage, 'files', object_key)),
  );
  expect(texts.join('')).toBe(Buffer.from(bytes).toString());
  for (const { pdf_key } of files) {
    const pdf = await contentOf(work.storage, 'files', pdf_key);
    const texts = readPdf(pdf ?? new Uint8Array()).flat();
    expect(texts.map(({ text }) => text).join(' ')).toContain(name);
  }
  expect(await work.uploads()).toMatchObject([
    { status: 'processed', source: 'upload', grant_id: expect.any(String) },
  ]);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
  expect(await keysOf(work.storage, 'files', 'rejected/')).toEqual([]);
});

test('§4.18 a CODB upload is listed booking by booking under the enterprise number', async () => {
  const work = await setUpUploads();
  const [one, other] = [enterpriseNumber(), enterpriseNumber()];
  const oneId = await work.create({ providers: ['sdworx'] }, { enterprise_number: one });
  const otherId = await work.create({ providers: ['sdworx'] }, { enterprise_number: other });
  await work.upload(
    'CODB',
    'lonen.xml',
    codbFile({ enterpriseNumber: one }, { enterpriseNumber: other, number: 8 }),
  );
  await work.readAll();
  expect(await work.files()).toMatchObject([
    {
      ...{ customer_id: oneId, product: 'CODB', payroll_provider: 'SD Worx' },
      ...{ account_period: 202602, year: 2026, statement_number: 7 },
      ...{ statement_date: '2026-02-28', file_name: `${one}_SD-Worx_202602_7.xml` },
    },
    { customer_id: otherId, statement_number: 8 },
  ]);
  expect(await keysOf(work.storage, 'codbUploads')).toEqual([]);
});

test('D-27 a repeated statement is recognised in any file; a corrected one is listed too', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', '1.cod', codaFile({ iban, number: 14 }));
  await work.readAll();
  await work.upload('CODA', '2.cod', codaFile({ iban, number: 14 }, { iban, number: 15 }));
  await work.upload('CODA', '3.cod', codaFile({ iban, number: 14, duplicate: true }));
  await work.readAll();
  expect(await work.files()).toHaveLength(2);
  const uploads = await work.uploads();
  expect(uploads.map(({ status }) => status)).toEqual(['processed', 'processed', 'processed']);
  expect(uploads[1]?.findings).toMatchObject([{ code: 'alreadyListed', severity: 'warning' }]);
  await work.upload('CODA', '1.cod', codaFile({ iban, number: 14, communication: 'Corrected' }));
  await work.readAll();
  const files = await work.files();
  expect(files.map(({ file_name }) => file_name)).toEqual([
    `${iban}_EUR_2026_014.cod`,
    `${iban}_EUR_2026_015.cod`,
    `${iban}_EUR_2026_014_2.cod`,
  ]);
  expect(new Set(files.map(({ object_key }) => object_key)).size).toBe(3);
});

test('§4.17, D-27 a statement is listed whatever its currency', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'usd.cod', codaFile({ iban, currency: 'USD' }));
  await work.readAll();
  expect(await work.files()).toMatchObject([{ currency: 'USD' }]);
});

test('files: an unreadable upload is kept unchanged, with its findings, and not listed', async () => {
  const { work, iban, customerId } = await setUpAccount('waitingForBank');
  const bytes = changed(codaFile({ iban }), '000000000012500', '000000000012501');
  await work.upload('CODA', 'bad.cod', bytes);
  await work.readAll();
  expect(await work.files()).toEqual([]);
  const [upload] = await work.uploads();
  expect(upload).toMatchObject({ status: 'rejected' });
  expect(await work.codes()).toContain('balance');
  const kept = `rejected/${upload?.id}`;
  expect(await keysOf(work.storage, 'files')).toEqual([`${kept}.cod`, `${kept}.json`]);
  expect(await textOf(work.storage, 'files', `${kept}.cod`)).toBe(String(Buffer.from(bytes)));
  const described = JSON.parse((await textOf(work.storage, 'files', `${kept}.json`)) ?? '');
  expect(described).toMatchObject({ id: upload?.id, findings: upload?.findings });
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
  expect(await work.statuses(customerId)).toEqual(['waitingForBank']);
});

test('files: if one statement of an upload is refused, the others are listed', async () => {
  const work = await setUpUploads();
  const [iban, unknown] = [newIban(), newIban()];
  await work.create({ ibans: [iban] });
  await work.upload(
    'CODA',
    'mixed.cod',
    codaFile({ iban, number: 1 }, { iban: unknown, number: 1 }, { iban, number: 2 }),
  );
  await work.readAll();
  const listed = await work.files();
  expect(listed.map(({ statement_number }) => statement_number)).toEqual([1, 2]);
  const [upload] = await work.uploads();
  expect(upload).toMatchObject({
    status: 'rejected',
    findings: [{ code: 'unknownAccount', record: 6, message: expect.stringContaining(unknown) }],
  });
  expect(await keysOf(work.storage, 'files', 'rejected/')).toHaveLength(2);
});

test('§4.10 a disabled account and an archived customer get no files', async () => {
  const work = await setUpUploads();
  const [disabled, archived] = [newIban(), newIban()];
  const number = enterpriseNumber();
  await work.create({ ibans: [disabled] });
  const gone = await work.create({ ibans: [archived] }, { enterprise_number: number });
  await work.knex('bank_accounts').where({ iban: disabled }).update({ disabled_on: new Date() });
  await work.knex('customers').where({ id: gone }).update({ archived_on: new Date() });
  await completeRows(work.knex);
  await work.upload('CODA', 'a.cod', codaFile({ iban: disabled }, { iban: archived }));
  await work.upload('CODB', 'b.xml', codbFile({ enterpriseNumber: number }));
  await work.readAll();
  expect(await work.files()).toEqual([]);
});

test('files: an upload of more than 25 MiB is kept without being read', async () => {
  const work = await setUpUploads();
  const bytes = Buffer.alloc(25 * 2 ** 20 + 1, '0');
  await work.upload('CODA', 'large.cod', bytes);
  await work.readAll();
  expect(await work.codes()).toEqual(['tooLarge']);
  const kept = [];
  for await (const object of work.storage.store.list(work.storage.buckets.files, ''))
    kept.push(object.size);
  expect(kept[0]).toBe(bytes.length);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
});

test.each([
  ['CODA', 'empty.cod', new Uint8Array(), 'emptyFile'],
  ['CODA', 'picture.cod', Buffer.from('\x89PNG\0\0\xff'), 'headerMissing'],
  ['CODB', 'empty.xml', new Uint8Array(), 'malformedXml'],
  ['CODB', 'a.xml', Buffer.from('<SocialDocument>\0</SocialDocument>'), 'malformedXml'],
] as const)('files: %s %s is rejected with a reason', async (product, name, bytes, code) => {
  const work = await setUpUploads();
  await work.upload(product, name, bytes);
  await work.readAll();
  expect(await work.codes()).toContain(code);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
  expect(await keysOf(work.storage, 'codbUploads')).toEqual([]);
});

test('files: a document without a field that the format leaves optional but a list requires is refused', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const number = enterpriseNumber();
  await work.create({ ibans: [iban] }, { enterprise_number: number });
  const other = 'ACCOUNT123456789';
  const foreign = changed(changed(codaFile({ iban }), iban, other), iban, other);
  await work.upload('CODA', '1.cod', changed(foreign, '\r\n12', '\r\n11'));
  const once = changed(codaFile({ iban }), 'EUR', '   ');
  await work.upload('CODA', '2.cod', changed(once, 'EUR', '   '));
  const source = 'Sociaal '.repeat(30);
  await work.upload('CODB', '3.xml', codbFile({ enterpriseNumber: number, source }));
  await work.readAll();
  const codes = (await work.uploads()).map(({ findings }) =>
    findings.filter(({ severity }) => severity === 'error').map(({ code }) => code),
  );
  expect(codes).toEqual([['noIban'], ['noCurrency'], ['sourceTooLong']]);
  expect(await work.files()).toEqual([]);
});

test('files: a NUL in a text does not refuse a file that is otherwise readable', async () => {
  const { work, iban } = await setUpAccount();
  const bytes = changed(codaFile({ iban, communication: 'ABC' }), 'ABC', 'A\0C');
  const spoilt = changed(codaFile({ iban, number: 15 }), '000000000012500', '0000000000125\0\0');
  await work.upload('CODA', '1.cod', bytes);
  await work.upload('CODA', '2.cod', spoilt);
  await work.readAll();
  expect((await work.uploads()).map(({ status }) => status)).toEqual(['processed', 'rejected']);
});

test('files: an upload that is too large to be copied is rejected, stays in its bucket, and is not read again', async () => {
  const work = await setUpUploads();
  const key = await work.upload('CODA', 'a.cod', Buffer.from('x'));
  await scanUploads(work, work.now());
  await work.knex('uploads').update({ size: 5 * 2 ** 30 + 1 });
  await work.readAll();
  expect(await work.uploads()).toMatchObject([{ status: 'rejected' }]);
  expect(await work.codes()).toEqual(['tooLarge']);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([key]);
  const kept = await keysOf(work.storage, 'files', 'rejected/');
  expect(kept).toEqual([expect.stringMatching(/\.json$/)]);
  await work.knex.raw(
    'select graphile_worker.remove_job(job_key => key) from graphile_worker.jobs',
  );
  await scanUploads(work, new Date(Date.now() + 61_000));
  expect(await work.knex('graphile_worker.jobs')).toEqual([]);
});

test('files: an upload with NUL in its key, which other storages allow, is rejected, and is not read again', async () => {
  const work = await setUpUploads();
  const changed = withStore(work, {
    async *list(bucket) {
      if (bucket !== work.storage.buckets.codaUploads) return;
      yield { key: 'uploads/a\0.cod', etag: 'x', size: 1, lastModified: new Date(0) };
    },
  });
  await work.readAll(changed);
  expect(await work.codes()).toEqual(['uploadGone']);
  await work.knex('graphile_worker._private_jobs').delete();
  await scanUploads(changed, new Date(Date.now() + 61_000));
  expect(await work.knex('graphile_worker.jobs')).toEqual([]);
});

test('D-31 an object outside the prefixes of grants is rejected and kept', async () => {
  const { work, iban } = await setUpAccount();
  const { tenant } = await work.knex('firms').first('tenant');
  const codbPrefix = await work.grant('CODB');
  const keys = [
    'uploads/loose.cod',
    `uploads/${tenant}/a.cod`,
    `uploads/${tenant}-${'0'.repeat(24)}/a.cod`,
    // A grant for the other product, and a grant with the name of another firm.
    `${codbPrefix}/a.cod`,
    `uploads/another-${(await work.grant('CODA')).slice(-24)}/a.cod`,
  ];
  for (const key of keys) await work.upload('CODA', key, codaFile({ iban }));
  await work.readAll();
  expect(await work.files()).toEqual([]);
  const uploads = await work.uploads();
  expect(uploads.map(({ object_key }) => object_key).sort()).toEqual(keys.sort());
  for (const { grant_id, status, findings } of uploads) {
    expect({ grant_id, status }).toEqual({ grant_id: null, status: 'rejected' });
    expect(findings).toMatchObject([{ code: 'unknownGrant' }]);
  }
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
  expect(await keysOf(work.storage, 'files', 'rejected/')).toHaveLength(2 * keys.length);
});
