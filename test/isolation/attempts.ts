import type { OperationId } from '@adx/contract';
import { createApiKeyStore } from '@adx/server';
import { transferCustomer } from '../../packages/server/src/customers/transfer-customer.js';
import { operatorScope } from '../../packages/server/src/identity/operator-scope.js';
import { createCustomerMandates } from '../../packages/server/src/mandates/customer-mandates.js';
import { seededRandom } from '../../packages/server/test/support/seeded-random.js';
import { callOperation, type OperationCall } from '../support/call-operation.js';
import { insertUpload } from '../support/insert-upload.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { snapshot } from '../support/snapshot.js';
import { isChange } from '../support/working-calls.js';
import { cases } from './cases.js';
import { type KnownCustomer, type TwoFirms, viewerNames, viewerOf } from './two-firms.js';

interface Role {
  readonly name: string;
  readonly idToken: string;
  readonly apiKey: string;
  /** Every call is refused. */
  readonly isRefused?: boolean;
}

/** A customer to aim at, and the names of the roles that see it. */
interface Target {
  readonly customer: KnownCustomer;
  readonly seenBy: readonly string[];
}

/** A value that only some roles may see. */
interface Secret {
  readonly value: string;
  readonly seenBy: readonly string[];
}

/** The firms with all roles. It says itself what each role sees, without asking the service. */
interface World {
  readonly firms: TwoFirms;
  readonly roles: readonly Role[];
  readonly targets: readonly Target[];
  readonly uploads: readonly Secret[];
  readonly secrets: readonly Secret[];
}

interface Attempt {
  readonly role: Role;
  readonly operationId: OperationId;
  readonly call: OperationCall;
  /** True if it names what the role may not see. */
  readonly isHidden?: boolean;
}

/** Adds all roles to two firms, and transfers a customer of the other firm to the own one. */
export async function createWorld(firms: TwoFirms): Promise<World> {
  const { service, apiKey, own, other } = firms;
  const { knex } = service;

  const moved = other.unassigned;
  const transfer = await transferCustomer(knex, operatorScope(), createCustomerMandates(), {
    ...{ customerId: moved.id, toFirmId: firms.firmIds.own, agreedBy: 'Jan Peeters' },
  });
  if (typeof transfer === 'string') throw new Error(transfer);
  const { id } = transfer.transferredTo;
  const newMandates = await knex('mandates').where({ customer_id: id }).pluck<string[]>('id');

  const all = ['an administrator', 'a user of all customers'];
  const atOther = ['an administrator of the other firm'];
  const nobody: readonly string[] = [];
  const seenBy = ({ id }: KnownCustomer) =>
    firms.viewers.flatMap((viewer) =>
      viewer.visible.some((each) => each.id === id) ? viewer.name : [],
    );
  const targets: Target[] = [
    ...Object.values(own).map((customer) => ({ customer, seenBy: seenBy(customer) })),
    ...[other.assigned, other.confidential].map((customer) => ({ customer, seenBy: atOther })),
    { customer: other.archived, seenBy: nobody },
    { customer: moved, seenBy: nobody },
    { customer: { ...moved, id }, seenBy: all },
  ];
  const uploads = await createUploads(firms);
  const secretsOf = (values: readonly string[], seenBy: readonly string[]) =>
    values.map((value) => ({ value, seenBy }));
  const secrets = [
    ...targets
      .filter(({ customer }) => ![moved.id, id].includes(customer.id))
      .flatMap(({ customer, seenBy }) => secretsOf(valuesOf(customer), seenBy)),
    // Its files stay with the former firm, and only there (D-48).
    ...secretsOf([moved.id, ...Object.values(moved.files)], atOther),
    ...secretsOf(
      moved.mandates.map((mandate) => mandate.id),
      nobody,
    ),
    ...secretsOf([id, ...newMandates], all),
    ...secretsOf(detailsOf(moved), [...all, ...atOther]),
    ...uploads,
  ];
  return { firms, roles: await createRoles(firms, apiKey), targets, uploads, secrets };
}

