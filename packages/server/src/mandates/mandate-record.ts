import type { CodaMandate, CodbMandate, Mandate, MandateError } from '@adx/contract';
import { omitAbsent } from '../api/every-field.js';
import type { SqlFragment } from '../api/sql-fragment.js';
import { formatBic } from '../identifiers/bic.js';
import { formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { type Principal, visibleCustomers } from '../identity/principal.js';
import { type RenewalStatus, shownRenewals } from './lifecycle.js';

/** The columns of both products. */
interface AnyRecord {
  readonly id: string;
  readonly customer_id: string;
  readonly customer_name: string;
  readonly enterprise_number: string;
  readonly error_code: MandateError['code'] | null;
  readonly error_message: string | null;
  readonly created_on: Date;
  readonly updated_on: Date;
}

export interface CodaRecord extends AnyRecord {
  readonly product: 'CODA';
  readonly status: CodaMandate['status'];
  readonly iban: string;
  readonly bic: string | null;
  readonly bank_name: string | null;
  readonly connector_id: number | null;
  readonly valid_until: string | null;
  readonly renewal_status: RenewalStatus | null;
}

interface CodbRecord extends AnyRecord {
  readonly product: 'CODB';
  readonly status: CodbMandate['status'];
  readonly payroll_provider_code: string;
  readonly name_fr: string;
  readonly name_nl: string;
}

/** A mandate as {@link mandateColumns} selects it. Constraints ensure that each product has its columns. */
export type MandateRecord = CodaRecord | CodbRecord;

/** The columns of a {@link MandateRecord}, from mandates `m` with `customer_name`, and {@link namesOfMandate}. */
export const mandateColumns = `
  m.id, m.product, m.status, m.customer_id, m.customer_name, m.enterprise_number,
  m.iban, b.bic, b.name as bank_name, m.connector_id, m.valid_until, m.renewal_status,
  m.payroll_provider_code, p.name_fr, p.name_nl,
  m.error_code, m.error_message, m.created_on, m.updated_on`;

/** The joins that add the bank (D-17) or the payroll provider of a mandate `m`. */
export const namesOfMandate = `
  left join banks_by_code b on b.bank_code = m.bank_code
  left join payroll_providers p on p.code = m.payroll_provider_code`;

/** Returns a mandate as the interface shows it (§2.6, D-10): fields without a value are omitted. */
export function toMandate(record: MandateRecord): Mandate {
  return record.product === 'CODA' ? toCodaMandate(record) : toCodbMandate(record);
}

function toCodaMandate(record: CodaRecord): CodaMandate {
  return omitAbsent<CodaMandate>({
    id: record.id,
    product: record.product,
    status: record.status,
    ...customerFields(record),
    iban: record.iban,
    bic: record.bic === null ? undefined : formatBic(record.bic),
    bankName: record.bank_name ?? undefined,
    connectorId: record.connector_id ?? undefined,
    validUntil: record.valid_until ?? undefined,
    renewal: renewalOf(record),
    error: errorOf(record),
    ...times(record),
  });
}

function renewalOf({ status, renewal_status }: CodaRecord): CodaMandate['renewal'] {
  return status === 'finished' && renewal_status !== null
    ? shownRenewals[renewal_status]
    : undefined;
}

function toCodbMandate(record: CodbRecord): CodbMandate {
  return omitAbsent<CodbMandate>({
    id: record.id,
    product: record.product,
    status: record.status,
    ...customerFields(record),
    payrollProviderCode: record.payroll_provider_code,
    payrollProviderNameFr: record.name_fr,
    payrollProviderNameNl: record.name_nl,
    error: errorOf(record),
    ...times(record),
  });
}

function customerFields(record: AnyRecord) {
  return {
    customerId: record.customer_id,
    customerName: record.customer_name,
    enterpriseNumber: formatEnterpriseNumber(record.enterprise_number),
  };
}

function errorOf({ error_code: code, error_message: message }: AnyRecord) {
  return code === null || message === null ? undefined : { code, message };
}

function times({ created_on, updated_on }: AnyRecord) {
  return { createdOn: created_on.toISOString(), updatedOn: updated_on.toISOString() };
}

/**
 * Returns the `from` and `where` clauses for the mandates `m` that the principal may see, with their
 * customers `c`: the open mandates of visible customers. Further conditions may follow.
 */
export function visibleMandates(principal: Principal): SqlFragment {
  const { sql, bindings } = visibleCustomers(principal);
  return {
    sql: `from mandates m join customers c on c.id = m.customer_id and c.firm_id = m.firm_id
         where m.closed_on is null and ${sql}`,
    bindings,
  };
}
