import type { AuditEntryPage, UploadPage, UploadRecord } from '@adx/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { newObjectId } from '../../packages/server/src/identifiers/object-id.js';
import { insertFile } from '../../packages/server/test/support/files.js';
import { insertUpload } from '../support/insert-upload.js';
import { absentId } from '../support/numbers.js';
import { callAs } from './call-as.js';
import { casesOf } from './cases.js';
import { useTwoFirms, type Viewer, viewerNames, viewerOf } from './two-firms.js';

const firms = useTwoFirms();
/** The upload of each viewer, with a file of each customer of the firm, by name. */
const own = new Map<string, string>();
/** Uploads that no viewer has made, by name. */
const hidden = new Map<string, string>();
/** An upload of a colleague. */
let ofColleague: string;

beforeAll(async () => {
  const { knex } = firms.service;
  const findings = [{ severity: 'warning', code: 'alreadyListed', message: 'Listed.', record: 1 }];
  for (const [index, viewer] of firms.viewers.entries()) {
    const files: string[] = [];
    for (const customer of Object.values(firms.own)) {
      const id = newObjectId();
      const row = await knex('files').where({ id: customer.files.codaFiles }).first();
      const statement_number = 100 + index;
      const content_hash = knex.raw('sha256(?::bytea)', [id]);
      const file_name = `${id}.cod`;
      await insertFile(knex, { ...row, id, statement_number, file_name, content_hash });
      files.push(id);
    }
    own.set(viewer.name, await insertUpload(knex, { userId: viewer.user.id, files, findings }));
  }
  const [{ id: colleague }] = await usersOf(firms.firmIds.own);
  const file = firms.own.unassigned.files.codaFiles;
  ofColleague = await insertUpload(knex, { userId: colleague, files: [file], findings });
  const [{ id: stranger }] = await usersOf(firms.firmIds.other);
  hidden.set('of the other firm', await insertUpload(knex, { userId: stranger, findings }));
  for (const [name, source] of [
    ['a delivery of a bank', 'bank'],
    ['an object that no grant covers', 'upload'],
  ] as const) {
    const id = await insertUpload(knex, { userId: colleague, name, isGranted: false });
    await knex('uploads').where({ id }).update({ source });
    await knex('files').where({ id: firms.own.assigned.files.codaFiles }).update({ upload_id: id });
    hidden.set(name, id);
  }
});

/** Returns the users of a firm who are no viewers: those who have created its customers. */
async function usersOf(firmId: string): Promise<[{ id: string }, ...{ id: string }[]]> {
  return firms.service.knex('users').where({ firm_id: firmId }).orderBy('id').select('id') as never;
}

async function listAs({ idToken }: Viewer, body: object = {}): Promise<UploadPage> {
  const answer = await callAs(firms, idToken, 'listUploads', { body });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body);
}

const getAs = ({ idToken }: Viewer, uploadId: string) =>
  callAs(firms, idToken, 'getUpload', { path: { uploadId } });

it('D-31 all operations that show uploads are tested here', () => {
  expect(casesOf('uploads').map(({ operationId }) => operationId)).toEqual([
    'listUploads',
    'getUpload',
  ]);
});

describe.each(viewerNames)('D-31 %s', (name) => {
  const seesFirm = name === 'an administrator';

  it(`${name} sees ${seesFirm ? 'the uploads of the firm' : 'own uploads only'}`, async () => {
    const viewer = viewerOf(firms, name);
    const visible = seesFirm ? [...own.values(), ofColleague] : [own.get(name) ?? ''];
    const bodies = [{}, { limit: 200 }, { status: 'processed' }, { product: 'CODA' }];
    for (const body of [...bodies, { receivedSince: '2000-01-01T00:00:00Z' }]) {
      const { records, recordsTotal, recordsFiltered } = await listAs(viewer, body);
      expect(records.map(({ id }) => id).sort()).toEqual([...visible].sort());
      expect([recordsTotal, recordsFiltered]).toEqual([visible.length, visible.length]);
    }
    const uploads = firms.service.knex('uploads');
    await uploads.clone().update({ status: 'rejected' });
    const rejected = await listAs(viewer, { status: 'rejected' });
    await uploads.clone().update({ status: 'processed' });
    expect(rejected.records.map(({ id }) => id).sort()).toEqual([...visible].sort());
    expect(rejected.recordsFiltered).toBe(visible.length);
    for (const id of visible) expect((await getAs(viewer, id)).status).toBe(200);
    const shown = new Set((await listAs(viewer, {})).records.map(({ prefix }) => prefix));
    for (const { prefix } of await firms.service
      .knex('upload_grants')
      .select<{ prefix: string }[]>()) {
      const { recordsFiltered } = await listAs(viewer, { prefix });
      expect(recordsFiltered > 0, prefix).toBe(shown.has(prefix));
    }
  });

  it(`${name} gets the answer for an unknown id for every other upload`, async () => {
    const viewer = viewerOf(firms, name);
    const unknown = await getAs(viewer, absentId());
    expect(unknown.status).toBe(404);
    const others = [...own].flatMap(([owner, id]) => (owner === name ? [] : [id]));
    const unseen = [...hidden.values(), ...(seesFirm ? [] : [...others, ofColleague])];
    for (const id of unseen) {
      expect(await getAs(viewer, id)).toEqual(unknown);
      expect(await getAs(viewer, id.toUpperCase())).toEqual(unknown);
    }
  });

  it(`${name} sees of an upload the files of visible customers only`, async () => {
    const viewer = viewerOf(firms, name);
    const { records } = await listAs(viewer);
    const { knex } = firms.service;
    const mine: UploadRecord[] = records.filter(({ id }) => id === own.get(name));
    mine.push(JSON.parse((await getAs(viewer, own.get(name) ?? '')).body));
    expect(mine).toHaveLength(2);
    for (const { files, fileCount } of mine) {
      const customers = await knex('files').whereIn(
        'id',
        files.map(({ id }) => id),
      );
      const seen = customers.map(({ customer_id }) => customer_id).sort();
      expect(seen).toEqual(viewer.visible.map(({ id }) => id).sort());
      expect(fileCount).toBe(viewer.visible.length);
    }
  });
});

