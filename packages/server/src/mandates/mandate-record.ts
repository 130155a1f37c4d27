import type { Mandate } from '@adx/contract';
import { columnsOf, type FieldSql, recordOf } from '../api/every-field.js';
import type { Listing, Records } from '../api/paging.js';
import { fragment } from '../api/sql-fragment.js';
import { formatBic } from '../identifiers/bic.js';
import { formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { type OperatorScope, type Scope, visibleMandates } from '../identity/principal.js';
import { type LifecycleStatus, lifecycleStatusSql, shownRenewals } from './lifecycle.js';

/** The fields of {@link mandateColumns} whose values are formatted. */
export interface MandateRow {
  readonly id: string;
  readonly enterpriseNumber: string;
  /** Null for a payroll provider, and for an account of an unknown bank. */
  readonly bic: string | null;
}

/**
 * The fields of both products, over mandates `m`, their customers `c` and {@link namesOfMandate}.
 * Those of the other product are null, as constraints ensure.
 */
const fields: FieldSql<Mandate> = {
  id: 'm.id',
  product: 'm.product',
  status: 'm.status',
  customerId: 'm.customer_id',
  customerName: 'c.name',
  enterpriseNumber: 'm.enterprise_number',
  iban: 'm.iban',
  bic: 'b.bic',
  bankName: 'b.name',
  connectorId: 'm.connector_id',
  validUntil: 'm.valid_until',
  renewal: `case m.status when 'finished' then case m.renewal_status ${Object.entries(shownRenewals)
    .map(([status, shown]) => `when '${status}' then '${shown}'`)
    .join(' ')} end end`,
  payrollProviderCode: 'm.payroll_provider_code',
  payrollProviderNameFr: 'p.name_fr',
  payrollProviderNameNl: 'p.name_nl',
  error: `case when m.error_code is not null and m.error_message is not null
               then json_build_object('code', m.error_code, 'message', m.error_message) end`,
  createdOn: 'm.created_on',
  updatedOn: 'm.updated_on',
};

export const mandateColumns = columnsOf<Mandate>(fields);

/** The joins that add the bank (D-17) or the payroll provider of a mandate `m`. */
export const namesOfMandate = `
  left join banks_by_code b on b.bank_code = m.bank_code
  left join payroll_providers p on p.code = m.payroll_provider_code`;

export function mandatesOf(scope: Scope): Records<MandateRow, Mandate> {
  return {
    from: 'mandates m join customers c on c.id = m.customer_id and c.firm_id = m.firm_id',
    visible: visibleMandates(scope),
    id: 'm.id',
    columns: fragment(mandateColumns),
    joins: fragment(namesOfMandate),
    toItem: toMandate,
  };
}

/** Returns a mandate as the interface shows it (§2.6, D-10). */
export function toMandate(row: MandateRow): Mandate {
  return recordOf<Mandate>(fields, {
    ...row,
    enterpriseNumber: formatEnterpriseNumber(row.enterpriseNumber),
    bic: row.bic && formatBic(row.bic),
  });
}

export type ListedMandate = Mandate & ListedFields;

/** The fields that only the operator sees. */
interface ListedFields {
  readonly firmId: string;
  /** Differs from the status if the renewal of a consent was offered (D-24). */
  readonly lifecycleStatus: LifecycleStatus;
  /** True if another firm had the account or number, or something was delivered before (D-66). */
  readonly isContested: boolean;
  /** The latest signature request. Mandates of the same request are in the same message. */
  readonly signatureRequestId?: string;
  readonly askedOn?: string;
  readonly closedOn?: string;
  /** The reason why the bank is not supported, by its present list, if the status says so. */
  readonly unsupportedBecause?: string;
}

const listedFields: FieldSql<ListedFields> = {
  firmId: 'm.firm_id',
  lifecycleStatus: lifecycleStatusSql,
  isContested: 'm.is_contested',
  signatureRequestId: 'm.signature_request_id',
  askedOn: 'r.created_on',
  closedOn: 'm.closed_on',
  unsupportedBecause: `case when m.status <> 'unsupportedBank' then null
    when m.iban not like 'BE%' then 'the account is not Belgian'
    when b.name is null then 'no bank has the code ' || substr(m.iban, 5, 3)
    when b.coda_supported or b.connector_id is not null
      then b.name || ' was not supported when the account was linked'
    else b.name || ' has no CODA files' end`,
};

export function listedMandatesOf(operator: OperatorScope): Listing<MandateRow, ListedMandate> {
  return {
    ...mandatesOf(operator),
    sort: ['m.firm_id', 'm.customer_name_sort'],
    direction: 'asc',
    columns: fragment(`${mandateColumns}, ${columnsOf<ListedFields>(listedFields)}`),
    joins: fragment(
      `${namesOfMandate} left join signature_requests r
         on r.id = m.signature_request_id and r.firm_id = m.firm_id`,
    ),
    toItem: (row) => ({ ...toMandate(row), ...recordOf<ListedFields>(listedFields, { ...row }) }),
  };
}
