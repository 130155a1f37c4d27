import type { CreateCustomerRequest, Customer, UpdateCustomerRequest } from '@adx/contract';

export interface StoredColumn {
  readonly column: string;
  /** An empty string clears it (D-14). */
  readonly isOptional?: true;
  /** True for a name, which erasing a customer looks for, also in its former values (D-63). */
  readonly isName?: true;
  /** A transfer to another firm does not copy it (D-48). */
  readonly staysBehind?: true;
}

type OptionalOf<Shown> = {
  [Field in keyof Shown]-?: Record<never, never> extends Pick<Shown, Field> ? Field : never;
}[keyof Shown];

/**
 * A column for each field that partners write. It is optional if a customer may lack the field.
 */
type Part<Fields, Shown> = {
  readonly [Field in keyof Required<Fields>]: Field extends OptionalOf<Shown>
    ? StoredColumn & { readonly isOptional: true }
    : StoredColumn & { readonly isOptional?: never };
};

type Written = UpdateCustomerRequest &
  Omit<CreateCustomerRequest, 'enterpriseNumber' | 'bankAccounts' | 'payrollProviders'>;

/**
 * The only list of the fields that partners write. A field of the spec without a column does not
 * compile, and neither does a column that is optional where its field is not, or the reverse.
 */
export const storedFields = {
  customer: {
    name: { column: 'name', isName: true },
    accountingRef: { column: 'accounting_ref', isOptional: true, staysBehind: true },
  },
  address: {
    street: { column: 'street' },
    street2: { column: 'street2', isOptional: true },
    zipCode: { column: 'zip_code' },
    municipality: { column: 'municipality' },
    country: { column: 'country' },
  },
  contact: {
    name: { column: 'contact_name', isName: true },
    function: { column: 'contact_function' },
    email: { column: 'contact_email', isName: true },
    language: { column: 'contact_language' },
  },
} as const satisfies {
  readonly customer: Part<Omit<Written, 'address' | 'contact'>, Customer>;
  readonly address: Part<Written['address'], Customer['address']>;
  readonly contact: Part<Written['contact'], Customer['contact']>;
};

/** The columns of fields of `Body`, each with the type of its field, or null without a value. */
type ColumnsOf<Body, Fields extends { readonly [Name in keyof Fields]: StoredColumn }> = {
  readonly [Name in keyof Fields & keyof Body as Fields[Name]['column']]:
    | NonNullable<Body[Name]>
    | (Fields[Name] extends { readonly isOptional: true } ? null : never);
};

export type CustomerColumns = ColumnsOf<Customer, typeof storedFields.customer> &
  ColumnsOf<Customer['address'], typeof storedFields.address> &
  ColumnsOf<Customer['contact'], typeof storedFields.contact>;

const fieldColumns: readonly StoredColumn[] = Object.values(storedFields).flatMap((part) =>
  Object.values<StoredColumn>(part),
);

/** The columns of each customer that the interface shows, besides its fields. */
const shownColumns: readonly StoredColumn[] = [
  { column: 'id', staysBehind: true },
  { column: 'enterprise_number' },
  { column: 'is_confidential' },
  { column: 'created_on', staysBehind: true },
  { column: 'updated_on', staysBehind: true },
];

const hiddenColumns: readonly StoredColumn[] = [
  { column: 'firm_id', staysBehind: true },
  { column: 'archived_on', staysBehind: true },
  { column: 'transferred_to', staysBehind: true },
  { column: 'transfer_agreed_by', staysBehind: true, isName: true },
];

const all = [...shownColumns, ...fieldColumns, ...hiddenColumns];
const namesOf = (columns: readonly StoredColumn[]) => columns.map(({ column }) => column);

/** All columns of `customers`, except for those that PostgreSQL generates. */
export const storedColumns = namesOf(all);

/** The columns that a customer in the form of §2.1 needs. */
export const columnsOfCustomer = namesOf([...shownColumns, ...fieldColumns]);

/** The columns that a transfer copies. A confidential customer stays confidential. */
export const transferredColumns = namesOf(all.filter(({ staysBehind }) => !staysBehind));

export const nameColumns = namesOf(all.filter(({ isName }) => isName));
