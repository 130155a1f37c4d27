import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { createCoverage } from '../../src/mandates/coverage.js';
import { takeInstants } from '../../src/mandates/mandate-steps.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertFirm } from '../support/rows.js';
import { createLinkedCustomer, mandatesOf, newPrincipal } from './linked-customer.js';
import { waitUntilBlocked } from './wait-until-blocked.js';

const knex = await knexForFile({ poolSize: 20 });

const take = (firmId: string, count: number) =>
  knex.transaction((trx) => takeInstants(trx, firmId, count));

/** Returns true if each instant is at least a millisecond later than the one before. */
function areInOrder(instants: readonly Date[]): boolean {
  return instants.every((instant, i) => i === 0 || instant > (instants[i - 1] ?? instant));
}

test('D-26 each change of a firm has a different millisecond, in order', async () => {
  const firmId = await insertFirm(knex);
  const before = new Date();
  const taken: Date[] = [];
  for (const count of [3, 1, 1, 50, 1, 2]) taken.push(...(await take(firmId, count)));
  expect(taken).toHaveLength(58);
  expect(areInOrder(taken)).toBe(true);
  expect(taken[0]?.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1);
  const [clock] = await knex('mandate_clocks').where({ firm_id: firmId });
  expect(new Date(clock.latest_ms)).toEqual(taken.at(-1));
});

test('D-26 all instants differ when many are taken at once, even the first of a firm', async () => {
  const firmId = await insertFirm(knex);
  const taken = await Promise.all(Array.from({ length: 40 }, (_, i) => take(firmId, 1 + (i % 3))));
  const times = taken.flat().map(Number);
  expect(new Set(times).size).toBe(times.length);
  for (const instants of taken) expect(areInOrder(instants)).toBe(true);
});

test('D-26 the clock never goes back, even if the clock of the machine does', async () => {
  const firmId = await insertFirm(knex);
  const [first] = await take(firmId, 1);
  const ahead = new Date(Number(first) + 3_600_000);
  await knex('mandate_clocks').where({ firm_id: firmId }).update({ latest_ms: ahead.getTime() });
  const taken = await take(firmId, 2);
  expect(taken.map((instant) => Number(instant) - Number(ahead))).toEqual([1, 2]);
});

test('D-26 the next transaction waits for the end of the first, and gets a later instant', async () => {
  const [firmId, other] = [await insertFirm(knex), await insertFirm(knex)];
  const taken: Date[] = [];
  for (const isCommitted of [true, false]) {
    const trx = await knex.transaction();
    const held = await takeInstants(trx, firmId, 1);
    // Nobody has seen an instant that was rolled back.
    if (isCommitted) taken.push(...held);
    const next = take(firmId, 1);
    await waitUntilBlocked(knex);
    // Another firm has its own clock.
    await take(other, 1);
    await (isCommitted ? trx.commit() : trx.rollback());
    taken.push(...(await next));
    expect(areInOrder(taken)).toBe(true);
  }
});

test('D-26 files of two firms lock the clocks in the order of the firms, without a deadlock', async () => {
  const [first, last] = [await newPrincipal(knex), await newPrincipal(knex)];
  // The mandate of the second firm is older.
  const customers = [];
  for (const principal of [last, first]) {
    customers.push(await createLinkedCustomer(knex, principal, { ibans: [newIban()] }));
  }
  await knex('mandates').whereIn('customer_id', customers).update({ status: 'waitingForBank' });
  const links = await knex('bank_accounts')
    .whereIn('customer_id', customers)
    .select({ linkId: 'id', firmId: 'firm_id' });
  const holder = await knex.transaction();
  await takeInstants(holder, first.firmId, 1);
  const receiving = knex.transaction((trx) => createCoverage().delivered(trx, links));
  await waitUntilBlocked(knex);
  await takeInstants(holder, last.firmId, 1);
  await holder.commit();
  await receiving;
  for (const customerId of customers) {
    expect(await mandatesOf(knex, customerId)).toMatchObject([{ status: 'finished' }]);
  }
});