/** Adds an upload of each user, if possible with a file that the user does not see. */
async function createUploads(firms: TwoFirms): Promise<Secret[]> {
  const { service, own, other, firmIds } = firms;
  const { knex } = service;
  const uploads: Secret[] = [];
  const add = async (userId: string, { files }: KnownCustomer, seenBy: readonly string[]) => {
    uploads.push({ value: await insertUpload(knex, { userId, files: [files.codaFiles] }), seenBy });
  };
  const customers: Readonly<Record<(typeof viewerNames)[number], KnownCustomer>> = {
    'an administrator': own.assigned,
    'a user of all customers': own.confidential,
    'a user of assigned customers': own.unassigned,
    'an administrator of assigned customers': own.archived,
  };
  for (const name of viewerNames) {
    const seenBy = [...new Set(['an administrator', name])];
    await add(viewerOf(firms, name).user.id, customers[name], seenBy);
  }
  const stranger = await knex('users').where({ firm_id: firmIds.other }).first('id');
  await add(stranger.id, other.assigned, ['an administrator of the other firm']);
  return uploads;
}

async function createRoles(firms: TwoFirms, apiKey: string): Promise<Role[]> {
  const { service, firmIds } = firms;
  const { knex } = service;
  const signIn = async (change: object) => {
    const user = await service.createUser({ firmId: firmIds.own });
    const idToken = await service.idToken(user);
    await knex('users').where({ id: user.id }).update(change);
    return { idToken, apiKey, isRefused: true };
  };
  const { idToken } = viewerOf(firms, 'an administrator');
  const keys = createApiKeyStore(knex);
  const revoked = await service.issueApiKey();
  await keys.revoke(revoked.id);
  const scopes = ['customers:read', 'mandates:read', 'files:read'] as const;
  const elsewhere = await keys.issue({ partner: 'Another partner', scopes: [...scopes] });
  return [
    ...firms.viewers.map(({ name, idToken }) => ({ name, idToken, apiKey })),
    { name: 'an administrator of the other firm', idToken: firms.otherAdministrator, apiKey },
    { name: 'a user of the portal', ...(await signIn({ access_level: 'portalOnly' })) },
    { name: 'a disabled user', ...(await signIn({ disabled_on: new Date() })) },
    { name: 'a revoked key', idToken, apiKey: revoked.key, isRefused: true },
    { name: 'another partner', idToken, apiKey: elsewhere.key, isRefused: true },
  ];
}

/** Makes calls of all roles and operations, at all customers, and returns what crossed. */
export async function attempt(world: World, count: number, seed: number) {
  const { firms, roles, secrets } = world;
  const random = seededRandom(seed);
  const before = await snapshot(firms.service);
  const leaks: string[] = [];
  /**
   * The texts of the calls of each role. The audit trail repeats the identifiers in them, so these
   * are no leaks there. The customers were created by the administrators of their firms.
   */
  const askedBy = new Map(roles.map(({ name }) => [name, '']));
  askedBy.set('an administrator', JSON.stringify(Object.values(firms.own)));
  askedBy.set('an administrator of the other firm', JSON.stringify(Object.values(firms.other)));
  let shown = 0;
  let queue: Attempt[] = [];
  for (let made = 0; made < count; made += 1) {
    if (queue.length === 0) queue = attemptsAt(world);
    const [next] = queue.splice(Math.floor(random() * queue.length), 1);
    if (next === undefined) break;
    const { role, operationId, call } = next;
    const { idToken, apiKey } = role;
    const answer = await callOperation(firms.service, operationId, { idToken, apiKey, ...call });
    const name = `${role.name}: ${operationId} ${JSON.stringify(call)}`;
    // A refresh token that is not valid has another status, and needs no user.
    const isForUsers = cases[operationId].kind !== 'credentials';
    if (role.isRefused && isForUsers && ![401, 403].includes(answer.status))
      leaks.push(`${name}: ${answer.status}`);
    if (next.isHidden && answer.status === 200) leaks.push(`${name}: 200`);
    const inCall = undotted(JSON.stringify(call)).toLowerCase();
    askedBy.set(role.name, `${askedBy.get(role.name)}${inCall}`);
    const asked =
      operationId === 'listAuditEntries'
        ? readableCallers(role, roles)
            .map((caller) => askedBy.get(caller))
            .join('')
        : inCall;
    const text = undotted(answer.text);
    for (const { value, seenBy } of secrets) {
      if (!text.includes(undotted(value)) || asked.includes(undotted(value).toLowerCase()))
        continue;
      if (seenBy.includes(role.name)) shown += 1;
      else leaks.push(`${name}: ${value}`);
    }
  }
  const after = await snapshot(firms.service);
  const changed = Object.keys(before)
    .filter((table) => before[table] !== after[table])
    // A user may have upload credentials.
    .filter((table) => table !== 'public.upload_grants');
  return { leaks, changed, shown };
}

