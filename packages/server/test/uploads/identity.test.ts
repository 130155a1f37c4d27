import { type StatementDraft, writeCoda } from '@adx/statements';
import { afterAll, expect, test } from 'vitest';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { rehashingWork } from '../../src/uploads/rehash-files.js';
import { newIban } from '../support/belgian-iban.js';
import { redeliverAtEveryCall } from './killed/redeliver.js';
import { codaFile, codbFile, enterpriseNumber } from './sample-files.js';
import { setUpUploads, withStore } from './set-up-uploads.js';

const work = await setUpUploads(afterAll);
const { knex } = work;

const filesOf = (customer_id: string) => knex('files').where({ customer_id }).orderBy('arrival');

/** Makes the listed files of a customer ones of a former version. */
async function asFormerVersion(customer_id: string): Promise<void> {
  await knex('files')
    .where({ customer_id })
    .update({
      ...{ content_hash: knex.raw('sha256(id::bytea)'), hash_version: 1 },
      ...{ created_on: null, old_balance: null, new_balance: null },
    });
}

const draft = (iban: string, changes: Partial<StatementDraft> = {}): StatementDraft => ({
  header: { creationDate: '2026-02-04', bic: 'GKCCBEBB' },
  account: { structure: 2, number: iban, currency: 'EUR', holder: 'Société Zürich' },
  statementNumber: 14,
  oldBalance: { amount: 1_000_000n, date: '2026-02-02' },
  newBalance: { date: '2026-02-03' },
  movements: [
    {
      amount: -12_500n,
      transactionCode: { type: 0, family: '01', operation: '01', category: '000' },
      communication: { kind: 'free', text: 'Invoice 2026/31' },
    },
  ],
  ...changes,
});

const delivery = {
  creationDate: '2026-03-09',
  bic: 'GKCCBEBB',
  duplicate: true,
  fileReference: 'X9',
};

test('D-29 a statement is listed once, whatever its creation date, file reference, duplicate flag and encoding', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const again = draft(iban, { header: delivery });
  await work.upload('CODA', '1.cod', writeCoda([draft(iban)], { encoding: 'windows-1252' }));
  await work.readAll();
  await work.upload('CODA', '2.cod', writeCoda([again], { encoding: 'utf-8', lineEnd: '\n' }));
  await work.upload('CODA', '3.cod', writeCoda([again, again], { encoding: 'cp850' }));
  await work.readAll();
  expect(await filesOf(id)).toMatchObject([{ file_name: `${iban}_EUR_2026_014.cod` }]);
  const findings = (await work.uploads())
    .slice(-3)
    .map((upload) => upload.findings.map(({ code }) => code));
  expect(findings[1]).toContain('alreadyListed');
  expect(findings[2]?.filter((code) => code === 'alreadyListed')).toHaveLength(2);
});

test('D-29 an empty statement without a new balance is recognised, although its date is that of the file', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const empty = { newBalance: undefined, movements: [] };
  const header = { ...delivery, creationDate: '2027-01-04' };
  await work.upload('CODA', '1.cod', writeCoda([draft(iban, empty)]));
  await work.readAll();
  await work.upload('CODA', '2.cod', writeCoda([draft(iban, { ...empty, header })]));
  await work.readAll();
  expect(await filesOf(id)).toHaveLength(1);
});

test('D-29 a separate application is not the statement with all transactions', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const part = (separateApplication: string) =>
    draft(iban, {
      header: { creationDate: '2026-02-04', bic: 'GKCCBEBB', separateApplication },
      ...{ statementNumber: 0, oldBalance: { amount: 0n, date: '2026-02-02' } },
    });
  for (const code of ['00001', '00002', '00001']) {
    await work.upload('CODA', `${code}.cod`, writeCoda([part(code)]));
  }
  await work.readAll();
  const rows = await filesOf(id);
  expect(rows).toMatchObject([{ old_balance: null }, { old_balance: null }]);
});

test('D-29 a booking is listed once, however the provider spells its name; another label is a correction', async () => {
  const number = enterpriseNumber();
  const id = await work.create({ providers: ['sdworx'] }, { enterprise_number: number });
  const booking = { enterpriseNumber: number };
  const bytes = Buffer.from(codbFile(booking));
  const again = bytes.toString().replace('2026-02-28', '2026-03-02').replace('>1.2<', '>0.1<');
  await work.upload('CODB', '1.xml', bytes);
  await work.upload('CODB', '2.xml', Buffer.from(again));
  await work.upload('CODB', '3.xml', codbFile({ ...booking, source: 'SD WÔRX' }));
  await work.readAll();
  expect(await filesOf(id)).toHaveLength(1);
  await work.upload('CODB', '4.xml', codbFile({ ...booking, label: 'Wage' }));
  await work.readAll();
  expect((await filesOf(id)).map(({ file_name }) => file_name)).toEqual([
    `${number}_SD-Worx_202602_7.xml`,
    `${number}_SD-Worx_202602_7_2.xml`,
  ]);
});

test('D-29 files of a former version are recognised, and are rehashed by workers', async () => {
  const [iban, number] = [newIban(), enterpriseNumber()];
  const id = await work.create(
    { ibans: [iban], providers: ['sdworx'] },
    { enterprise_number: number },
  );
  const upload = async () => {
    await work.upload('CODA', '1.cod', codaFile({ iban }, { iban, number: 15 }));
    await work.upload('CODB', '1.xml', codbFile({ enterpriseNumber: number }));
    await work.readAll();
  };
  await upload();
  const byId = () => filesOf(id);
  const files = await byId();
  await asFormerVersion(id);
  await upload();
  expect(await byId()).toEqual(files);
  await asFormerVersion(id);
  expect(await rehashingWork(knex, work.storage).run()).toBe('done');
  expect(await byId()).toEqual(files);
});

