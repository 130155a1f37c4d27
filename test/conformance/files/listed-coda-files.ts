import type { Client } from '@adx/client';
import type { CodaCustomerGroup, CodaFile, Customer, ListCodaFilesRequest } from '@adx/contract';
import {
  countArrivals,
  insertCodaFile,
  type NewCodaFile,
} from '../../../packages/server/test/support/files.js';
import { newCustomer } from '../../support/new-customer.js';
import type { TestService, TestUser } from '../../support/test-service.js';

export interface NewFirm {
  readonly firmId: string;
  readonly user: TestUser;
  readonly client: Client;
}

export async function newFirm(service: TestService): Promise<NewFirm> {
  const firmId = await service.createFirm();
  const user = await service.createUser({ firmId });
  return { firmId, user, client: await service.client(user) };
}

export interface CustomerWithFiles extends NewFirm {
  readonly customer: Customer;
  readonly ids: readonly string[];
}

export async function createCustomerWith(
  service: TestService,
  ...files: Partial<NewCodaFile>[]
): Promise<CustomerWithFiles> {
  const firm = await newFirm(service);
  const customer = await firm.client.customers.create(newCustomer());
  const ids: string[] = [];
  for (const file of files) ids.push(await insertCodaFile(service.knex, customer.id, file));
  return { ...firm, customer, ids };
}

/** Stores many CODA files of one account, numbered from 1. */
export async function storeCodaFiles(
  { knex }: TestService,
  customerId: string,
  iban: string,
  count: number,
): Promise<void> {
  const { firm_id } = await knex('customers').where({ id: customerId }).first('firm_id');
  await knex.raw(
    `insert into files (id, product, firm_id, customer_id, iban, currency, extension, year,
            statement_number, statement_date, file_name, processed_on, content_hash, is_delivered, upload_id,
            arrival)
     select substr(md5(:iban || n), 1, 24), 'CODA', :firm_id, :customerId, :iban, 'EUR', '', 2026, n,
            '2026-03-02', :iban || '_' || n || '.cod', now(), sha256((:iban || n)::bytea), true, '',
            coalesce((select latest from file_arrivals a
                       where a.firm_id = :firm_id and a.customer_id = :customerId
                         and a.product = 'CODA'), 0) + n
       from generate_series(1, :count::integer) n`,
    { firm_id, customerId, iban, count },
  );
  await countArrivals(knex);
}

export function filesOf(groups: readonly CodaCustomerGroup[]): CodaFile[] {
  return groups.flatMap(({ ibans }) => ibans.flatMap(({ files }) => files));
}

export async function listedIds(
  client: Client,
  request: ListCodaFilesRequest = {},
): Promise<string[]> {
  return filesOf(await client.codaFiles.list(request)).map(({ id }) => id);
}
