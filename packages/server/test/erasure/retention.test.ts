import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { sealEntries } from '../../src/audit/seal-entries.js';
import { verifyTrail } from '../../src/audit/verify-trail.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { brusselsDay } from '../../src/dates/brussels-day.js';
import { retentionWork } from '../../src/erasure/retention.js';
import { removeDueObjects } from '../../src/files/object-removals.js';
import { createRefreshTokenStore, revokeRefreshTokens } from '../../src/identity/refresh-tokens.js';
import { createLogger } from '../../src/logger.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { releaseDelivery } from '../../src/uploads/deliveries/release-delivery.js';
import { followChains } from '../continuity/statement-chain.js';
import { keysOf } from '../storage/open-test-storage.js';
import { asAuthor } from '../support/as-author.js';
import { failAt } from '../uploads/killed/fail-at-call.js';
import { codaFile, type SampleStatement } from '../uploads/sample-files.js';
import { setUpUploads } from '../uploads/set-up-uploads.js';
import { sign } from './marked-firm.js';

const work = await setUpUploads(afterAll);
const { knex, storage } = work;
const { list } = followChains(work);
const years = { statements: 10, evidence: 10, uploads: 2, audit: 5 };

/** Does the work of a worker whose clock shows a time, until nothing is left to do. */
async function removeOld(
  at: string,
  changed: Partial<typeof years> = {},
  parts = work,
): Promise<void> {
  const dependencies = { ...parts, now: () => new Date(at), logger: createLogger('silent') };
  const { run } = retentionWork(dependencies, { ...years, ...changed });
  while ((await run()) === 'moreLeft');
}

/** Uploads statements and returns the codes of the findings. */
async function bring(...statements: SampleStatement[]): Promise<string[]> {
  const before = new Set((await work.uploads()).map(({ id }) => id));
  await work.upload('CODA', `${statements[0]?.number}.cod`, codaFile(...statements));
  await work.readAll();
  const added = (await work.uploads()).filter(({ id }) => !before.has(id));
  return added.flatMap(({ findings }) => findings.map(({ code }) => code));
}

test('D-63 statements go after ten calendar years with their objects, are not missing, and do not come back', async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  const of2015 = [1, 2, 3, 4, 5, 6].map((number) => ({ iban, number, date: `2015-12-2${number}` }));
  const of2016 = [9, 10, 11, 12].map((number) => ({
    iban,
    number,
    date: `2016-01-${number + 10}`,
  }));
  expect(await bring(...of2015, ...of2016)).toEqual(['numberMissing']);
  expect(await list(customerId)).toMatchObject([{ kind: 'gap', after: '2015-12-26', toNumber: 8 }]);
  const numbers = async () => (await work.files()).map((file) => file.statement_number);

  const heldIban = newIban();
  const heldFor = await work.create({ ibans: [heldIban] });
  await work.setStatus(heldFor, 'created');
  await work.deliver(codaFile({ iban: heldIban, date: '2015-12-31' }));

  await removeOld('2025-12-31T22:59:59Z');
  expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11, 12]);
  for (const moment of ['before', 'after'] as const) {
    const killed = failAt(work, 1, moment);
    await expect(removeOld('2025-12-31T23:00:00Z', {}, killed)).rejects.toThrow('statements');
  }
  await removeOld('2025-12-31T23:00:00Z');
  expect(await numbers()).toEqual([9, 10, 11, 12]);
  await removeDueObjects(work, new Date());
  const kept = (await work.files()).flatMap((file) => [file.object_key, file.pdf_key]);
  expect(await keysOf(storage, 'files', 'coda/')).toEqual(kept.toSorted());
  expect(await list(customerId)).toEqual([]);

  expect(await bring({ iban, number: 6, date: '2015-12-26' })).toEqual(['noLongerKept']);
  const delivered = await work.deliver(codaFile({ iban, number: 5, date: '2015-12-25' }));
  expect(delivered.findings.map(({ code }) => code)).toEqual(['noLongerKept']);
  expect(await bring({ iban: newIban(), date: '2015-12-25' })).toEqual(['unknownAccount']);
  await work.setStatus(heldFor, 'finished');
  const held = await knex('held_deliveries').first();
  const releasing = releaseDelivery(work, held.id, held.bank_account_id);
  expect(await releasing).toBe('noLongerKept');
  expect(await knex('held_deliveries')).toEqual([held]);
  await knex('held_deliveries').delete();
  await removeOld('2025-12-31T23:00:00Z', { statements: 20 });
  expect(await bring({ iban, number: 6, date: '2015-12-26' })).toEqual(['noLongerKept']);
  expect(await bring({ iban, number: 10, date: '2016-01-20' })).toEqual(['alreadyListed']);
  expect(await bring({ iban, number: 13, date: '2016-01-23' })).toEqual([]);
  expect(await numbers()).toEqual([9, 10, 11, 12, 13]);
  expect(await list(customerId)).toEqual([]);
});