test('D-29 a statement that a former version listed twice stays listed twice, and is recognised', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const upload = async () => {
    await work.upload('CODA', '1.cod', codaFile({ iban }));
    await work.readAll();
  };
  await upload();
  const [{ arrival: _, ...first }] = await filesOf(id);
  await asFormerVersion(id);
  await knex('files').insert({
    ...first,
    id: newObjectId(),
    file_name: 'second.cod',
    hash_version: 1,
    content_hash: Buffer.alloc(32),
  });
  await rehashingWork(knex, work.storage).run();
  expect(await filesOf(id).pluck('hash_version')).toEqual([2, 2]);
  await upload();
  expect(await filesOf(id)).toHaveLength(2);
});

test('D-29 processes of a former version, which write no hash version, list nothing after the migration', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  await work.upload('CODA', '1.cod', codaFile({ iban }));
  await work.readAll();
  const [{ hash_version: _, ...row }] = await filesOf(id).delete().returning('*');
  await expect(knex('files').insert(row)).rejects.toThrow('"hash_version"');
});

test('D-29 a file of a former version whose object is missing stays listed, and delays nothing', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  await work.upload('CODA', '1.cod', codaFile({ iban }));
  await work.readAll();
  await asFormerVersion(id);
  const [{ object_key = '' } = {}] = await filesOf(id);
  await work.storage.store.remove(work.storage.buckets.files, object_key);
  await work.upload('CODA', '2.cod', codaFile({ iban }));
  await work.readAll();
  expect(await filesOf(id).pluck('hash_version')).toEqual([0, 2]);
});

test('D-29 files of a former version that cannot be read for now, however many, delay no other one', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  await work.upload('CODA', '1.cod', codaFile({ iban }));
  await work.readAll();
  await asFormerVersion(id);
  const [{ arrival: _, ...first }] = await filesOf(id);
  const refused = Array.from({ length: 200 }, (_, index) => ({
    ...{ ...first, id: newObjectId(), object_key: `refused/${index}` },
    file_name: `refused_${index}.cod`,
    content_hash: Buffer.alloc(32, index),
  }));
  await knex('files').insert(refused);
  const { store } = work.storage;
  const { storage } = withStore(work, {
    get: (bucket, key) =>
      key.startsWith('refused')
        ? Promise.reject(new Error('AccessDenied'))
        : store.get(bucket, key),
  });
  const { run } = rehashingWork(knex, storage);
  await expect(run()).rejects.toThrow(`It failed for file ${refused.at(-1)?.id}, `);
  expect(await run()).toBe('done');
  expect(await filesOf(id).whereNot({ hash_version: 1 })).toMatchObject([{ id: first.id }]);
  // They are tried again.
  await expect(run()).rejects.toThrow('and 190 more');
  await knex('files').where({ customer_id: id, hash_version: 1 }).delete();
});

test('D-30 the statement of a former version whose object is missing is not missing, and hides no gap beside it', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const upload = async (...numbers: readonly number[]) => {
    const statements = numbers.map((number) => ({ iban, number, date: `2026-02-0${number}` }));
    await work.upload('CODA', `${numbers}.cod`, codaFile(...statements));
    await work.readAll();
  };
  await upload(1, 2, 3);
  await asFormerVersion(id);
  const [, { object_key }] = await filesOf(id);
  await work.storage.store.remove(work.storage.buckets.files, object_key);
  await rehashingWork(knex, work.storage).run();
  await upload(4, 6);
  expect(await knex('missing_statements').where({ customer_id: id })).toMatchObject([
    { kind: 'gap', from_number: 5, to_number: 5 },
  ]);
});

test('D-30 no numbers are missing that files of a former version have', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const lastYear = { iban, number: 3, date: '2025-01-06' };
  const thisYear = [1, 2].map((number) => ({ iban, number }));
  await work.upload('CODA', '1.cod', codaFile(lastYear, ...thisYear));
  await work.readAll();
  await asFormerVersion(id);
  // Only the statement of last year with this number is rehashed at once.
  await work.upload('CODA', '2.cod', codaFile({ iban, number: 3 }));
  await work.readAll();
  expect(await filesOf(id)).toMatchObject(
    [2, 1, 1, 2].map((version) => ({ hash_version: version })),
  );
  const gaps = knex('missing_statements').where({ customer_id: id, kind: 'gap' });
  expect(await gaps.clone()).toEqual([]);
  await rehashingWork(knex, work.storage).run();
  await work.upload('CODA', '3.cod', codaFile({ iban, number: 5 }));
  await work.readAll();
  expect(await gaps).toMatchObject([{ from_number: 4, to_number: 4 }]);
});

test('D-30 where a bank leaves numbers out, none is missing before the files of a former version are rehashed', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const statements = [2, 4, 6, 8, 10].map((statementNumber, index) => {
    const date = `2026-02-0${index + 1}`;
    const amount = 1_000_000n - 12_500n * BigInt(index);
    return draft(iban, { statementNumber, oldBalance: { amount, date }, newBalance: { date } });
  });
  await work.upload('CODA', '1.cod', writeCoda(statements.slice(0, 4)));
  await work.readAll();
  await asFormerVersion(id);
  await work.upload('CODA', '2.cod', writeCoda(statements.slice(4)));
  await work.readAll();
  expect(await filesOf(id)).toHaveLength(5);
  expect(await knex('missing_statements').where({ customer_id: id })).toEqual([]);
});

test('§9 D-29 killed after any call, a statement that a former version listed is not listed again', async () => {
  await expect(redeliverAtEveryCall(work, 'after', 1)).resolves.toBeGreaterThan(5);
});
