import type { Customer, Mandate } from '@adx/contract';
import { newObjectId } from '../../packages/server/src/identifiers/object-id.js';
import { insertCodaFile, insertCodbFile } from '../../packages/server/test/support/files.js';
import { leadMandate } from '../support/lead-mandate.js';
import { everyField } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import {
  type NewTestUser,
  startTestService,
  type TestService,
  type TestServiceOptions,
  type TestUser,
} from '../support/test-service.js';
import { useStarted } from '../support/use-service.js';
import type { FileResource } from '../support/working-calls.js';

/** A customer with its mandates and files. The mandate of its bank account is `expired`. */
export interface KnownCustomer extends Customer {
  readonly mandates: readonly Mandate[];
  /** The id of one file of each product. */
  readonly files: Readonly<Record<FileResource, string>>;
}

/** The customers of a firm: one of each kind that some users may not see. */
export interface FirmCustomers {
  /** Assigned to the users who see only assigned customers. */
  readonly assigned: KnownCustomer;
  readonly unassigned: KnownCustomer;
  /** Confidential, and assigned to the same users as `assigned`. */
  readonly confidential: KnownCustomer;
  readonly archived: KnownCustomer;
}

/** A user, with the customers that the user may see, and those that must not appear. */
export interface Viewer {
  readonly name: string;
  readonly user: TestUser;
  readonly idToken: string;
  readonly visible: readonly KnownCustomer[];
  readonly hidden: Readonly<Record<string, KnownCustomer>>;
}

/** Two firms with the same customers and users, on one service. */
export interface TwoFirms {
  readonly service: TestService;
  readonly apiKey: string;
  readonly own: FirmCustomers;
  readonly other: FirmCustomers;
  readonly firmIds: { readonly own: string; readonly other: string };
  /** An administrator of the other firm. */
  readonly otherAdministrator: string;
  readonly viewers: readonly Viewer[];
}

/** The names of the viewers, which test titles need before the service has started. */
export const viewerNames = [
  'an administrator',
  'a user of all customers',
  'a user of assigned customers',
  'an administrator of assigned customers',
] as const;

/** Gives a test file a service with two firms. */
export const useTwoFirms = (options?: TestServiceOptions): TwoFirms =>
  useStarted(
    () => startTwoFirms(options),
    ({ service }) => service.close(),
  );

async function startTwoFirms(options?: TestServiceOptions): Promise<TwoFirms> {
  const service = await startTestService(options);
  const { key: apiKey } = await service.issueApiKey();
  const firm = () => service.createFirm(undefined, { codbUpload: true });
  const firmIds = { own: await firm(), other: await firm() };
  const own = await createCustomers(service, firmIds.own);
  const other = await createCustomers(service, firmIds.other);
  const assigned = [own.assigned.id, own.confidential.id];
  const elsewhere = {
    'a customer of the other firm': other.assigned,
    'a confidential customer of the other firm': other.confidential,
    'an archived customer of the other firm': other.archived,
    'an archived customer': own.archived,
  };
  const confidential = { 'a confidential customer': own.confidential };
  const unassigned = { 'a customer that is not assigned': own.unassigned };

  const viewer = async (
    name: string,
    access: Omit<NewTestUser, 'firmId'>,
    visible: readonly KnownCustomer[],
    hidden: Viewer['hidden'],
  ): Promise<Viewer> => {
    const user = await service.createUser({ firmId: firmIds.own, ...access });
    const idToken = await service.idToken(user);
    return { name, user, idToken, visible, hidden: { ...elsewhere, ...hidden } };
  };
  const [administrator, user, assignedUser, assignedAdministrator] = viewerNames;
  return {
    service,
    apiKey,
    own,
    other,
    firmIds,
    otherAdministrator: await service.idToken(await service.createUser({ firmId: firmIds.other })),
    viewers: [
      await viewer(administrator, {}, [own.assigned, own.unassigned, own.confidential], {}),
      await viewer(user, { access: 'user' }, [own.assigned, own.unassigned], confidential),
      await viewer(assignedUser, { access: 'user', customers: assigned }, [own.assigned], {
        ...confidential,
        ...unassigned,
      }),
      await viewer(
        assignedAdministrator,
        { customers: assigned },
        [own.assigned, own.confidential],
        unassigned,
      ),
    ],
  };
}

export function viewerOf({ viewers }: TwoFirms, name: string): Viewer {
  const viewer = viewers.find((each) => each.name === name);
  if (viewer === undefined) throw new Error(`There is no viewer ${name}`);
  return viewer;
}

async function createCustomers(service: TestService, firmId: string): Promise<FirmCustomers> {
  const client = await service.client(await service.createUser({ firmId }));
  // For each customer of one firm, the other has one with the same value in every filter that is
  // not unique.
  const create = async (accountingRef: string): Promise<KnownCustomer> => {
    const { address, contact } = everyField();
    const own = newObjectId();
    const customer = await client.customers.create(
      everyField({
        ...{ name: `Bakkerij ${accountingRef}`, accountingRef },
        address: { ...address, street: `Straat ${own}` },
        contact: { ...contact, name: `Jan ${own}`, email: `jan@${own}.example` },
        bankAccounts: [{ iban: newIban() }],
        payrollProviders: [{ code: 'sdworx' }],
      }),
    );
    const customerId = customer.id;
    const { records } = await client.mandates.search({ customerId, product: 'CODA' });
    for (const { id } of records) await leadMandate(service, id, 'expired');
    const [iban = ''] = customer.bankAccounts.map((account) => account.iban);
    // So that no filter of files finds those of all customers.
    const other = accountingRef === 'unassigned' && {
      ...{ statementNumber: 900, statementDate: '2019-01-02', processedOn: '2019-01-03' },
      ...{ currency: 'USD', payrollProvider: 'Partena', accountPeriod: 201901 },
    };
    const files = {
      codaFiles: await insertCodaFile(service.knex, customerId, { iban, ...other }),
      codbFiles: await insertCodbFile(service.knex, customerId, { ...other }),
    };
    await service.knex('missing_statements').insert({
      ...{ id: newObjectId(), firm_id: firmId, customer_id: customerId },
      ...{ iban, currency: 'EUR', extension: '' },
      ...{ kind: 'gap', from_number: 2, to_number: 3, after_date: '2026-03-02' },
      ...{ before_date: '2026-03-05', detected_on: new Date() },
    });
    return { ...customer, mandates: (await client.mandates.search({ customerId })).records, files };
  };
  const customers = {
    assigned: await create('assigned'),
    unassigned: await create('unassigned'),
    confidential: await create('confidential'),
    archived: await create('archived'),
  };
  await service
    .knex('customers')
    .where({ id: customers.confidential.id })
    .update({ is_confidential: true });
  await client.customers.archive(customers.archived.id);
  return customers;
}