test('D-63 years count to the 28th of February if they begin on the 29th', async () => {
  const iban = newIban();
  await work.create({ ibans: [iban] });
  for (const [number, at] of [
    [1, '2026-02-28T11:59:59Z'],
    [2, '2026-02-28T12:00:00Z'],
  ] as const) {
    await bring({ iban, number });
    const [file] = await knex('files').where({ iban, statement_number: number });
    const row = { received_on: at, settled_on: at };
    await knex('uploads').where({ id: file.upload_id }).update(row);
  }
  // A kind that fails is reported once the others are done.
  await knex.raw('alter table kept_evidence rename to elsewhere');
  await expect(removeOld('2028-02-29T12:00:00Z')).rejects.toThrow('It failed for evidence');
  await knex.raw('alter table elsewhere rename to kept_evidence');
  const files = await knex('files').where({ iban }).orderBy('statement_number');
  const uploads = files.map(({ upload_id }) => upload_id);
  expect(await knex('uploads').whereIn('id', uploads).pluck('id')).toEqual([uploads[1]]);
  await removeOld('2028-03-01T12:00:00Z');
});

test('D-63 mandates with their evidence, uploads, audit entries and archived customers go after their years', async () => {
  const [iban, other] = [newIban(), newIban()];
  const [ended, active] = [
    await work.create({ ibans: [iban] }),
    await work.create({ ibans: [other] }),
  ];
  for (const id of [ended, active]) await sign(work, id);
  expect(await bring({ iban, date: '2026-11-01' }, { iban: other, date: '2026-11-01' })).toEqual(
    [],
  );
  const author = asAuthor(work.principal);
  await createCustomerStore(knex, createCustomerMandates()).archive(author, ended);
  const at = new Date();
  await sealEntries(knex, at);
  const inYears = (number: number, days: number) => {
    const time = new Date(at);
    time.setUTCFullYear(at.getUTCFullYear() + number);
    return new Date(time.getTime() + days * 86_400_000).toISOString();
  };
  const count = async (table: string) => (await knex(table)).length;
  const counts = async () => ({
    uploads: await count('uploads'),
    audit: await count('audit_entries'),
    evidence: await count('signature_evidence'),
    kept: await count('kept_evidence'),
    customers: await knex('customers')
      .whereIn('id', [ended, active])
      .orderBy('created_on')
      .pluck('id'),
  });
  const before = await counts();
  expect(before).toMatchObject({ evidence: 2, kept: 0 });
  await removeOld(inYears(2, -2));
  expect(await counts()).toEqual(before);
  await removeOld(inYears(2, 2));
  expect(await counts()).toEqual({ ...before, uploads: 0 });
  await removeOld(inYears(5, 2));
  expect(await counts()).toEqual({ ...before, uploads: 0, audit: 0 });
  const { faults } = await verifyTrail(knex);
  expect(faults).toEqual([]);

  const erased = await work.create({ ibans: [newIban()] });
  await sign(work, erased);
  await knex('customers').where({ id: erased }).update({ archived_on: at });
  await removeOld(inYears(10, -2));
  expect(await counts()).toMatchObject({ evidence: 3, customers: [ended, active] });
  // On the last days of a year, the customer would go too.
  await removeOld(inYears(10, 2), { statements: 11 });
  // Only that of the mandates that have ended.
  expect(await counts()).toMatchObject({ evidence: 2 });
  // This is in the last second of the year in Belgium.
  const year = Number(brusselsDay(at).slice(0, 4));
  await removeOld(`${year + 10}-12-31T22:59:59Z`);
  expect(await counts()).toMatchObject({ evidence: 2, customers: [ended, active] });
  expect(await knex('mandates').where({ customer_id: ended })).toEqual([]);
  expect(await knex('bank_accounts').where({ customer_id: ended })).toEqual([]);
  // After the calendar year. The mandate of the last one was never ended, so its evidence begins to
  // age.
  const inEleven = `${year + 11}-01-02T00:00:00Z`;
  // The customer of a mandate that has to be kept stays.
  await knex('mandates').where({ customer_id: erased }).update({ closed_on: at });
  await removeOld(inEleven, { evidence: 12 });
  expect(await counts()).toMatchObject({ evidence: 2, kept: 0, customers: [active] });
  await knex('mandates').where({ customer_id: erased }).update({ closed_on: null });
  await removeOld(inEleven);
  expect(await counts()).toMatchObject({ evidence: 1, kept: 1, customers: [active] });
  await removeOld(`${year + 22}-01-02T00:00:00Z`);
  expect(await counts()).toMatchObject({ evidence: 1, kept: 0, customers: [active] });
});

