import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';
import { remindContacts } from '../../src/mandates/signing/due-reminders.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { insertCodaFile } from '../support/files.js';
import { insertApiKey, insertCustomer, insertFirm, insertUser } from '../support/rows.js';
import { emptyDatabase } from './empty-database.js';

const DAY = 86_400_000;

/** Migrates an empty database up to and including a migration. */
async function databaseAt(name: string) {
  const { knex } = await emptyDatabase();
  await migrate(
    knex,
    allMigrations.slice(0, allMigrations.findIndex((migration) => migration.name === name) + 1),
  );
  return knex;
}

test('db: 0007 sets the source of earlier uploads', async () => {
  const knex = await databaseAt('0006-files');
  const uploads = [
    ['adx-coda-uploads', 'CODA', 'upload'],
    ['adx-codb-uploads', 'CODB', 'upload'],
    ['operator', 'CODA', 'bank'],
    ['operator', 'CODB', 'payrollProvider'],
  ];
  for (const [index, [bucket, product]] of uploads.entries()) {
    await knex('uploads').insert({
      ...{ id: String(index).padStart(24, '0'), bucket, product, etag: 'e', size: 1 },
      ...{ object_key: `uploads/kantoor/${index}`, received_on: new Date() },
    });
  }
  await migrate(knex);
  const sources = await knex('uploads').orderBy('id').select('bucket', 'product', 'source');
  expect(sources.map(({ bucket, product, source }) => [bucket, product, source])).toEqual(uploads);
});

test('db: 0008 schedules the removal of released deliveries, and keeps held ones', async () => {
  const knex = await databaseAt('0007-grants-and-deliveries');
  const id = (number: number) => String(number).padStart(24, '0');
  await knex('uploads').insert({
    ...{ id: id(0), source: 'bank', bucket: 'operator', product: 'CODA', object_key: 'a.cod' },
    ...{ etag: 'e', size: 1, received_on: new Date() },
  });
  for (const [number, settled_on] of [new Date(), null].entries()) {
    await knex('held_deliveries').insert({
      ...{ id: id(number), upload_id: id(0), product: 'CODA', iban: 'BE71096123456769' },
      ...{ statement_number: 1, statement_date: '2026-01-01', content_hash: Buffer.alloc(32) },
      ...{ object_key: `held/${number}.cod`, held_on: new Date(), settled_on },
    });
  }
  await migrate(knex);
  expect(await knex('held_deliveries').pluck('object_key')).toEqual(['held/1.cod']);
  expect(await knex('object_removals').pluck('object_key')).toEqual(['held/0.cod']);
});

test('D-38 db: 0018 makes received uploads due, with the attempts of their former jobs', async () => {
  const knex = await databaseAt('0017-print-after-listing');
  const settled_on = new Date();
  const rows = [
    { status: 'received', settled_on: null },
    { status: 'received', settled_on: null },
    { status: 'processed', settled_on },
    { status: 'rejected', settled_on },
  ];
  for (const [index, row] of rows.entries()) {
    const id = String(index).padStart(24, '0');
    await knex('uploads').insert({
      ...{ id, source: 'upload', bucket: 'b', product: 'CODA', object_key: id, etag: 'e', size: 1 },
      ...{ received_on: new Date(), ...row },
    });
    await knex.raw(
      `select from graphile_worker.add_job('readUpload', '{}'::json, job_key => 'readUpload:' || ?::text)`,
      [id],
    );
  }
  await knex.raw(
    `select from graphile_worker.permanently_fail_jobs(
       array(select id from graphile_worker.jobs where key like '%1'), 'the disk is full')`,
  );
  await knex.raw(`select from graphile_worker.add_job('other')`);
  await migrate(knex);
  const migrated = await knex('uploads')
    .select('attempts', 'last_error', 'has_copy', knex.raw('due_on <= now() as due'))
    .orderBy('id');
  expect(migrated).toEqual([
    { attempts: 0, last_error: null, due: true, has_copy: true },
    { attempts: 25, last_error: 'the disk is full', due: true, has_copy: true },
    { attempts: 0, last_error: null, due: null, has_copy: false },
    { attempts: 0, last_error: null, due: null, has_copy: true },
  ]);
  expect(await knex('graphile_worker.jobs').pluck('task_identifier')).toEqual(['other']);
});

test('D-32 db: 0039 counts earlier uploads by their grants', async () => {
  const knex = await databaseAt('0037-customer-transfers');
  const firm_id = await insertFirm(knex);
  const user_id = await insertUser(knex, firm_id);
  const api_key_id = await insertApiKey(knex);
  const id = (number: number) => String(number).padStart(24, '0');
  for (const number of [0, 1]) {
    await knex('upload_grants').insert({
      ...{
        id: id(number),
        firm_id,
        user_id,
        api_key_id,
        product: 'CODA',
        prefix: `uploads/${number}`,
      },
      ...{ access_level: 'user', sees_customers: 'all', issued_on: new Date() },
    });
  }
  for (const [number, grant_id] of [id(1), id(1), null].entries()) {
    await knex('uploads').insert({
      ...{ id: id(number), source: 'upload', grant_id, bucket: 'b', product: 'CODA', size: 1 },
      ...{ object_key: id(number), etag: 'e', received_on: new Date() },
    });
  }
  await migrate(knex);
  const counts = () => knex('upload_grants').orderBy('id').pluck('upload_count');
  expect(await counts()).toEqual([0, 2]);
});

