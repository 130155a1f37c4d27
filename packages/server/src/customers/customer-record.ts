import type { BankAccount, Customer } from '@adx/contract';
import { type EveryField, omitAbsent } from '../api/every-field.js';
import { formatBic } from '../identifiers/bic.js';
import { formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import {
  type CustomerColumns,
  columnsOfCustomer,
  type StoredColumn,
  storedFields,
} from './customer-columns.js';

/** An active bank account, as {@link bankAccountJson} builds it. */
export interface BankAccountRecord {
  readonly iban: string;
  readonly currency: string;
  readonly bic: string | null;
  readonly bankName: string | null;
  readonly connectorId: number | null;
}

/** A customer as {@link customerColumnsOf} selects it. */
export interface CustomerRecord extends CustomerColumns {
  readonly id: string;
  readonly enterprise_number: string;
  readonly is_confidential: boolean;
  readonly created_on: Date;
  readonly updated_on: Date;
  readonly bank_accounts: readonly BankAccountRecord[];
  readonly payroll_providers: Customer['payrollProviders'];
}

/** SQL for bank accounts `a` with their banks `b` and mandates `m`. */
export const accountsWithBanks = `bank_accounts a
  left join banks_by_code b on b.bank_code = a.bank_code
  left join mandates m on m.bank_account_id = a.id and m.firm_id = a.firm_id`;

/**
 * A bank account (§2.2), over {@link accountsWithBanks}. Its connector is that of its mandate: a
 * bank that gets or loses one later changes only accounts that are linked from then on (D-24).
 */
export const bankAccountJson = `json_build_object(
  'iban', a.iban, 'currency', a.currency, 'bic', b.bic, 'bankName', b.name, 'connectorId', m.connector_id)`;

/** SQL for a payroll provider `p` as JSON (§2.3). */
export const payrollProviderJson = `json_build_object('code', p.code, 'nameFr', p.name_fr, 'nameNl', p.name_nl)`;

const linksOf = (firmId: '?' | ':firmId') => ({
  bank_accounts: `
    select coalesce(json_agg(${bankAccountJson} order by a.id), '[]')
      from ${accountsWithBanks}
     where a.customer_id = c.id and a.firm_id = ${firmId} and a.disabled_on is null`,
  payroll_providers: `
    select coalesce(json_agg(${payrollProviderJson} order by l.id), '[]')
      from customer_payroll_providers l join payroll_providers p on p.code = l.code
     where l.customer_id = c.id and l.firm_id = ${firmId} and l.removed_on is null`,
});

/**
 * Returns the SQL for the columns of a {@link CustomerRecord}, over `customers c`.
 *
 * @param firmId - stands in the SQL twice
 */
export function customerColumnsOf(firmId: '?' | ':firmId'): string {
  const links = Object.entries(linksOf(firmId)).map(([name, sql]) => `(${sql}) as ${name}`);
  return [...columnsOfCustomer.map((column) => `c.${column}`), ...links].join(', ');
}

/**
 * The new `updated_on` of `customers c`, never earlier than that of an earlier change. `now()`
 * could be earlier: it is the start of the transaction, which may have waited for another change
 * since.
 */
export const nextUpdate = 'greatest(statement_timestamp(), c.updated_on)';

/** The fields of a customer itself that partners write. */
type OwnFields = Pick<Customer, keyof typeof storedFields.customer>;

const own = reader<OwnFields>(storedFields.customer);
const address = reader<Customer['address']>(storedFields.address);
const contact = reader<Customer['contact']>(storedFields.contact);

/** Returns a customer in the form of §2.1, without the fields that have no value. */
export function toCustomer(record: CustomerRecord): Customer {
  return omitAbsent<Customer>({
    id: record.id,
    enterpriseNumber: formatEnterpriseNumber(record.enterprise_number),
    ...own(record),
    address: omitAbsent(address(record)),
    contact: omitAbsent(contact(record)),
    isConfidential: record.is_confidential,
    bankAccounts: record.bank_accounts.map(toBankAccount),
    payrollProviders: record.payroll_providers,
    createdOn: record.created_on.toISOString(),
    updatedOn: record.updated_on.toISOString(),
  });
}

/** Returns the function that reads fields from their columns. */
function reader<Fields>(columns: { readonly [Name in keyof Required<Fields>]: StoredColumn }) {
  const pairs = Object.entries<StoredColumn>(columns);
  return (record: CustomerRecord): EveryField<Fields> => {
    const valueIn = (column: string): unknown => Reflect.get(record, column) ?? undefined;
    const fields = pairs.map(([name, { column }]) => [name, valueIn(column)] as const);
    return Object.fromEntries(fields) as EveryField<Fields>;
  };
}

/** Returns a bank account in the form of §2.2. */
export function toBankAccount(record: BankAccountRecord): BankAccount {
  return omitAbsent<BankAccount>({
    iban: record.iban,
    currency: record.currency,
    bic: record.bic === null ? undefined : formatBic(record.bic),
    bankName: record.bankName ?? undefined,
    connectorId: record.connectorId ?? undefined,
  });
}