test('D-63 refresh tokens go 30 days after they were issued, also those of a disabled user', async () => {
  const userId = work.principal.userId;
  const tokens = createRefreshTokenStore(knex, () => new Date('2026-01-01T00:00:00Z'), 1);
  const row = () => knex('refresh_tokens').where({ user_id: userId }).first('expires_on');
  const user = { id: userId, firmId: work.principal.firmId, tokenVersion: 0 };
  const { token_version: tokenVersion } = await knex('users').where({ id: userId }).first();
  await tokens.issue({ ...user, tokenVersion }, 'Pakket', { name: 'built-in' });
  await revokeRefreshTokens(knex, { id: userId });
  await removeOld('2026-01-30T23:59:59Z');
  expect(await row()).toEqual({ expires_on: new Date(0) });
  await removeOld('2026-01-31T00:00:00Z');
  expect(await row()).toBeUndefined();
});

test('D-63 nothing is removed while the clocks of the machine and of the database differ', async () => {
  const own = await setUpUploads();
  const iban = newIban();
  await own.create({ ibans: [iban] });
  await own.upload('CODA', '1.cod', codaFile({ iban, date: '2020-06-01' }));
  await own.readAll();
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2035-01-01') });
  await expect(removeOld('2035-01-01', {}, own)).rejects.toThrow(
    ' minutes ahead of that of the database',
  );
  vi.setSystemTime('2020-01-01');
  await expect(removeOld('2035-01-01', {}, own)).rejects.toThrow(
    ' minutes behind that of the database',
  );
  vi.useRealTimers();
  expect(await own.files()).toHaveLength(1);
  await removeOld('2035-01-01', {}, own);
  expect(await own.files()).toEqual([]);
});

test('D-63 a customer that is archived on 1 January in Belgium, but not yet in UTC, is kept for that year too', async () => {
  const id = await work.create({ ibans: [] });
  await knex('customers').where({ id }).update({ archived_on: '2015-12-31T23:30:00Z' });
  await removeOld('2026-12-31T22:59:59Z');
  expect(await knex('customers').where({ id })).toHaveLength(1);
  await removeOld('2026-12-31T23:00:00Z');
  expect(await knex('customers').where({ id })).toEqual([]);
});
