import { setTimeout as pause } from 'node:timers/promises';
import type { CreateCustomerRequest } from '@adx/contract';
import { expect } from 'vitest';
import type { Deployment, ServiceProcess } from './deployment.js';

export interface CreateOutcome {
  readonly sent: CreateCustomerRequest;
  /** True if the caller received a success. */
  readonly confirmed: boolean;
  readonly answer?: string;
}

export interface KillReport {
  readonly confirmed: number;
  /** Customers that are stored although their caller received no answer. */
  readonly unconfirmed: number;
  readonly absent: number;
}

interface Creations {
  readonly concurrency: number;
  readonly customer: () => CreateCustomerRequest;
  /** The number of answers after which the process is killed. */
  readonly answers: number;
  /** The maximum of the random delay after that, in milliseconds. */
  readonly maxDelayMs?: number;
}

export async function createUntilKilled(
  deployment: Deployment,
  process: ServiceProcess,
  { concurrency, customer, answers, maxDelayMs = 0 }: Creations,
): Promise<CreateOutcome[]> {
  const { idToken } = await deployment.signIn(process);
  const outcomes: CreateOutcome[] = [];
  const kill = async () => {
    if (maxDelayMs > 0) await pause(Math.random() * maxDelayMs);
    process.kill('SIGKILL');
  };
  const work = async () => {
    for (;;) {
      const sent = customer();
      try {
        const answer = await createWithKey(deployment, process, idToken, sent);
        outcomes.push({ sent, confirmed: true, answer });
        if (outcomes.length === answers) await kill();
      } catch (error) {
        // `fetch` throws a TypeError if the connection breaks.
        if (!(error instanceof TypeError)) throw error;
        outcomes.push({ sent, confirmed: false });
        return;
      }
    }
  };
  await Promise.all([
    ...Array.from({ length: concurrency }, work),
    ...(answers === 0 ? [kill()] : []),
  ]);
  await process.exited;
  // A killed process loses its share of the rate limit (D-23).
  await deployment.knex('rate_limit_windows').delete();
  return outcomes;
}

/** Creates a customer, with its enterprise number as the key of the call (D-43). */
async function createWithKey(
  deployment: Deployment,
  process: ServiceProcess,
  idToken: string,
  sent: CreateCustomerRequest,
): Promise<string> {
  const call = { method: 'POST', idToken, body: sent, idempotencyKey: sent.enterpriseNumber };
  const response = await deployment.call(process, '/customers/create', call);
  expect(response.status).toBe(200);
  return response.text();
}

/** Asserts that each call succeeds, with the answer that its caller received (D-43). */
export async function repeatCreations(
  deployment: Deployment,
  process: ServiceProcess,
  outcomes: readonly CreateOutcome[],
): Promise<void> {
  const { idToken } = await deployment.signIn(process);
  for (const { sent, answer } of outcomes) {
    const again = await createWithKey(deployment, process, idToken, sent);
    expect(again).toBe(answer ?? again);
    expect(await findStored(deployment, sent)).toBe(JSON.parse(again).id);
  }
}

/** Returns the id if a customer is stored; otherwise asserts that its accounts are not either. */
export async function findStored(
  { knex }: Pick<Deployment, 'knex'>,
  { enterpriseNumber, bankAccounts = [] }: CreateCustomerRequest,
): Promise<string | undefined> {
  const customer = await knex('customers')
    .where({ enterprise_number: enterpriseNumber.replaceAll('.', '') })
    .first<{ id: string } | undefined>('id');
  if (customer === undefined) {
    const ibans = bankAccounts.map(({ iban }) => iban);
    expect(await knex('bank_accounts').whereIn('iban', ibans)).toEqual([]);
  }
  return customer?.id;
}