it('D-31 a user who is no longer an administrator sees own uploads only, with the same ID token', async () => {
  const { service } = firms;
  const user = await service.createUser({ firmId: firms.firmIds.own });
  const idToken = await service.idToken(user);
  const viewer = { ...viewerOf(firms, 'an administrator'), idToken };
  expect((await listAs(viewer)).recordsTotal).toBeGreaterThan(1);
  await service.knex('users').where({ id: user.id }).update({ access_level: 'user' });
  expect(await listAs(viewer)).toMatchObject({ records: [], recordsTotal: 0 });
  expect((await getAs(viewer, ofColleague)).status).toBe(404);
});

/** The action of the entries of this test: calls of the viewers have others. */
const action = 'entry of this test';

beforeAll(async () => {
  const { knex } = firms.service;
  const { own: firmId, other } = firms.firmIds;
  const insert = (entry: object) =>
    knex('audit_entries').insert({ occurred_on: new Date(), action, outcome: 'done', ...entry });
  const byUser = (userId: string) => ({
    ...{ actor: 'user', user_id: userId, api_key_id: '0'.repeat(24), address: '203.0.113.7' },
  });
  for (const viewer of firms.viewers) {
    await insert({ ...byUser(viewer.user.id), firm_id: firmId, object_id: viewer.name });
  }
  await insert({ ...byUser('a'.repeat(24)), firm_id: firmId, object_id: 'of a colleague' });
  const operator = { actor: 'operator', operator: 'An' };
  await insert({ ...operator, firm_id: firmId, object_id: 'of the operator' });
  await insert({ actor: 'signer', firm_id: firmId, object_id: 'of a signer' });
  await insert({ ...byUser('b'.repeat(24)), firm_id: other, object_id: 'of the other firm' });
  await insert({ ...operator, object_id: 'of no firm' });
});

async function listEntriesAs({ idToken }: Viewer, body: object): Promise<AuditEntryPage> {
  const answer = await callAs(firms, idToken, 'listAuditEntries', { body });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body);
}

it('D-58 all operations that show the audit trail are tested here', () => {
  expect(casesOf('auditTrail').map(({ operationId }) => operationId)).toEqual(['listAuditEntries']);
});

describe.each(viewerNames)('D-58 %s', (name) => {
  const seesFirm = name === 'an administrator';

  it(`${name} sees ${seesFirm ? 'the entries of the firm' : 'own entries only'}`, async () => {
    const viewer = viewerOf(firms, name);
    const visible = seesFirm
      ? [...viewerNames, 'of a colleague', 'of the operator', 'of a signer']
      : [name];
    const since = { occurredSince: '2000-01-01T00:00:00Z' };
    for (const body of [{ action }, { action, ...since }, { action, limit: 200 }]) {
      const { records, recordsFiltered } = await listEntriesAs(viewer, body);
      expect(records.map(({ objectId }) => objectId).sort()).toEqual([...visible].sort());
      expect(recordsFiltered).toBe(visible.length);
    }
    const { records, recordsTotal } = await listEntriesAs(viewer, { limit: 200 });
    expect(recordsTotal).toBe(records.length);
    const userIds = records.flatMap(({ userId }) => userId ?? []);
    expect(userIds).not.toContain('b'.repeat(24));
    if (!seesFirm) expect(new Set(userIds)).toEqual(new Set([viewer.user.id]));
    const others = await listEntriesAs(viewer, { userId: 'b'.repeat(24) });
    expect([others.records, others.recordsFiltered]).toEqual([[], 0]);
  });
});