test('db: 0022 counts the mails that earlier versions sent to the current address of the contact', async () => {
  const knex = await databaseAt('0021-printing-in-turns');
  const firmId = await insertFirm(knex);
  const sentOn = new Date('2026-11-20T10:00:00Z');
  const sentTo = ['an@bakkerij.example', 'former@bakkerij.example', null];
  const customerId = await insertCustomer(knex, firmId, { contact_email: sentTo[0] });
  for (const [index, sent_to] of sentTo.entries()) {
    await knex('signature_requests').insert({
      ...{ id: String(index).padStart(24, '0'), firm_id: firmId, customer_id: customerId },
      ...{
        created_on: sentOn,
        sent_to,
        ...(sent_to !== null && { sent_on: sentOn, expires_on: sentOn }),
      },
    });
  }
  await migrate(knex);
  expect(await knex('request_mails')).toMatchObject([
    {
      ...{ request_id: '0'.repeat(24), delivery: 1, firm_id: firmId, customer_id: customerId },
      ...{ address: sentTo[0], allowed_on: sentOn, sent_on: sentOn },
    },
  ]);
});

test('D-25 db: 0034 reminds nobody of what became due before, and of the rest on its day', async () => {
  const knex = await databaseAt('0033-uploads-of-users');
  const firmId = await insertFirm(knex);
  const customerId = await insertCustomer(knex, firmId);
  const ofCustomer = { firm_id: firmId, customer_id: customerId };
  const now = Date.now();
  const ages = [null, 6, 8, 13, 15, 24, 26, 400];
  for (const [index, age] of ages.entries()) {
    const request_id = String(index).padStart(24, '0');
    const created_on = new Date(now - 500 * DAY);
    await knex('signature_requests').insert({ id: request_id, ...ofCustomer, created_on });
    await knex('request_mails').insert({
      ...{ request_id, delivery: 1, ...ofCustomer, address: 'an@bakkerij.example' },
      ...{ allowed_on: created_on, sent_on: age === null ? null : new Date(now - age * DAY) },
    });
  }
  await migrate(knex);
  const mails = await knex('request_mails').orderBy('request_id');
  expect(mails.map(({ reminders_due }) => reminders_due)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  expect(mails.map(({ reminder }) => reminder)).toEqual(ages.map(() => 0));
  await remindContacts(knex, { customer: 9, firm: 9, address: 9 }, () => new Date(now));
  const after = await knex('request_mails').orderBy('request_id');
  expect(after).toEqual(mails);
});

test('D-50 db: 0045 makes the names of files unique within their firm, also of a file that is being listed', async () => {
  const knex = await databaseAt('0042-chain-of-whole-days');
  const firmId = await insertFirm(knex);
  for (let customers = 0; customers < 2; customers += 1) {
    const customerId = await insertCustomer(knex, firmId);
    for (const fileName of ['a.cod', `b_${customers}.cod`]) {
      await insertCodaFile(knex, customerId, { fileName });
    }
  }
  const customerId = await insertCustomer(knex, firmId);
  const listing = await knex.transaction();
  onTestFinished(async () => {
    if (!listing.isCompleted()) await listing.rollback();
  });
  await insertCodaFile(listing, customerId, { fileName: 'A.cod' });
  const migrated = migrate(knex);
  await waitUntilBlocked(knex);
  // Programs list files meanwhile.
  await knex.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = '1s'`);
    await trx('files').leftJoin('file_acknowledgements', 'file_id', 'files.id');
  });
  await listing.commit();
  await migrated;
  const files = await knex('files').orderBy('id').select('id', 'file_name');
  const names = files.map(({ id, file_name }) => file_name.replace(id, 'id'));
  expect(names).toEqual(['a.cod', 'b_0.cod', 'a_id.cod', 'b_1.cod', 'A_id.cod']);
});

test('D-60 db: 0051 puts the end of the tenant into the names of firms that another one has', async () => {
  const knex = await databaseAt('0050-disabled-firms');
  for (const [number, name] of ['Kantoor Élan', 'KANTOOR ÉLAN', 'Kantoor Elan'].entries()) {
    const created_on = new Date(Date.UTC(2026, 0, 10 - number));
    await insertFirm(knex, { name, tenant: `kantoor-00000${number}`, created_on });
  }
  await migrate(knex);
  expect(await knex('firms').orderBy('tenant').pluck('name')).toEqual([
    ...['Kantoor Élan (000000)', 'KANTOOR ÉLAN', 'Kantoor Elan'],
  ]);
});
