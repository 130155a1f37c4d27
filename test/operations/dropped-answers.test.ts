import { type Client, createClient } from '@adx/client';
import { expect, test } from 'vitest';
import { printResult } from '../proofs/print-result.js';
import { leadMandate } from '../support/lead-mandate.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { rounds } from '../support/rounds.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { validatingFetch } from '../support/validating-fetch.js';
import { openDroppingProxy } from './support/dropping-proxy.js';

const count = rounds({ short: 10, proof: 1_000 });
test(`D-43 of ${count} calls whose first answer is lost, each takes effect once and succeeds`, async () => {
  const report = await dropAnswers(count);
  printResult(report);
  expect(report).toMatchObject({ calls: count, notOnce: 0, errors: [] });
  const { afterRequest, withinAnswer } = report;
  if (count === 1_000) expect(Math.min(afterRequest, withinAnswer)).toBeGreaterThan(100);
});

interface DropReport {
  readonly calls: number;
  /** The number of connections that were cut after the request, and within the answer. */
  readonly afterRequest: number;
  readonly withinAnswer: number;
  /** Calls that took effect more than once, or not at all. */
  readonly notOnce: number;
  readonly errors: readonly string[];
}

const concurrency = 12;

/** Calls with a client that loses the first answer to each call, and has only credentials. */
async function dropAnswers(calls: number): Promise<DropReport> {
  const service = await startTestService();
  const proxy = await openDroppingProxy(service.baseUrl);
  try {
    const user = await service.createUser({ firmId: await service.createFirm() });
    const { key: apiKey } = await service.issueApiKey();
    const mandates = await expiredMandates(service, await service.client(user), calls / 2);
    const { username, password } = user;
    const { baseUrl } = proxy;
    const client = createClient({ baseUrl, apiKey, username, password, fetch: validatingFetch });

    const numbers: string[] = [];
    const errors: string[] = [];
    const jobs = mandates.flatMap((id) => [
      async () => {
        const customer = newCustomer();
        numbers.push(customer.enterpriseNumber.replaceAll('.', ''));
        const { enterpriseNumber } = await client.customers.create(customer);
        expect(enterpriseNumber).toBe(customer.enterpriseNumber);
      },
      async () => {
        expect(await client.mandates.request(id)).toMatchObject({ id, status: 'created' });
      },
    ]);
    const work = async () => {
      for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
        await job().catch((error: unknown) => void errors.push(String(error)));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));

    const { knex } = service;
    const created = await knex('customers')
      .whereIn('enterprise_number', numbers)
      .pluck<string[]>('enterprise_number');
    const requested = await knex('mandate_history')
      .where({ trigger: 'requested' })
      .whereIn('mandate_id', mandates)
      .pluck<string[]>('mandate_id');
    const cuts = [...proxy.cuts.values()];
    return {
      calls: cuts.length,
      afterRequest: cuts.filter((cut) => cut === 'after the request').length,
      withinAnswer: cuts.filter((cut) => cut === 'within the answer').length,
      notOnce: countNotOnce(numbers, created) + countNotOnce(mandates, requested),
      errors,
    };
  } finally {
    await proxy.close();
    await service.close();
  }
}

async function expiredMandates(service: TestService, client: Client, count: number) {
  const ids: string[] = [];
  while (ids.length < count) {
    const length = Math.min(10, count - ids.length);
    const bankAccounts = Array.from({ length }, () => ({ iban: newIban() }));
    const { id: customerId } = await client.customers.create(newCustomer({ bankAccounts }));
    const { records } = await client.mandates.search({ customerId });
    for (const { id } of records) await leadMandate(service, id, 'expired');
    ids.push(...records.map(({ id }) => id));
  }
  return ids;
}

function countNotOnce(expected: readonly string[], found: readonly string[]): number {
  return expected.filter((value) => found.filter((each) => each === value).length !== 1).length;
}
