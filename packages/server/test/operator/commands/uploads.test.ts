import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { oneServer } from '../../../src/db/nodes.js';
import type { Principal } from '../../../src/identity/principal.js';
import type { ShownUpload } from '../../../src/uploads/listed-uploads.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { createUploadGrants } from '../../../src/uploads/upload-grants.js';
import { giveUpUpload } from '../../../src/uploads/upload-store.js';
import { createLinkedCustomer, newPrincipal } from '../../mandates/linked-customer.js';
import { asAuthor } from '../../support/as-author.js';
import { insertApiKey, insertBankAccount } from '../../support/rows.js';
import { codaFile } from '../../uploads/sample-files.js';
import { readById } from '../../uploads/set-up-uploads.js';
import { runAdxServer } from '../adx-server.js';
import { failure, operatorForFile } from '../operator-for-file.js';

const operator = await operatorForFile();
const { knex } = operator;

const list = (...filters: string[]): Promise<ShownUpload[]> =>
  operator.json('upload', 'list', ...filters);

/** Uploads a CODA file as a user. No worker has read it yet. */
async function put(name: string, bytes: Uint8Array, principal: Principal): Promise<void> {
  const grants = createUploadGrants({ ...operator.dependencies, ...operator.storage });
  const apiKeyId = await insertApiKey(knex, { partner: 'Boekhoud\u0085NV' });
  const credentials = await grants.issue('CODA', { ...asAuthor(principal), apiKeyId });
  const { prefix } = credentials === 'notAllowed' ? expect.fail() : credentials;
  await operator.storage.store.put(
    operator.storage.buckets.codaUploads,
    `${prefix}/${name}`,
    bytes,
    'text/plain',
  );
  await scanUploads({ ...operator.dependencies, nodes: oneServer }, new Date());
}

async function upload(name: string, bytes: Uint8Array, principal: Principal): Promise<void> {
  await put(name, bytes, principal);
  for (const { id } of await knex('uploads').where({ status: 'received' })) {
    await readById(operator.dependencies, id);
  }
}

test('operator: a rejected upload is shown by list and show, and retry lists it once its account exists', async () => {
  const principal = await newPrincipal(knex);
  const { firmId } = principal;
  const [iban, later] = [newIban(), newIban()];
  const customerId = await createLinkedCustomer(knex, principal, { ibans: [iban] });
  await upload('feb.cod', codaFile({ iban }, { iban: later }), principal);

  const listed = await list('--firm', firmId, '--status', 'rejected');
  expect(listed).toMatchObject([
    { source: 'upload', product: 'CODA', status: 'rejected', files: 1, held: 0, errors: 1 },
  ]);
  const [{ id, grant } = expect.fail()] = listed;
  expect(grant).toMatchObject({ firmId, userId: principal.userId, username: expect.any(String) });
  const [file] = await knex('files').where({ firm_id: firmId });
  expect(await list('--file', file.id)).toMatchObject([{ id }]);
  expect(await list('--status', 'processed')).toEqual([]);
  expect(await list('--product', 'CODB')).toEqual([]);
  expect(await list('--product', 'CODA')).toEqual(listed);
  const table = await operator.run('upload', 'list');
  expect(table.stdout).toMatch(
    /^ID +RECEIVED +PRODUCT +STATUS +FILES +HELD +ERRORS +CODES +BY +NAME\n/,
  );
  expect(table.stdout).not.toContain('\u0085');

  const shown = await operator.run('upload', 'show', id);
  expect(shown.stdout).toContain(`file ${iban}_EUR_2026_014.cod`);
  expect(shown.stdout).toContain(`\nuploaded by `);
  expect(shown.stdout).toContain(`Boekhoud\\u0085NV (API key ${grant?.apiKeyId})\n`);
  expect(shown.stdout).toContain(
    `error: line 6: No customer has this account: ${later} (2026/14)\n`,
  );
  expect(shown.stdout).not.toContain('\u0085');

  // An operator runs it in a process of its own; this one runs the storage.
  const again = await runAdxServer(['upload', 'retry', id, '--json'], operator.settings);
  expect(again.stderr).toBe(`error: Upload ${id} is rejected again.\n`);
  expect(again.exitCode).toBe(1);
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'rejected', files: 1 });

  await insertBankAccount(knex, customerId, { iban: later });
  const retried = await operator.json('upload', 'retry', id);
  expect(retried).toMatchObject({ status: 'processed' });
  expect(retried.listed).toHaveLength(2);
  expect(await knex('files').where({ firm_id: firmId })).toHaveLength(2);

  const processed = await operator.run('upload', 'retry', id);
  expect(processed).toEqual(
    failure(`Upload ${id} was processed: all its documents are listed or held.`),
  );
});

