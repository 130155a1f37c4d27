import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { printResult } from '../../../../test/proofs/print-result.js';
import { newIban } from '../../../../test/support/numbers.js';
import { createLinkedCustomer, newPrincipal } from '../mandates/linked-customer.js';
import { runAdxServer, startAdxServer } from './adx-server.js';
import { operatorForFile } from './operator-for-file.js';

const KILLS = 60;
const { knex, settings } = await operatorForFile();

test('D-48 of 60 transfers that are killed at a random point, each took place completely or not at all, and can be repeated', async () => {
  const [former, next] = [await newPrincipal(knex), await newPrincipal(knex)];
  const transfer = (id: string, agreedBy: string) => [
    ...['customer', 'transfer', id, '--to', next.firmId, '--agreed-by', agreedBy, '--json'],
  ];
  const newCustomer = () => {
    const ibans = [newIban(), newIban(), newIban()];
    return createLinkedCustomer(knex, former, { ibans, providers: ['sdworx'] });
  };
  const openLinks = (customer_id: string) =>
    knex('mandates').where({ customer_id, closed_on: null });

  const begin = performance.now();
  await runAdxServer(transfer(await newCustomer(), 'Jan Peeters'), settings);
  const duration = performance.now() - begin;
  const tally = { done: 0, undone: 0 };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const id = await newCustomer();
    const process = startAdxServer(transfer(id, 'Jan Peeters'), settings);
    const closed = once(process, 'close');
    // Most of the time is the start of Node.
    await pause(duration * (0.6 + 0.4 * Math.random()));
    process.kill('SIGKILL');
    await closed;
    const { exitCode, stdout } = await runAdxServer(transfer(id, 'An Maes'), settings);
    expect(exitCode).toBe(0);
    const { agreedBy, transferredTo } = JSON.parse(stdout);
    tally[agreedBy === 'Jan Peeters' ? 'done' : 'undone'] += 1;
    expect(await openLinks(id)).toEqual([]);
    expect(await openLinks(transferredTo.id)).toHaveLength(4);
    const { enterprise_number } = await knex('customers').where({ id }).first();
    expect(await knex('customers').where({ enterprise_number })).toHaveLength(2);
  }
  printResult(tally);
  expect(tally.undone).toBeGreaterThan(0);
});
