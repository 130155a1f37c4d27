import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../src/dates/brussels-day.js';
import { createKnex } from '../../src/db/knex.js';
import type { Principal } from '../../src/identity/principal.js';
import { createLogger } from '../../src/logger.js';
import { createConsents } from '../../src/mandates/consents.js';
import { openStorage, type Storage } from '../../src/storage/open-storage.js';
import { toStorageSettings } from '../../src/storage/storage-settings.js';
import { ingestFile } from '../../src/uploads/deliveries/ingest-folder.js';
import { readUpload } from '../../src/uploads/read-upload.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { createUploadGrants } from '../../src/uploads/upload-grants.js';
import {
  createLinkedCustomer,
  mandatesOf,
  newIban,
  newPrincipal,
} from '../mandates/linked-customer.js';
import { createTestBuckets } from '../support/buckets.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertApiKey, insertBankAccount } from '../support/rows.js';
import { changed, codaFile, codbFile, enterpriseNumber } from '../uploads/sample-files.js';
import { runAdxServer } from './adx-server.js';
import { runCommand } from './run-command.js';

const parent = mkdtempSync(join(tmpdir(), 'adx-uploads-'));
const now = () => new Date();
let database: TestDatabase;
let knex: ReturnType<typeof createKnex>;
let storage: Storage;
let buckets: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  knex = createKnex(database.url, { poolSize: 4 });
  buckets = await createTestBuckets();
  storage = await openStorage(toStorageSettings(buckets), createLogger('silent'));
});
afterAll(async () => {
  await storage.close();
  await knex.destroy();
  await database.drop();
  rmSync(parent, { recursive: true });
});

const settings = () => ({ ...buckets, DATABASE_URL: database.url });
const run = (...parameters: string[]) => runCommand(parameters, settings());

/** Runs a command with `--json` and returns its exit code and output. */
async function json(...parameters: string[]) {
  const { exitCode, stdout, stderr } = await run(...parameters, '--json');
  return { exitCode, stderr, printed: JSON.parse(stdout) };
}

/** Uploads a CODA file as a user. No worker has read it yet. */
async function put(name: string, bytes: Uint8Array, principal: Principal): Promise<void> {
  const { tenant } = await knex('firms').where({ id: principal.firmId }).first('tenant');
  const findFirm = async () => ({ tenant, codbUpload: true });
  const grants = createUploadGrants({ knex, ...storage, findFirm, now });
  const apiKeyId = await insertApiKey(knex, { partner: 'Boekhoud\u0085NV' });
  const credentials = await grants.issue('CODA', { principal, apiKeyId });
  const { prefix } = credentials === 'notAllowed' ? expect.fail() : credentials;
  await storage.store.put(storage.buckets.codaUploads, `${prefix}/${name}`, bytes, 'text/plain');
  await scanUploads({ knex, storage }, now());
}

async function upload(name: string, bytes: Uint8Array, principal: Principal): Promise<void> {
  await put(name, bytes, principal);
  for (const { id } of await knex('uploads').where({ status: 'received' })) {
    await readUpload({ knex, storage, consents: createConsents(now), now }, id);
  }
}

