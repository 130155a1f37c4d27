import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { eraseCustomer } from '../../src/erasure/erase-customer.js';
import { eraseFirm } from '../../src/erasure/erase-firm.js';
import { formatEnterpriseNumber } from '../../src/identifiers/enterprise-number.js';
import { setFirmDisabled } from '../../src/identity/disable-firm.js';
import { deliveriesOfFirm } from '../../src/mandates/disabled-firms.js';
import { captureProgram } from '../../src/operator/program.js';
import { listedFiles } from '../support/files.js';
import { failAt } from '../uploads/killed/fail-at-call.js';
import { objectsWith, rowsWith, tablesBelow } from './find-traces.js';
import { marker, setUpMarkedFirm } from './marked-firm.js';

const { work, firmId, customerId, number, traces, others, mandateIds } =
  await setUpMarkedFirm(afterAll);
const { knex, storage } = work;
const folder = mkdtempSync(join(tmpdir(), 'adx-erase-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...parameters: string[]) =>
  captureProgram(parameters, { ...storage.settings, DATABASE_URL: work.url });

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Evidence is kept, and the audit trail has ids. */
const kept = ['audit_entries', 'kept_evidence'];

/** Returns all that is known of firms and customers, except for commands about them. */
async function stateOf(ids: readonly string[]) {
  const { audit_entries: _, ...rows } = Object.fromEntries(await rowsWith(knex, ids));
  return { rows, objects: await objectsWith(storage, ids) };
}

test('D-63 every table that leads to customers has rows of the one that is erased', async () => {
  // A table that is added has to be filled here, and is then searched below.
  const found = await rowsWith(knex, traces);
  const below = (await tablesBelow(knex, 'customers')).filter((table) => !found.has(table));
  expect(below).toEqual([]);
  const objects = (await objectsWith(storage, traces)).map((key) => key.split('/')[0]);
  expect(new Set(objects)).toEqual(new Set(['coda', 'codb', 'held', 'rejected', 'uploads']));
});

test('D-63 firm export writes the files and records of one firm, without secrets, to a new folder', async () => {
  const to = join(folder, 'export');
  // It gave way to another firm; the export does not say to whom (D-66).
  const customer = knex('customers').where({ id: customerId });
  await customer.clone().update({ transferred_to: others.customerIds[1] });
  const { exitCode, stderr, stdout } = await run('firm', 'export', firmId, '--to', to, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ missing: [], records: { 'customers.jsonl': 2 } });
  const again = await run('firm', 'export', firmId, '--to', to);
  expect(again).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('with a new folder'),
  });

  const written = readdirSync(to, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  const sums = readFileSync(join(to, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const listed = written.filter((path) => !path.endsWith('SHA256SUMS'));
  expect(sums.toSorted()).toEqual(
    listed.map((path) => `${sha256(readFileSync(path))}  ${relative(to, path)}`).toSorted(),
  );
  for (const path of written) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(to).mode & 0o777).toBe(0o700);

  const read = (name: string) => readFileSync(join(to, `${name}.jsonl`), 'utf8');
  const records = (name: string) =>
    read(name)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect(records('customers')).toContainEqual(
    expect.objectContaining({
      ...{ id: customerId, enterpriseNumber: formatEnterpriseNumber(number) },
      contact: expect.objectContaining({ email: 'an@xqzmail.example' }),
      ...{ archivedOn: expect.any(String), formerNames: expect.any(Array) },
    }),
  );
  expect(records('mandates').map(({ id }) => id)).toEqual(expect.arrayContaining([...mandateIds]));
  expect(records('mandates')[0].history).not.toEqual([]);
  for (const { content, sha256: hash } of records('evidence')) expect(sha256(content)).toBe(hash);
  const exported = records('files');
  const rows = await listedFiles(knex).where({ firm_id: firmId });
  expect(exported.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  const delivered = { isDelivered: true, sender: 'GKCCBEBB' };
  expect(exported).toContainEqual(expect.objectContaining(delivered));
  for (const { id, path, pdfPath } of exported) {
    const row = rows.find((each) => each.id === id);
    const stored = await storage.store.get(storage.buckets.files, row.object_key);
    expect(await buffer(stored?.bytes ?? expect.fail())).toEqual(readFileSync(join(to, path)));
    expect(readFileSync(join(to, pdfPath)).subarray(0, 4).toString()).toBe('%PDF');
  }
  for (const name of ['uploads', 'audit-entries', 'missing-statements', 'signature-requests']) {
    expect(records(name).length, name).toBeGreaterThan(0);
  }
  const all = listed.map((path) => readFileSync(path, 'latin1')).join('\n');
  for (const absent of ['argon2', others.firmId, others.customerIds[1] ?? '']) {
    expect(all).not.toContain(absent);
  }
  await customer.clone().update({ transferred_to: null });
});

test('D-63 customer erase leaves nothing but evidence and ids in the audit trail, also after a kill', async () => {
  const ids = [others.firmId, ...others.customerIds];
  const before = await stateOf(ids);
  const erase = ['customer', 'erase', customerId, '--confirm'];
  const other = await run(...erase, '0403.019.261');
  expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not that of') });
  const [active = ''] = others.customerIds;
  const { enterprise_number } = await knex('customers').where({ id: active }).first();
  const refused = await run('customer', 'erase', active, '--confirm', enterprise_number);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not archived') });
  expect(await stateOf(ids)).toEqual(before);

  const own = await stateOf(traces);
  const unread = await run(...erase, number);
  expect(unread.exitCode).toBe(1);
  const [{ id: unreadId }] = await knex('uploads').whereLike('object_key', '%/unread.cod');
  expect(unread.stderr).toContain(`not read yet: ${unreadId}. The customer is not erased.`);
  expect(await stateOf(traces)).toEqual(own);

  const [earlier] = mandateIds;
  await knex('mandates').where({ id: earlier }).update({ closed_on: '2020-01-01' });
  // The last of them in the transaction that deletes the row of the customer.
  for (let call = 1; call < 17; call += 1) {
    for (const moment of ['before', 'after'] as const) {
      const killed = failAt(work, call, moment);
      const erasing = eraseCustomer(killed, customerId, number, { withUnread: true });
      await expect(erasing, `${moment} ${call}`).rejects.toThrow('killed');
    }
  }
  const { exitCode, stdout, stderr } = await run(...erase, number, '--with-unread', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ id: customerId, firmId, mandateIds });

  const left = await rowsWith(knex, [...traces, '203.0.113.77']);
  const ofFirm = ['firms', 'users'];
  expect([...left.keys()]).toEqual([...kept, ...ofFirm].toSorted());
  // The evidence of several mandates ages from the end of the last one.
  const ends = await knex('kept_evidence').pluck<Date[]>('ended_on');
  expect(ends.every((end) => end > new Date('2020-01-02'))).toBe(true);
  expect(left.get('audit_entries')?.join()).not.toContain(marker);
  expect(await objectsWith(storage, traces)).toEqual([]);
  expect(await stateOf(ids)).toEqual(before);

  // The unread upload of another customer is read as if nothing had happened.
  await work.readAll();
  const [othersUnread] = await knex('uploads').whereLike('object_key', '%/others-unread.cod');
  expect(othersUnread).toMatchObject({ status: 'processed', findings: [] });

  const grants = await knex('upload_grants as g').select({
    count: 'upload_count',
    uploads: knex('uploads').whereRaw('grant_id = g.id').count(),
  });
  expect(grants.map(({ count }) => count)).toEqual(grants.map(({ uploads }) => Number(uploads)));
  const again = await run(...erase, number);
  expect(again).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('There is no customer'),
  });
  const evidence = await run('mandate', 'evidence', mandateIds[0] ?? '', '--json', '--out', folder);
  expect(evidence).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Jan Xqzsigner') });
  for (const change of [
    knex('kept_evidence').update('content', ''),
    knex('kept_evidence').delete(),
  ]) {
    await expect(change).rejects.toThrow('evidence never changes');
  }
});

