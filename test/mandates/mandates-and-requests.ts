import type { Client } from '@adx/client';
import type { CreateCustomerRequest, Customer, Mandate } from '@adx/contract';
import { newCustomer } from '../support/new-customer.js';
import type { TestService } from '../support/test-service.js';

type Knex = TestService['knex'];

/** A signature request of a customer. */
export interface SignatureRequest {
  readonly id: string;
  readonly delivery: number;
  /** The ids of its mandates. */
  readonly asked: readonly string[];
  /** The number of jobs that send it. */
  readonly jobs: number;
}

/** Returns a customer to create, with links. */
export function withLinks(
  ibans: readonly string[],
  codes: readonly string[] = [],
): CreateCustomerRequest {
  return newCustomer({
    bankAccounts: ibans.map((iban) => ({ iban })),
    payrollProviders: codes.map((code) => ({ code })),
  });
}

/** Returns the listed mandates of a customer, oldest first. */
export async function mandatesOf(client: Client, { id }: Pick<Customer, 'id'>): Promise<Mandate[]> {
  const filters = { customerId: id, includeFinished: true, sortDirection: 'asc' } as const;
  return (await client.mandates.search(filters)).records;
}

/** Returns the signature requests of a customer, oldest first. */
export async function requestsOf(
  knex: Knex,
  { id }: Pick<Customer, 'id'>,
): Promise<SignatureRequest[]> {
  const { rows } = await knex.raw<{ rows: SignatureRequest[] }>(
    `select r.id, r.delivery,
            (select array_agg(asked.mandate_id order by asked.mandate_id)
               from asked_mandates asked where asked.request_id = r.id) as asked,
            (select count(*) from graphile_worker.jobs j
              where j.key = 'sendMail:' || r.id || '.' || r.delivery) as jobs
       from signature_requests r where r.customer_id = ? order by r.id`,
    [id],
  );
  return rows;
}

/** Counts the rows of each table to which a new customer, link or mandate adds rows. */
export function countRows(knex: Knex): Promise<unknown[]> {
  const tables = [
    ...['customers', 'bank_accounts', 'customer_payroll_providers', 'mandates'],
    ...['mandate_history', 'mandate_clocks', 'signature_requests', 'asked_mandates'],
    'graphile_worker.jobs',
  ];
  return Promise.all(tables.map(async (table) => (await knex(table).count())[0]));
}