function readableCallers({ name }: Role, roles: readonly Role[]): string[] {
  const names = roles.map((role) => role.name);
  const ofFirm = names.filter((each) => each !== 'an administrator of the other firm');
  return name === 'an administrator' ? ofFirm : [name];
}

function attemptsAt({ roles, targets, uploads, secrets }: World): Attempt[] {
  const seesFiles = (role: Role, { files }: KnownCustomer) =>
    secrets.some(({ value, seenBy }) => value === files.codaFiles && seenBy.includes(role.name));
  return roles.flatMap((role) => [
    ...targets.flatMap(({ customer, seenBy }) =>
      Object.keys(cases).flatMap((name) => {
        const operationId = name as OperationId;
        const sees = seenBy.includes(role.name) || seesFiles(role, customer);
        // Changes are not aimed at customers that the role sees.
        if (isChange(operationId) && sees) return [];
        return callsAt(operationId, customer).map((call) => ({ role, operationId, call }));
      }),
    ),
    ...uploads.map(({ value: uploadId, seenBy }) => ({
      role,
      operationId: 'getUpload' as const,
      call: { path: { uploadId } },
      isHidden: !seenBy.includes(role.name),
    })),
  ]);
}

function callsAt(operationId: OperationId, customer: KnownCustomer): readonly OperationCall[] {
  const each = cases[operationId];
  if (each.kind === 'customer' || each.kind === 'list') return each.calls(customer);
  if (each.kind === 'acknowledgement')
    return [{ body: { fileIds: Object.values(customer.files) } }];
  if (each.kind !== 'create') return [{}];
  // The number and the accounts of an archived customer are free.
  if (customer.accountingRef === 'archived') return [];
  const { enterpriseNumber } = customer;
  const bankAccounts = ibansOf(customer).map((iban) => ({ iban }));
  return [
    { body: newCustomer({ enterpriseNumber }) },
    { body: newCustomer({ enterpriseNumber, bankAccounts }) },
    { body: newCustomer({ bankAccounts: [{ iban: newIban() }, ...bankAccounts] }) },
  ];
}

const ibansOf = ({ bankAccounts }: KnownCustomer) => bankAccounts.map(({ iban }) => iban);

function valuesOf(customer: KnownCustomer): string[] {
  const { id, mandates, files } = customer;
  const mandateIds = mandates.map((mandate) => mandate.id);
  return [id, ...detailsOf(customer), ...mandateIds, ...Object.values(files)];
}

/** Returns what only this customer has, and keeps if another firm takes it over. */
function detailsOf(customer: KnownCustomer): string[] {
  const { enterpriseNumber, address, contact } = customer;
  return [enterpriseNumber, ...ibansOf(customer), address.street, contact.name, contact.email];
}

function undotted(text: string): string {
  return text.replaceAll('.', '');
}
