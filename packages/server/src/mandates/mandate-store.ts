import type { Mandate, SearchMandatesRequest } from '@adx/contract';
import type { Knex } from 'knex';
import { noFieldLeft } from '../api/every-field.js';
import { type Listing, type Page, type Paging, readPage, readRecord } from '../api/paging.js';
import { condition, fragment, isOneOf, type SqlFragment } from '../api/sql-fragment.js';
import { inTransaction } from '../db/transaction.js';
import { normaliseEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { normaliseIban } from '../identifiers/iban.js';
import { storedId } from '../identifiers/object-id.js';
import type { Principal } from '../identity/principal.js';
import type { Author } from '../identity/request-context.js';
import { type ReadsOf, readsFrom } from '../replica/replica.js';
import { mandatesOf } from './mandate-record.js';
import { type NotRequestable, requestAgain } from './signing/signature-requests.js';

/** A search of mandates, with its instant parsed. */
export type MandateSearch = Omit<SearchMandatesRequest, 'updatedSince'> & {
  readonly updatedSince?: Date;
};

export type MandateStore = ReturnType<typeof createMandateStore>;

export function createMandateStore(
  knex: Knex,
  now: () => Date = () => new Date(),
  readsOf: ReadsOf = readsFrom(knex),
) {
  return {
    get: (principal: Principal, id: string) => find(knex, principal, id),

    search(principal: Principal, request: MandateSearch, paging: Paging): Promise<Page<Mandate>> {
      const listing = { ...mandatesOf(principal), ...orderOf(request) };
      const options = { totals: 'inOnePass', isCommon: isCommon(request) } as const;
      return readsOf(principal.firmId)((run) =>
        readPage(run, listing, mandateFilters(request), paging, options),
      );
    },

    /** Asks the contact again to sign. Returns undefined if the principal sees no such mandate. */
    request: (
      { principal, record }: Author,
      id: string,
      run: Knex = knex,
    ): Promise<Mandate | undefined | NotRequestable> =>
      inTransaction(run, async (trx) => {
        const outcome = await requestAgain(trx, principal, id, now());
        if (outcome === 'notFound') return undefined;
        if (outcome !== 'requested') return outcome;
        const requested = await find(trx, principal, id);
        await record(trx, { customerId: requested?.customerId });
        return requested;
      }),
  };
}

/** Returns true for searches that callers repeat: the first page, and the latest changes. */
function isCommon({ sort, sortDirection, limit, offset, ...filters }: MandateSearch): boolean {
  const { updatedSince, includeFinished, ...others } = filters;
  const isUsualOrder = sort === 'createdOn' || sort === 'updatedOn';
  return isUsualOrder && Object.values(others).every((value) => value === undefined);
}

const find = (run: Knex, principal: Principal, id: string) =>
  readRecord(run, mandatesOf(principal), id);

/** Returns the conditions of *Search mandates* (§4.15, D-10) over `mandates m`. */
function mandateFilters(request: MandateSearch): SqlFragment[] {
  const { customerId, enterpriseNumber, iban, payrollProviderCode, product, ...others } = request;
  const { status, includeFinished, updatedSince, ...orderAndPage } = others;
  const { sort, sortDirection, limit, offset, ...rest } = orderAndPage;
  noFieldLeft(rest);
  return [
    ...condition('m.customer_id = ?', customerId && storedId(customerId)),
    ...condition(
      'm.enterprise_number = ?',
      enterpriseNumber && normaliseEnterpriseNumber(enterpriseNumber),
    ),
    ...condition('m.iban = ?', iban && normaliseIban(iban)),
    ...condition('m.payroll_provider_code = ?', payrollProviderCode),
    ...condition('m.product = ?', product),
    ...(status === undefined ? [] : [isOneOf('m.status', [status].flat())]),
    ...(includeFinished ? [] : [fragment("m.status <> 'finished'")]),
    // Few mandates have changed since then. Without the end, PostgreSQL would expect a third of
    // them, and plan each call anew, which takes as long as the call.
    ...condition(
      "m.updated_on >= ?::timestamptz and m.updated_on < 'infinity'",
      updatedSince?.toISOString(),
    ),
  ];
}

type Sort = NonNullable<SearchMandatesRequest['sort']>;

/** The sort columns. Each has an index that returns a page in its order (§4.15). */
const columns: Readonly<Record<Sort, string>> = {
  createdOn: 'created_on',
  updatedOn: 'updated_on',
  customerName: 'customer_name_sort',
  customerEnterpriseNumber: 'enterprise_number',
  ibanNumber: 'iban',
  status: 'status',
  bankName: 'bank_name_sort',
  payrollProviderCode: 'payroll_provider_code',
};

/**
 * Returns the order of a list: ascending for `asc`, descending for any other direction (§4.15), and
 * mandates with the same value in the order of their ids, in the same direction (D-10). Mandates
 * without a value come last in ascending and first in descending order, as in PostgreSQL.
 */
function orderOf({
  sort,
  sortDirection,
}: MandateSearch): Pick<Listing<never, never>, 'sort' | 'direction'> {
  if (sort === undefined) throw new Error('The validator did not set the default of sort');
  return {
    sort: [`m.${columns[sort]}`],
    direction: sortDirection === 'asc' ? 'asc' : 'desc',
  };
}
