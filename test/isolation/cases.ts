import { type OperationId, operations } from '@adx/contract';
import type { SpecSchema } from '@adx/contract/spec';
import type { OperationCall } from '../support/call-operation.js';
import { newIban } from '../support/numbers.js';
import {
  bodySchema,
  exampleOf,
  malformedBody,
  resolved,
  wellFormedBody,
} from '../support/well-formed.js';
import { type FileResource, listedItem } from '../support/working-calls.js';
import type { KnownCustomer } from './two-firms.js';

/**
 * Returns calls that concern a customer, its mandates or its files. Tests compare them with the
 * same calls for an unknown identifier.
 */
export type CallsAt = (customer: KnownCustomer) => readonly OperationCall[];

/** The ways in which an operation could show, change or confirm data that its user may not see. */
export type IsolationCase =
  /** It names a customer by `customerId`, a mandate by `mandateId`, or a file by `fileId`. */
  | { readonly kind: 'customer'; readonly parameter: keyof typeof targets; readonly calls: CallsAt }
  /**
   * It lists customers, files or mandates. Each call would find those of this customer if the user
   * could see it.
   */
  | { readonly kind: 'list'; readonly of: 'customers' | 'mandates'; readonly calls: CallsAt }
  /** Its answer is the same for all users, whatever any firm does. */
  | { readonly kind: 'same'; readonly calls: readonly OperationCall[] }
  /** It registers a customer. Its tests are in customers.test.ts. */
  | { readonly kind: 'create' }
  /** It concerns credentials only. Its tests are in credentials.test.ts. */
  | { readonly kind: 'credentials' }
  /** Its answer is about the firm. Its tests are in everyone.test.ts. */
  | { readonly kind: 'firm' }
  /** It acknowledges files of a product by their ids. Its tests are in everyone.test.ts. */
  | { readonly kind: 'acknowledgement'; readonly resource: FileResource }
  /** It shows uploads, which belong to users. Its tests are in own-records.test.ts. */
  | { readonly kind: 'uploads' }
  /** It shows the audit trail. Its tests are in own-records.test.ts. */
  | { readonly kind: 'auditTrail' };

/** The cases that do not follow from the spec. */
const special: Readonly<Partial<Record<OperationId, IsolationCase>>> = {
  getToken: { kind: 'credentials' },
  helloWorld: { kind: 'same', calls: [{}] },
  listPayrollProviders: { kind: 'same', calls: [{}, { body: { offset: 2, limit: 3 } }] },
  listBanks: { kind: 'same', calls: [{}, { body: { offset: 2, limit: 3 } }] },
  createCustomer: { kind: 'create' },
  acknowledgeCodaFiles: { kind: 'acknowledgement', resource: 'codaFiles' },
  acknowledgeCodbFiles: { kind: 'acknowledgement', resource: 'codbFiles' },
  getCodaUploadCredentials: { kind: 'firm' },
  getCodbUploadCredentials: { kind: 'firm' },
  listUploads: { kind: 'uploads' },
  getUpload: { kind: 'uploads' },
  listAuditEntries: { kind: 'auditTrail' },
};

/** The parameters that name what some users may not see. */
const targets = {
  customerId: ({ id }: KnownCustomer) => [id],
  mandateId: ({ mandates }: KnownCustomer) => mandates.map(({ id }) => id),
  fileId: ({ files }: KnownCustomer) => Object.values(files),
};
const targetNames = Object.keys(targets) as (keyof typeof targets)[];

function caseOf(operationId: OperationId): IsolationCase {
  const { pathParameters } = operations[operationId];
  const known = special[operationId];
  if (known !== undefined) return known;
  const parameter = targetNames.find((name) => pathParameters.some((each) => each === name));
  if (parameter !== undefined)
    return { kind: 'customer', parameter, calls: callsWith(operationId, parameter) };
  const { properties = {} } = listedItem(operationId) ?? {};
  if ('enterpriseNumber' in properties) {
    // Only a mandate has both an id and a customer.
    const of = 'id' in properties && 'customerId' in properties ? 'mandates' : 'customers';
    return { kind: 'list', of, calls: callsWithFilters(operationId) };
  }
  throw new Error(
    `The spec does not say whose data ${operationId} shows. Add it to \`special\` in test/isolation/cases.ts with its kind. If its answer depends on what the user may see, as a count does, add a kind with tests of its own, as for uploads.`,
  );
}

