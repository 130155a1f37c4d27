import type {
  ListBanksRequest,
  ListCodaFilesRequest,
  SearchCustomersRequest,
  SearchMandatesRequest,
} from '@adx/contract';
import {
  createCustomerMandates,
  createCustomerStore,
  createFileStore,
  createMandateStore,
  createPresign,
  createReferenceStore,
} from '@adx/server';
import type { Knex } from 'knex';
import type { Caller } from '../../../../packages/server/src/identity/request-context.js';

export type Reads = ReturnType<typeof createReads>;

/** Creates the reads that all peers share: the SQL of the service, with its answers collected. */
export function createReads(
  knex: Knex,
  storage: { readonly endpoint: string; readonly keys: Parameters<typeof createPresign>[2] },
) {
  const customers = createCustomerStore(knex, createCustomerMandates());
  const mandates = createMandateStore(knex);
  const reference = createReferenceStore(knex);
  const files = createFileStore({
    knex,
    presign: createPresign(`${storage.endpoint}/adx-files`, 'us-east-1', storage.keys),
    printFiles: async () => new Set(),
    now: () => new Date(),
  });
  return {
    getCustomer: ({ principal }: Caller, id: string): Promise<unknown> =>
      customers.get(principal, id),

    async listCustomers({ principal }: Caller): Promise<unknown> {
      const all = [];
      for await (const customer of customers.list(principal)) all.push(customer);
      return all;
    },

    searchCustomers: ({ principal }: Caller, body: SearchCustomersRequest): Promise<unknown> =>
      customers.search(principal, body, pageOf(body)),

    searchMandates({ principal }: Caller, body: SearchMandatesRequest): Promise<unknown> {
      const { updatedSince, ...search } = body;
      const since = updatedSince === undefined ? {} : { updatedSince: new Date(updatedSince) };
      return mandates.search(principal, { sort: 'createdOn', ...search, ...since }, pageOf(body));
    },

    listBanks: (body: ListBanksRequest): Promise<unknown> => reference.banks(pageOf(body)),

    listCodaFiles: (caller: Caller, body: ListCodaFilesRequest): Promise<unknown> =>
      whole(files.listCoda(caller, body)),
  };
}

/** Fills in the defaults, because `bare` has no validator that would. */
function pageOf({ limit = 50, offset = 0 }: { readonly limit?: number; readonly offset?: number }) {
  return { limit: Math.min(limit, 200), offset };
}

/** Collects all parts of a streamed value. */
async function whole(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Symbol.asyncIterator in value) {
    const items = [];
    for await (const item of value as AsyncIterable<unknown>) items.push(await whole(item));
    return items;
  }
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'object' && Symbol.asyncIterator in part) {
      Object.assign(value, { [name]: await whole(part) });
    }
  }
  return value;
}
