import type { CreateCustomerRequest } from '@adx/contract';
import { expect, onTestFinished, test } from 'vitest';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { rounds } from '../support/rounds.js';
import {
  createUntilKilled,
  findStored,
  type KillReport,
  repeatCreations,
} from './support/create-until-killed.js';
import { createDeployment, type Deployment } from './support/deployment.js';

const kills = rounds({ short: 1, proof: 100 });
test(`§4.5, D-43 in ${kills} kills of the service, each customer is stored completely or not at all`, async () => {
  const { confirmed, absent } = await killDuringCreates(kills);
  expect(confirmed).toBeGreaterThan(kills > 1 ? kills : 0);
  // Otherwise no kill has interrupted a create.
  if (kills > 1) expect(absent).toBeGreaterThan(0);
});

const accounts = 4;
const providers = ['sdworx', 'partena', '***other***'];

/**
 * Kills the service. Confirmed customers are stored whole, others whole or not at all; each call
 * can be repeated.
 */
async function killDuringCreates(kills: number): Promise<KillReport> {
  const deployment = await createDeployment();
  onTestFinished(() => deployment.close());
  const settings = { PUBLIC_URL: 'https://adx.example.org' };
  const report = { confirmed: 0, unconfirmed: 0, absent: 0 };
  let next = deployment.start(settings);
  for (let kill = 0; kill < kills; kill += 1) {
    const process = await next;
    // The next process starts while this one works.
    next = deployment.start(settings);
    const answers = 1 + ((kill * 7) % 20);
    const creations = { concurrency: 8, customer: newLinkedCustomer, answers };
    const outcomes = await createUntilKilled(deployment, process, creations);
    await untilDisconnected(deployment);
    await checkEntries(deployment);
    for (const { sent, confirmed } of outcomes) {
      const isStored = await checkWhole(deployment, sent);
      if (confirmed) expect(isStored).toBe(true);
      report.confirmed += confirmed ? 1 : 0;
      report.unconfirmed += isStored && !confirmed ? 1 : 0;
      report.absent += isStored ? 0 : 1;
    }
    await repeatCreations(deployment, await next, outcomes);
  }
  return report;
}

function newLinkedCustomer(): CreateCustomerRequest {
  return newCustomer({
    bankAccounts: Array.from({ length: accounts }, () => ({ iban: newIban() })),
    payrollProviders: providers.map((code) => ({ code })),
  });
}

/** Waits until the database has noticed that the process is gone and has ended its transactions. */
async function untilDisconnected({ knex }: Deployment): Promise<void> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and state <> 'idle' and query ilike '%customers%'`,
  );
  if (rows.length > 0) await untilDisconnected({ knex } as Deployment);
}

/** Asserts that each customer has one entry of its creation, and each entry its customer (D-58). */
async function checkEntries({ knex }: Deployment): Promise<void> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `select customers.id, count(e.id)
       from customers full join (select * from audit_entries where customer_id is not null
                                  and action = 'createCustomer' and outcome = 'done') e
            on e.customer_id = customers.id
      group by customers.id having count(e.id) <> 1 or customers.id is null`,
  );
  expect(rows).toEqual([]);
}

/** Asserts that a customer is stored completely or not at all. Returns true if it is stored. */
async function checkWhole(deployment: Deployment, sent: CreateCustomerRequest): Promise<boolean> {
  const { knex } = deployment;
  const id = await findStored(deployment, sent);
  if (id === undefined) return false;
  const ibans = sent.bankAccounts?.map(({ iban }) => iban) ?? [];
  const stored = await knex('bank_accounts').whereIn('iban', ibans);
  expect(stored.map(({ customer_id }) => customer_id)).toEqual(Array(accounts).fill(id));
  const linked = await knex('customer_payroll_providers').where({ customer_id: id });
  expect(linked.map(({ code }) => code).sort()).toEqual(providers.toSorted());
  return true;
}
