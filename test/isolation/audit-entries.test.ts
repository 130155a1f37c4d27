import type { AuditEntryPage } from '@adx/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { callAs } from './call-as.js';
import { casesOf } from './cases.js';
import { useTwoFirms, type Viewer, viewerNames, viewerOf } from './two-firms.js';

/** The action of the entries of this test: calls of the viewers have others. */
const action = 'entry of this test';

const firms = useTwoFirms();
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

async function listAs({ idToken }: Viewer, body: object): Promise<AuditEntryPage> {
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
      const { records, recordsFiltered } = await listAs(viewer, body);
      expect(records.map(({ objectId }) => objectId).sort()).toEqual([...visible].sort());
      expect(recordsFiltered).toBe(visible.length);
    }
    const { records, recordsTotal } = await listAs(viewer, { limit: 200 });
    expect(recordsTotal).toBe(records.length);
    const userIds = records.flatMap(({ userId }) => userId ?? []);
    expect(userIds).not.toContain('b'.repeat(24));
    if (!seesFirm) expect(new Set(userIds)).toEqual(new Set([viewer.user.id]));
    const others = await listAs(viewer, { userId: 'b'.repeat(24) });
    expect([others.records, others.recordsFiltered]).toEqual([[], 0]);
  });
});