test('D-48, D-63 a customer that was transferred stays at its former firm when the new one is erased', {
  tags: 'long',
}, async () => {
  const [, former = ''] = others.customerIds;
  const transferred = { archived_on: new Date(), transferred_to: customerId };
  await knex('customers')
    .where({ id: former })
    .update({ ...transferred, transfer_agreed_by: 'Jan Peeters' });
  const { exitCode, stdout } = await run('customer', 'list', '--transferred', '--json');
  expect({ exitCode, customers: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    customers: [{ id: former, transferredTo: { id: customerId, firmId: null } }],
  });
  await knex('customers')
    .where({ id: former })
    .update({ transferred_to: null, transfer_agreed_by: null });
});

test('D-63 firm erase leaves nothing but evidence and ids in the audit trail', async () => {
  const users: string[] = await knex('users').where({ firm_id: firmId }).pluck('id');
  const [customer = ''] = others.customerIds;
  const { tenant } = await knex('firms').where({ id: firmId }).first();
  const own = [marker, firmId, ...users, customer, `uploads/${tenant}-`];
  await work.upload('CODA', 'left.cod', Buffer.from('xqz'));
  const found = await rowsWith(knex, own);
  const ids = [others.firmId, ...others.customerIds.slice(1)];
  const before = await stateOf(ids);

  const erase = ['firm', 'erase', firmId, '--confirm', 'Kantoor Xqzfirm'];
  expect((await run(...erase)).stderr).toContain('is not disabled');
  await setFirmDisabled(knex, deliveriesOfFirm, firmId, true);
  expect((await run(...erase.slice(0, -1), 'Kantoor')).stderr).toContain('is not that of firm');
  expect((await run(...erase)).stderr).toContain('Upload credentials of firm');
  await knex('upload_grants').update('issued_on', new Date(Date.now() - 3_700_000));
  for (let call = 1; call < 7; call += 1) {
    const erasing = eraseFirm(failAt(work, call, 'before'), firmId, 'Kantoor Xqzfirm');
    await expect(erasing, `${call}`).rejects.toThrow('killed');
  }
  const { exitCode, stderr } = await run(...erase);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });

  expect(found.size).toBeGreaterThan(kept.length);
  const left = await rowsWith(knex, own);
  expect([...left.keys()]).toEqual(kept);
  expect(left.get('audit_entries')?.join()).not.toContain(marker);
  expect(await objectsWith(storage, own)).toEqual([]);
  expect(await stateOf(ids)).toEqual(before);
});
