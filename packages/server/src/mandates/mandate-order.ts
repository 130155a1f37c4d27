import type { SearchMandatesRequest } from '@adx/contract';

type Sort = NonNullable<SearchMandatesRequest['sort']>;

/** What each sort of §4.15 orders by: a column of `mandates` with an index that is walked. */
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

/** The order of a page. */
export interface MandateOrder {
  /** Of `mandates`. */
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** The order that a search asks for; any direction but `asc` is descending (§4.15). */
export function mandateOrder({ sort, sortDirection }: SearchMandatesRequest): MandateOrder {
  if (sort === undefined) throw new Error('The validator did not fill in the default of sort');
  return { column: columns[sort], direction: sortDirection === 'asc' ? 'asc' : 'desc' };
}

/**
 * Orders by a value and, where it is the same, by the id in the same direction (D-10). Mandates
 * without a value come last ascending and first descending, which is how the database orders nulls.
 */
export function orderBy(value: string, id: string, { direction }: MandateOrder): string {
  return `order by ${value} ${direction}, ${id} ${direction}`;
}