test('operator: a rejected upload is shown by list and show, and retry lists it once its account exists', async () => {
  const principal = await newPrincipal(knex);
  const { firmId } = principal;
  const [iban, later] = [newIban(), newIban()];
  const customerId = await createLinkedCustomer(knex, principal, { ibans: [iban] });
  await upload('feb\u0085.cod', codaFile({ iban }, { iban: later }), principal);

  const listed = await json('upload', 'list', '--firm', firmId, '--status', 'rejected');
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(listed.printed).toMatchObject([
    { source: 'upload', product: 'CODA', status: 'rejected', files: 1, held: 0, errors: 1 },
  ]);
  const [{ id, grant }] = listed.printed;
  expect(grant).toMatchObject({ firmId, userId: principal.userId, username: expect.any(String) });
  const [file] = await knex('files').where({ firm_id: firmId });
  expect((await json('upload', 'list', '--file', file.id)).printed).toMatchObject([{ id }]);
  expect((await json('upload', 'list', '--status', 'processed')).printed).toEqual([]);
  const table = await run('upload', 'list');
  expect(table.stdout).toMatch(/^ID +RECEIVED +PRODUCT +STATUS +FILES +HELD +ERRORS +BY +NAME\n/);
  expect(table.stdout).not.toContain('\u0085');

  const shown = await run('upload', 'show', id);
  expect(shown.stdout).toContain(`file ${iban}_EUR_2026_014.cod`);
  expect(shown.stdout).toContain(`\nuploaded by `);
  expect(shown.stdout).toContain(`Boekhoud\ufffdNV (API key ${grant.apiKeyId})\n`);
  expect(shown.stdout).toContain(
    `error: line 6: No customer has this account: ${later} (2026/14)\n`,
  );
  expect(shown.stdout).not.toContain('\u0085');

  // In a separate process, as an operator runs it, because this one runs the storage.
  const again = await runAdxServer(['upload', 'retry', id, '--json'], settings());
  expect(again.stderr).toBe(`error: Upload ${id} is rejected again.\n`);
  expect(again.exitCode).toBe(1);
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'rejected', files: 1 });

  await insertBankAccount(knex, customerId, { iban: later });
  const retried = await json('upload', 'retry', id);
  expect(retried).toMatchObject({ exitCode: 0, stderr: '', printed: { status: 'processed' } });
  expect(retried.printed.listed).toHaveLength(2);
  expect(await knex('files').where({ firm_id: firmId })).toHaveLength(2);
  const kept = [];
  for await (const { key } of storage.store.list(storage.buckets.files, 'rejected/'))
    kept.push(key);
  expect(kept).toEqual([]);

  const processed = await run('upload', 'retry', id);
  expect(processed).toMatchObject({
    exitCode: 1,
    stderr: `error: Upload ${id} was processed: all its documents are listed or held.\n`,
  });
});

test('operator: an upload that workers have given up is failed, with the reason, until it is retried', async () => {
  const principal = await newPrincipal(knex);
  const { firmId } = principal;
  const iban = newIban();
  await createLinkedCustomer(knex, principal, { ibans: [iban] });
  await put('a.cod', codaFile({ iban }), principal);
  const { id } = await knex('uploads').where({ status: 'received' }).first('id');
  const fail = (attempts: number) =>
    knex.raw(
      `select graphile_worker.permanently_fail_jobs(array_agg(id), 'the disk is full'),
              graphile_worker.reschedule_jobs(array_agg(id), attempts => ?::int)
         from graphile_worker.jobs where key = ?`,
      [attempts, `readUpload:${id}`],
    );
  const statusOf = async () => (await json('upload', 'list', '--firm', firmId)).printed[0];

  await fail(24);
  expect(await statusOf()).toMatchObject({ status: 'received', failedAttempts: 24 });
  await fail(25);
  const failed = { id, status: 'failed', failedAttempts: 25, lastError: 'the disk is full' };
  expect(await statusOf()).toMatchObject(failed);
  expect((await json('upload', 'list', '--status', 'failed')).printed).toMatchObject([failed]);
  expect((await run('upload', 'show', id)).stdout).toMatch(/^attempt 25 +the disk is full$/m);

  const retried = await json('upload', 'retry', id);
  expect(retried).toMatchObject({ exitCode: 0, printed: { status: 'processed', lastError: null } });
});