test('D-27 operator: upload list --code and --since show since when uploads are rejected for a reason', async () => {
  const principal = await newPrincipal(knex);
  await upload('account.cod', codaFile({ iban: newIban() }), principal);
  await upload('broken.cod', Buffer.from('no CODA'), principal);
  const [{ id } = expect.fail()] = await list('--code', 'unknownAccount');
  const receivedOn = (received_on: string) => knex('uploads').where({ id }).update({ received_on });
  await receivedOn('2026-02-28T22:59:59.999Z');
  const names = async (...filters: string[]) => {
    const rejected = await list('--firm', principal.firmId, '--status', 'rejected', ...filters);
    return rejected.map(({ key, codes }) => [key.replace(/.*\//, ''), ...codes]);
  };
  const account = ['account.cod', 'unknownAccount'];
  const [broken = []] = await names('--since', '2026-03-01');
  expect(broken[0]).toBe('broken.cod');
  expect(await names()).toEqual([broken, account]);
  expect(await names('--since', '2026-02-28')).toEqual([broken, account]);
  expect(await names('--code', 'unknownAccount')).toEqual([account]);
  expect(await names('--code', broken[1] ?? '')).toEqual([broken]);
  expect(await names('--code', 'alreadyListed')).toEqual([]);
  // Midnight in Belgium.
  await receivedOn('2026-02-28T23:00:00.000Z');
  expect(await names('--since', '2026-03-01')).toEqual([broken, account]);
});

test('D-27 operator: the name of an upload that was rejected for it is shown escaped', async () => {
  const { firmId, ...principal } = await newPrincipal(knex);
  await upload('feb\u0085.cod', codaFile({ iban: newIban() }), { firmId, ...principal });
  const [{ id } = expect.fail()] = await list('--firm', firmId);
  for (const command of [
    ['list', '--firm', firmId],
    ['show', id],
  ]) {
    const { stdout } = await operator.run('upload', ...command);
    expect(stdout).toContain('feb\\u0085.cod');
    expect(stdout).not.toContain('\u0085');
  }
  await knex('uploads').where({ id }).delete();
});

test('D-27 operator: show and retry say that the copy of a rejected upload was deleted', async () => {
  const principal = await newPrincipal(knex);
  await upload('old.cod', codaFile({ iban: newIban() }), principal);
  const { id } = await knex('uploads').whereLike('object_key', '%/old.cod').first('id');
  const on = '2026-11-20T08:00:00.000Z';
  expect((await operator.run('upload', 'show', id)).stdout).not.toContain('copy');
  await knex('uploads').where({ id }).update({ copy_removed_on: on });
  const shown = await operator.run('upload', 'show', id);
  expect(shown.stdout).toMatch(new RegExp(`^copy +deleted on ${on}$`, 'm'));
  expect(shown.stdout).toContain('error: line 1: No customer has this account');
  expect(await operator.run('upload', 'retry', id)).toEqual(
    failure(`The copy of upload ${id} was deleted on ${on}: the file has to be uploaded again.`),
  );
});

test('operator: an upload that workers have given up is failed, with the reason, until it is retried', async () => {
  const principal = await newPrincipal(knex);
  const { firmId } = principal;
  const iban = newIban();
  await createLinkedCustomer(knex, principal, { ibans: [iban] });
  await put('a.cod', codaFile({ iban }), principal);
  const { id } = await knex('uploads').where({ status: 'received' }).first('id');
  const statusOf = async () => (await list('--firm', firmId))[0];
  const lastError = 'the disk is full';

  await knex.raw(
    `select from graphile_worker.add_job('readUpload', job_key => ?, max_attempts => 25)`,
    [`readUpload:${id}`],
  );
  await knex('graphile_worker._private_jobs').update({ attempts: 23, last_error: lastError });
  expect(await statusOf()).toMatchObject({ status: 'received', failedAttempts: 23, lastError });
  expect((await operator.run('upload', 'show', id)).stdout).toMatch(
    /^attempt 23 +the disk is full$/m,
  );
  await knex('graphile_worker._private_jobs').delete();
  await giveUpUpload(knex, { id, firmId }, lastError);
  const failed = { id, status: 'failed', lastError };
  expect(await statusOf()).toMatchObject(failed);
  expect(await list('--status', 'failed')).toMatchObject([failed]);
  expect((await operator.run('upload', 'show', id)).stdout).toMatch(
    /^given up +the disk is full$/m,
  );

  expect(await operator.json('upload', 'retry', id)).toMatchObject({
    ...{ status: 'processed', failedAttempts: 0, lastError: null },
  });
});
