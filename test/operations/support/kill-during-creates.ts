import type { CreateCustomerRequest } from '@adx/contract';
import { expect } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import type { Deployment, ServiceProcess } from './deployment.js';

const accounts = 4;
const providers = ['sdworx', 'partena', '***other***'];

interface Outcome {
  readonly sent: CreateCustomerRequest;
  /** True if the caller received a success. */
  readonly confirmed: boolean;
}

/** The counts of all rounds. */
interface KillReport {
  readonly confirmed: number;
  /** Customers that are stored although their caller received no answer. */
  readonly unconfirmed: number;
  readonly absent: number;
}

/**
 * Kills the service this many times while it creates customers. Asserts that each customer is stored
 * completely or not at all, and is stored if the caller received a success.
 */
export async function killDuringCreates(
  deployment: Deployment,
  kills: number,
): Promise<KillReport> {
  const settings = { PUBLIC_URL: 'https://adx.example.org' };
  const report = { confirmed: 0, unconfirmed: 0, absent: 0 };
  let next = deployment.start(settings);
  for (let kill = 0; kill < kills; kill += 1) {
    const process = await next;
    // The next process starts while this one works.
    if (kill + 1 < kills) next = deployment.start(settings);
    for (const outcome of await createUntilKilled(deployment, process, 1 + ((kill * 7) % 20))) {
      const isThere = await checkWhole(deployment, outcome.sent);
      if (outcome.confirmed) expect(isThere).toBe(true);
      report.confirmed += outcome.confirmed ? 1 : 0;
      report.unconfirmed += isThere && !outcome.confirmed ? 1 : 0;
      report.absent += isThere ? 0 : 1;
    }
  }
  return report;
}

/** Creates customers, eight at a time, and kills the process after this many answers. */
async function createUntilKilled(
  deployment: Deployment,
  process: ServiceProcess,
  answers: number,
): Promise<Outcome[]> {
  const { idToken } = await deployment.signIn(process);
  const outcomes: Outcome[] = [];
  let answered = 0;
  const work = async () => {
    for (;;) {
      const sent = newCustomer({
        bankAccounts: Array.from({ length: accounts }, () => ({ iban: newIban() })),
        payrollProviders: providers.map((code) => ({ code })),
      });
      try {
        const path = '/customers/create';
        const { status } = await deployment.call(process, path, {
          method: 'POST',
          idToken,
          body: sent,
        });
        outcomes.push({ sent, confirmed: status === 200 });
        expect(status).toBe(200);
        answered += 1;
        if (answered === answers) process.kill('SIGKILL');
      } catch (error) {
        outcomes.push({ sent, confirmed: false });
        if (!(error instanceof TypeError)) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  await process.exited;
  await untilDisconnected(deployment);
  return outcomes;
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

/** Asserts that a customer is stored completely or not at all. Returns true if it is stored. */
async function checkWhole(
  { knex }: Deployment,
  { enterpriseNumber, bankAccounts = [] }: CreateCustomerRequest,
): Promise<boolean> {
  const customer = await knex('customers')
    .where({ enterprise_number: enterpriseNumber.replaceAll('.', '') })
    .first('id');
  const ibans = await knex('bank_accounts').whereIn(
    'iban',
    bankAccounts.map(({ iban }) => iban),
  );
  if (customer === undefined) {
    expect(ibans).toEqual([]);
    return false;
  }
  expect(ibans.map(({ customer_id }) => customer_id)).toEqual(Array(accounts).fill(customer.id));
  const linked = await knex('customer_payroll_providers').where({ customer_id: customer.id });
  expect(linked.map(({ code }) => code).sort()).toEqual(providers.toSorted());
  return true;
}