test('operator: upload show and retry name an unknown id', async () => {
  const id = '6'.repeat(24);
  for (const command of ['show', 'retry']) {
    expect(await run('upload', command, id)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: There is no upload with the id ${id}.\n`,
    });
  }
});

test('operator: ingest lists the files of a folder for all firms and moves them, except those it cannot read', async () => {
  const folder = mkdtempSync(join(parent, 'bank-'));
  const [one, other] = [await newPrincipal(knex), await newPrincipal(knex)];
  const [iban, number] = [newIban(), enterpriseNumber()];
  const first = await createLinkedCustomer(knex, one, { ibans: [iban] });
  const second = await createLinkedCustomer(knex, other, { providers: ['sdworx'] });
  await knex('customers').where({ id: second }).update({ enterprise_number: number });
  await knex('mandates').where({ customer_id: first }).update({ status: 'waitingForBank' });
  await knex('mandates')
    .where({ customer_id: second })
    .update({ status: 'waitingForPayrollProvider' });
  const nobodys = newIban();
  const files = {
    '1.cod': codaFile({ iban, number: 1 }),
    '2': codbFile({ enterpriseNumber: number }),
    '3.cod': codaFile({ iban: nobodys }, { iban, number: 2 }),
    '4.txt': Buffer.from('Dear operator'),
    '.5.cod.part': codaFile({ iban, number: 9 }),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);

  const { exitCode, stdout, stderr } = await runAdxServer(['ingest', folder], settings());
  expect(stdout.split('\n')).toEqual([
    '1/4  1.cod: 1 listed',
    '2/4  2: 1 listed',
    '3/4  3.cod: 1 listed, 1 held',
    '4/4  4.txt: 0 listed, not moved',
    '  error: The file is neither CODA nor CODB',
    '',
  ]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`error: 1 of 4 files remains in ${folder}.\n`);
  expect(readdirSync(folder).sort()).toEqual(['.5.cod.part', '4.txt', 'done']);
  expect(readdirSync(join(folder, 'done')).sort()).toEqual(['1.cod', '2', '3.cod']);
  expect(await knex('files').whereIn('customer_id', [first, second])).toHaveLength(3);
  expect(await knex('mandates').where({ customer_id: first })).toMatchObject([
    { status: 'finished' },
  ]);

  // Again: a file that was read before, a new one of the same name as another, and a corrupt one.
  writeFileSync(join(folder, '1.cod'), files['1.cod']);
  writeFileSync(join(folder, '2'), codbFile({ enterpriseNumber: number, number: 8 }));
  writeFileSync(join(folder, '3.cod'), changed(files['1.cod'], '000000012500', '000000012501'));
  rmSync(join(folder, '4.txt'));
  const again = await json('ingest', folder);
  expect(again.printed).toMatchObject([
    { name: '1.cod', product: 'CODA', isDone: true, listed: 0, repeated: 1 },
    { name: '2', product: 'CODB', isDone: true, listed: 1, repeated: 0 },
    { name: '3.cod', isDone: false, listed: 0 },
  ]);
  expect(await knex('files').whereIn('customer_id', [first, second])).toHaveLength(4);
  expect(readdirSync(join(folder, 'done'))).toHaveLength(5);

  const uploads = await run('upload', 'list');
  expect(uploads.stdout).toMatch(/ a bank +1\.cod$/m);
  expect(uploads.stdout).toMatch(/ a payroll provider +2$/m);
  const [refused] = (await json('upload', 'list', '--status', 'rejected')).printed;
  expect((await run('upload', 'show', refused.id)).stdout).toMatch(/^delivered by +a bank$/m);
  expect(refused).toMatchObject({ source: 'bank', grant: null, key: '3.cod' });
  const retried = await run('upload', 'retry', refused.id);
  expect(retried.stderr).toContain('run `adx-server ingest` on that folder again');
});

test('D-28 operator: held deliveries are listed, shown, and released only to a signed mandate', async () => {
  const folder = mkdtempSync(join(parent, 'bank-'));
  const principal = await newPrincipal(knex);
  const iban = newIban();
  const customerId = await createLinkedCustomer(knex, principal, { ibans: [iban] });
  writeFileSync(join(folder, 'feb.cod'), codaFile({ iban }));
  expect((await run('ingest', folder)).stdout).toBe('1/1  feb.cod: 0 listed, 1 held\n');

  const { printed } = await json('delivery', 'list', '--firm', principal.firmId);
  expect(printed).toMatchObject([{ iban, statementNumber: 14, fileName: 'feb.cod' }]);
  const [{ id, mandates, uploadId }] = printed;
  const ofUpload = (upload: string) => json('delivery', 'list', '--upload', upload);
  expect((await ofUpload(uploadId)).printed).toEqual(printed);
  expect((await ofUpload('7'.repeat(24))).printed).toEqual([]);
  const table = await run('delivery', 'list');
  expect(table.stdout).toMatch(/^ID +HELD +PRODUCT +FOR +NUMBER +DATE +MANDATE\n/);
  expect(table.stdout).toMatch(new RegExp(`^${id} .* ${iban} +14 +2026-02-03 +created$`, 'm'));
  const shown = await run('delivery', 'show', id);
  expect(shown.stdout).toMatch(/^MANDATE +STATUS +PROVIDER +CUSTOMER +FIRM$/m);

  const [mandate] = mandates;
  expect(await run('delivery', 'release', id)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: Delivery ${id} is still held: mandate ${mandate.id} is created, and only a signed mandate covers it.\n`,
  });
  expect(await knex('files').where({ customer_id: customerId })).toEqual([]);
  const other = '7'.repeat(24);
  expect((await run('delivery', 'release', id, '--mandate', other)).stderr).toBe(
    `error: Mandate ${other} is not an open mandate for the account or enterprise of delivery ${id}.\n`,
  );
  await knex('mandates').where({ id: mandate.id }).update({ status: 'confirmedByBank' });
  expect(await json('delivery', 'release', id, '--mandate', mandate.id)).toMatchObject({
    ...{ exitCode: 0, stderr: '' },
    printed: { id, mandateId: mandate.id, outcome: 'listed' },
  });
  expect(await knex('files').where({ customer_id: customerId })).toHaveLength(1);
  expect((await json('delivery', 'list', '--firm', principal.firmId)).printed).toEqual([]);
  for (const command of ['show', 'release']) {
    expect(await run('delivery', command, id)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: No delivery with the id ${id} is held.\n`,
    });
  }
});

test('operator: ingest continues if a file cannot be moved', async () => {
  const folder = mkdtempSync(join(parent, 'bank-'));
  writeFileSync(join(folder, '1.cod'), codaFile({ iban: newIban() }));
  writeFileSync(join(folder, '2.txt'), 'Dear operator');
  writeFileSync(join(folder, 'done'), 'a file in the place of the folder');
  const { exitCode, stdout } = await run('ingest', folder);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '1/3  1.cod: 0 listed, 1 held, not moved',
    expect.stringMatching(
      /^ {2}error: All documents of the file are listed or held, but it cannot be moved: /,
    ),
    '2/3  2.txt: 0 listed, not moved',
  ]);
  expect(exitCode).toBe(1);
});

test('operator: ingest reports a file that has disappeared, and continues', async () => {
  const parts = { knex, storage, consents: createConsents(now), now };
  const file = await ingestFile(parts, parent, 'gone.cod');
  expect(file).toMatchObject({ isDone: false, findings: [{ code: 'inaccessible' }] });
});

test('D-28 operator: a delivery is released to the mandate of its link, or to the one named by --mandate', async () => {
  const folder = mkdtempSync(join(parent, 'bank-'));
  const [iban, number] = [newIban(), enterpriseNumber()];
  const [first, second] = [await newPrincipal(knex), await newPrincipal(knex)];
  const former = await createLinkedCustomer(knex, first, { ibans: [iban] });
  const providers = ['sdworx', 'securex'];
  const employer = await createLinkedCustomer(knex, second, { providers });
  await knex('customers').where({ id: employer }).update({ enterprise_number: number });
  await knex('mandates').where({ customer_id: employer }).update({ enterprise_number: number });
  writeFileSync(join(folder, '1.cod'), codaFile({ iban }));
  writeFileSync(join(folder, '2.xml'), codbFile({ enterpriseNumber: number, source: 'Securex' }));
  await run('ingest', folder);

  // The account now belongs to another firm.
  const at = { closed_on: now() };
  await knex('mandates').where({ customer_id: former }).update(at);
  await knex('bank_accounts').where({ customer_id: former }).update({ disabled_on: now() });
  const taker = await createLinkedCustomer(knex, second, { ibans: [iban] });
  await knex('mandates').where({ customer_id: taker }).update({ status: 'finished' });
  const held = (await json('delivery', 'list', '--firm', second.firmId)).printed;
  const statement = held.find((each: { product: string }) => each.product === 'CODA');
  const payroll = held.find((each: { product: string }) => each.product === 'CODB');
  const [mandate] = statement.mandates;
  expect(await run('delivery', 'release', statement.id)).toMatchObject({
    exitCode: 1,
    stderr: `error: Delivery ${statement.id} did not arrive for any of the open mandates. Choose one with --mandate: ${mandate.id}.\n`,
  });
  const shown = (await run('delivery', 'show', statement.id)).stdout;
  expect(shown).toMatch(/^arrived for +an account or provider that was removed$/m);
  const deletedOn = new Date(Date.parse(statement.heldOn) + 90 * DAY).toISOString();
  expect(shown).toMatch(new RegExp(`^deleted on +${deletedOn}$`, 'm'));
  const named = await run('delivery', 'release', statement.id, '--mandate', mandate.id);
  expect(named.exitCode).toBe(0);

  // With two providers, the delivery names its own.
  const [, securex] = await mandatesOf(knex, employer);
  await knex('mandates').where({ customer_id: employer }).update({ status: 'finished' });
  expect((await json('delivery', 'release', payroll.id)).printed).toMatchObject({
    mandateId: securex?.id,
  });
});

test('operator: ingest of a missing folder fails with one sentence', async () => {
  const folder = join(parent, 'nowhere');
  expect(await run('ingest', folder)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: The folder ${folder} cannot be read.\n`,
  });
});
