import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import type { NewAuditEntry } from '../../src/audit/audit-entry.js';
import { createReadTrail } from '../../src/audit/read-trail.js';
import { type Nodes, oneServer } from '../../src/db/nodes.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { openTestDatabase } from '../support/knex-for-file.js';
import { takeNodeAway } from '../support/node-away.js';
import { insertFirm } from '../support/rows.js';

const database = await openTestDatabase(afterAll);
const { knex } = database;
const never = 3_600_000;

function newTrail(everyMs: number, nodes: Nodes = oneServer) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const trail = createReadTrail({ knex, logger, nodes, everyMs });
  const firmId = newObjectId();
  const entry: NewAuditEntry = {
    ...{ occurredOn: new Date(), actor: 'user', action: 'getCustomer', outcome: 'done' },
    ...{ userId: newObjectId(), apiKeyId: newObjectId(), firmId },
  };
  const add = (count: number) => {
    for (let added = 0; added < count; added += 1) trail.add(entry);
  };
  const stored = async () =>
    Number((await knex('audit_entries').where({ firm_id: firmId }).count())[0]?.['count']);
  return { trail, lines, entry, add, stored };
}

test('D-58 a process that stops writes the reads that are left, more than fit into one statement too', async () => {
  const { trail, add, stored, lines } = newTrail(never);
  add(2_500);
  expect(await stored()).toBe(0);
  await trail.stop();
  expect([await stored(), lines]).toEqual([2_500, []]);
});

test('D-58 reads that come during a write wait for the next one, so that a busy process writes many at once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { trail, add, stored } = newTrail(1_000);
  const blocking = await knex.transaction();
  await blocking.raw('lock table audit_entries in share mode');
  add(1);
  vi.advanceTimersByTime(1_000);
  await waitUntilBlocked(knex);
  add(1);
  await blocking.commit();
  await eventually(async () => (await stored()) > 0);
  for (let asked = 0; asked < 20; asked += 1) expect(await stored()).toBe(1);
  vi.advanceTimersByTime(1_000);
  await eventually(async () => (await stored()) === 2);
  await trail.stop();
});

test('D-58 reads wait while they cannot be written, and the log says it once', async () => {
  const { trail, add, stored, lines } = newTrail(20);
  await knex.raw('alter table audit_entries add constraint blocked check (false) not valid');
  add(10);
  await eventually(async () => lines.length > 0);
  add(10);
  await knex.raw('alter table audit_entries drop constraint blocked');
  await eventually(async () => (await stored()) === 20);
  await trail.stop();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'reads could not be written to the audit trail',
    'reads are written to the audit trail again',
  ]);
});

test('D-58 the reads that wait are bounded, further ones are refused, and the log says how many a process that stops loses', async () => {
  const { trail, add, lines } = newTrail(never);
  await knex.raw('alter table audit_entries add constraint blocked check (false) not valid');
  add(50_000);
  expect(() => add(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  await trail.stop();
  await knex.raw('alter table audit_entries drop constraint blocked');
  expect(lines.map((line) => JSON.parse(line).lost)).toEqual([undefined, 50_000]);
});

test('D-72 reads of firms on a node that does not respond wait, and those of the others are written', async () => {
  const firmId = await insertFirm(knex);
  const { nodes, restore } = await takeNodeAway(database, 'audit_entries', firmId);
  const { trail, add, stored, entry } = newTrail(20, nodes);
  trail.add({ ...entry, firmId });
  add(2);
  await eventually(async () => (await stored()) === 2);
  const ofNode = () => knex('audit_entries').where({ firm_id: firmId });
  expect(await ofNode()).toEqual([]);
  await restore();
  await eventually(async () => (await ofNode()).length === 1);
  expect(await stored()).toBe(2);
  await trail.stop();
});
