import { type OperationId, operations } from '@adx/contract';
import { type SpecSchema, spec } from '@adx/contract/spec';
import { insertCodaFile, insertCodbFile } from '../../packages/server/test/support/files.js';
import type { OperationCall } from './call-operation.js';
import { insertUpload } from './insert-upload.js';
import { leadMandate } from './lead-mandate.js';
import { newCustomer } from './new-customer.js';
import { newIban } from './numbers.js';
import type { TestService, TestUser } from './test-service.js';
import { bodySchema, resolved, wellFormedBody } from './well-formed.js';

/** A member of the client that has the files of a product. */
export type FileResource = Extract<
  (typeof operations)[OperationId]['client']['resource'],
  `${string}Files`
>;

/** The objects of a firm that calls can name. */
interface KnownObjects {
  readonly customerId: string;
  readonly mandateId: string;
  readonly uploadId: string;
  readonly iban: string;
  readonly code: string;
  /** Ids of files of the customer. Each call that names one takes it out. */
  readonly files: Readonly<Record<FileResource, string[]>>;
}

/** Creates a customer whose mandate can be requested, two files of each product, and an upload. */
export async function createKnownObjects(
  service: TestService,
  user: TestUser,
): Promise<KnownObjects> {
  const { knex } = service;
  const client = await service.client(user);
  const iban = newIban();
  const { id } = await client.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  const [mandate] = (await client.mandates.search({ customerId: id })).records;
  if (mandate === undefined) throw new Error('The customer has no mandate');
  await leadMandate(service, mandate.id, 'expired');
  return {
    ...{ customerId: id, mandateId: mandate.id, iban, code: 'sdworx' },
    uploadId: await insertUpload(knex, { userId: user.id }),
    files: {
      codaFiles: [
        await insertCodaFile(knex, id, { iban }),
        await insertCodaFile(knex, id, { iban }),
      ],
      codbFiles: [await insertCodbFile(knex, id), await insertCodbFile(knex, id)],
    },
  };
}

/** Returns the schema of the items that an operation lists; undefined if it is no list. */
export function listedItem(operationId: OperationId): SpecSchema | undefined {
  const { method, path } = operations[operationId];
  const response = spec.paths[path]?.[method]?.responses['200']?.content?.['application/json'];
  const { items, properties } = resolved(response?.schema ?? {});
  const item = items ?? properties?.['records']?.items;
  const { oneOf: [form] = [], ...schema } = resolved(item ?? {});
  return item && resolved(form ?? schema);
}

/** Returns true for an operation that could change data. */
export function isChange(operationId: OperationId): boolean {
  return operations[operationId].method !== 'get' && listedItem(operationId) === undefined;
}

/** All operations in an order in which each finds what it needs: those that read come first. */
export const operationsInOrder = (Object.keys(operations) as OperationId[]).toSorted(
  (one, other) => rank(one) - rank(other),
);

function rank(operationId: OperationId): number {
  if (!isChange(operationId)) return 0;
  if (operations[operationId].method !== 'delete') return 1;
  return operationId === 'archiveCustomer' ? 3 : 2;
}

/** Returns a call that succeeds and, if it is a change, has an effect. */
export function workingCall(operationId: OperationId, known: KnownObjects): OperationCall {
  const { method, body, client } = operations[operationId];
  const files: string[] = Reflect.get(known.files, client.resource) ?? [];
  const values: Record<string, () => unknown> = {
    customerId: () => known.customerId,
    mandateId: () => known.mandateId,
    uploadId: () => known.uploadId,
    iban: () => (method === 'delete' ? known.iban : newIban()),
    code: () => known.code,
    fileId: () => files.shift(),
    fileIds: () => [files.shift()],
  };
  const valuesOf = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = values[name]?.();
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const { pathParameters } = operations[operationId];
  const { properties = {} } = resolved(bodySchema(operationId) ?? {});
  return {
    path: valuesOf(pathParameters) as Record<string, string>,
    ...(body === 'required' && {
      body: {
        ...wellFormedBody(operationId, method === 'patch' ? 'every' : 'required'),
        ...valuesOf(Object.keys(properties).filter((name) => /Ids?$/.test(name))),
      },
    }),
  };
}