function callsWith(operationId: OperationId, parameter: keyof typeof targets): CallsAt {
  const others = operations[operationId].pathParameters.filter((name) => name !== parameter);
  return (customer) => {
    const { bankAccounts, payrollProviders } = customer;
    const bodies = bodiesAt(operationId, customer);
    const values: Readonly<Record<string, readonly string[]>> = {
      iban: [newIban(), 'BE00000000000000', ...bankAccounts.map(({ iban }) => iban)],
      code: ['partena', 'unknown', ...payrollProviders.map(({ code }) => code)],
    };
    const ids = targets[parameter](customer);
    const paths = others.reduce<Record<string, string>[]>(
      (before, name) =>
        before.flatMap((path) => (values[name] ?? []).map((value) => ({ ...path, [name]: value }))),
      [...ids, ...ids.map((id) => id.toUpperCase())].map((id) => ({ [parameter]: id })),
    );
    return paths.flatMap((path) => bodies.map((body) => ({ path, body })));
  };
}

/** Returns bodies with one field each, which the spec gives or the customer has, or with none. */
function bodiesAt(operationId: OperationId, customer: KnownCustomer): (object | undefined)[] {
  if (operations[operationId].body === 'none') return [undefined];
  const examples = Object.entries(wellFormedBody(operationId, 'every'));
  const own = examples.flatMap(([name]) => {
    const value = Reflect.get(customer, name);
    return value === undefined ? [] : { [name]: value };
  });
  const bodies = examples.map(([name, value]) => ({ [name]: value }));
  return [{}, ...bodies, ...own, malformedBody(operationId)];
}

/** Returns calls without a filter, and with each filter of the list and value for it. */
function callsWithFilters(operationId: OperationId): CallsAt {
  const filters = Object.entries(resolved(bodySchema(operationId) ?? {}).properties ?? {});
  return (customer) => [
    {},
    ...filters.flatMap(([name, schema]) =>
      valuesOf(name, resolved(schema), customer).map((value) => ({ body: { [name]: value } })),
    ),
  ];
}

function valuesOf(name: string, schema: SpecSchema, customer: KnownCustomer): readonly unknown[] {
  const { id, enterpriseNumber, bankAccounts, mandates, files: _, ...fields } = customer;
  const known: Readonly<Record<string, readonly unknown[]>> = {
    customerId: [id],
    enterpriseNumber: [enterpriseNumber],
    iban: bankAccounts.map(({ iban }) => iban),
    customer: [fields.name],
    search: [
      'bakkerij',
      enterpriseNumber,
      enterpriseNumber.replaceAll('.', ''),
      fields.name,
      fields.accountingRef,
    ],
    updatedSince: mandates.map(({ updatedOn }) => updatedOn),
    limit: [1],
    offset: [1],
  };
  const own: unknown = Reflect.get(fields, name);
  if (schema.type === 'boolean') return [true, false];
  if (own !== undefined) return [own, ...(schema.enum ?? [])];
  const list = schema.oneOf?.map(resolved).find(({ items }) => items !== undefined);
  const several = resolved(list?.items ?? {}).enum;
  const values = known[name] ?? schema.enum ?? several?.map((value) => [value]);
  return values ?? [exampleOf(schema, 'every', name)];
}

/** The case of every operation. */
export const cases = Object.fromEntries(
  (Object.keys(operations) as OperationId[]).map((id) => [id, caseOf(id)]),
) as Readonly<Record<OperationId, IsolationCase>>;

export function casesOf<Kind extends IsolationCase['kind']>(kind: Kind) {
  return Object.entries(cases)
    .filter((entry): entry is [OperationId, Extract<IsolationCase, { kind: Kind }>] => {
      return entry[1].kind === kind;
    })
    .map(([operationId, each]) => ({ ...each, operationId }));
}
