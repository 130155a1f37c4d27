import { type ErrorCode, errorCatalogue, type OperationId, operations } from '@adx/contract';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DAY } from '../../packages/server/src/dates/brussels-day.js';
import { waitUntilBlocked } from '../../packages/server/test/mandates/wait-until-blocked.js';
import { insertCodaFile } from '../../packages/server/test/support/files.js';
import type { OperationAnswer, OperationCall } from '../support/call-operation.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { startSignedInService } from '../support/signed-in-service.js';
import { useSignedInService } from '../support/use-service.js';
import { malformedCall, wellFormedBody } from '../support/well-formed.js';

const operationIds = Object.keys(operations) as OperationId[];

const hour = 60 * 60 * 1000;

/** More than the firm links in all other calls. */
const unsignedLinks = 50;

interface Registered {
  readonly customerId: string;
  readonly enterpriseNumber: string;
  readonly iban: string;
  readonly code: string;
  /** The mandate of the bank account, which is `created`. */
  readonly mandateId: string;
  readonly fileId: string;
}

let time = Date.now();
const signedIn = useSignedInService({
  settings: {
    // A call of each operation waits at once.
    DATABASE_POOL_SIZE: String(operationIds.length),
    UNSIGNED_LINKS_PER_FIRM: String(unsignedLinks),
  },
  now: () => new Date(time),
});
/** An active customer of the firm, and one of another firm. */
let own: Registered;
let foreign: Registered;
let expiredToken: string;
let portalOnlyToken: string;
let keyWithoutScopes: string;

beforeAll(async () => {
  const { service, firmId, client } = signedIn;
  const administrator = await service.createUser({ firmId });
  time -= 2 * hour;
  expiredToken = await service.idToken(administrator);
  time += 2 * hour;
  portalOnlyToken = await service.idToken(
    await service.createUser({ firmId, access: 'portalOnly' }),
  );
  keyWithoutScopes = (await service.issueApiKey([])).key;
  const create = async (firm: typeof client): Promise<Registered> => {
    const iban = newIban();
    const links = { bankAccounts: [{ iban }], payrollProviders: [{ code: 'sdworx' }] };
    const { id, enterpriseNumber } = await firm.customers.create(newCustomer(links));
    const [mandate] = (await firm.mandates.search({ iban })).records;
    const mandateId = mandate?.id ?? '';
    const fileId = await insertCodaFile(service.knex, id);
    return { customerId: id, enterpriseNumber, iban, code: 'sdworx', mandateId, fileId };
  };
  own = await create(client);
  foreign = await create(await signedIn.anotherFirm());
});

type Provocation = (operationId: OperationId) => OperationCall | Promise<OperationCall>;

const extended = (operationId: OperationId, fields: object): OperationCall => ({
  body: { ...wellFormedBody(operationId), ...fields },
});
const hasBody = (operationId: OperationId) => operations[operationId].body === 'required';

/** One call for each code. The tests below make it for every operation that documents the code. */
const provocations: Readonly<Partial<Record<ErrorCode, Provocation>>> = {
  unknownField: (operationId) =>
    hasBody(operationId) ? extended(operationId, { unheardOf: 1 }) : { query: 'unheardOf=1' },
  validationFailed: malformedCall,
  invalidJson: () => ({ text: '{' }),
  missingCredentials: () => ({ body: {} }),
  invalidEnterpriseNumber: (operationId) =>
    extended(operationId, { enterpriseNumber: '0477.472.702' }),
  invalidIban: (operationId) =>
    hasBody(operationId)
      ? extended(operationId, { bankAccounts: [{ iban: 'BE00' }] })
      : { path: { iban: 'BE00' } },
  unknownPayrollProvider: (operationId) =>
    hasBody(operationId)
      ? extended(operationId, { payrollProviders: [{ code: 'nobody' }] })
      : { path: { customerId: own.customerId, code: 'nobody' } },
  unauthorized: () => ({ idToken: 'rubbish' }),
  tokenExpired: () => ({ idToken: expiredToken }),
  portalOnly: () => ({ idToken: portalOnlyToken }),
  invalidApiKey: () => ({ apiKey: 'rubbish' }),
  insufficientScope: () => ({ apiKey: keyWithoutScopes }),
  belongsToAnotherTenant: (operationId) =>
    extended(operationId, { enterpriseNumber: foreign.enterpriseNumber }),
  upload_not_allowed: () => ({}),
  notFound: () => ({ path: { ...foreign } }),
  methodNotAllowed: () => ({ method: 'put' }),
  customerExists: (operationId) =>
    extended(operationId, { enterpriseNumber: own.enterpriseNumber }),
  ibanInUse: (operationId) =>
    hasBody(operationId)
      ? extended(operationId, { bankAccounts: [{ iban: foreign.iban }] })
      : { path: { customerId: own.customerId, iban: foreign.iban } },
  tooManyUnsignedLinks: async (operationId) => {
    const { client, service } = signedIn;
    const accounts = (count: number) => Array.from({ length: count }, () => ({ iban: newIban() }));
    const { recordsTotal } = await client.mandates.search({ includeFinished: true });
    const free = unsignedLinks - recordsTotal;
    const { id } = await client.customers.create(newCustomer({ bankAccounts: accounts(free) }));
    onTestFinished(async () => {
      await client.customers.archive(id);
      // Removed ones count for 90 days.
      const created_on = new Date(Date.now() - 91 * DAY);
      await service.knex('mandates').where({ customer_id: id }).update({ created_on });
    });
    if (hasBody(operationId)) return extended(operationId, { bankAccounts: accounts(1) });
    return { path: { customerId: id, iban: newIban(), code: 'sdworx' } };
  },
  mandateNotRequestable: () => ({ path: { mandateId: own.mandateId } }),
  idempotencyKeyInUse: async () => {
    const key = { headers: { 'Idempotency-Key': `in-use-${Math.random()}` } };
    const { knex } = signedIn.service;
    const trx = await knex.transaction();
    await trx.raw('select from firms where id = ? for update', [signedIn.firmId]);
    const first = signedIn.call('createCustomer', { body: newCustomer(), ...key });
    onTestFinished(async () => {
      await trx.rollback();
      await first;
    });
    await waitUntilBlocked(knex);
    return key;
  },
  idempotencyKeyReused: async () => {
    const key = { headers: { 'Idempotency-Key': `reused-${Math.random()}` } };
    await signedIn.call('createCustomer', { body: newCustomer(), ...key });
    return key;
  },
  payloadTooLarge: () => ({ text: ' '.repeat(64 * 1024 + 1) }),
  unsupportedMediaType: () => ({ headers: { 'content-type': 'text/plain' } }),
};

/** The codes depend on the state of the service, and are tested for all operations together. */
const ofTheService: readonly ErrorCode[] = ['tooManyRequests', 'internalError', 'unavailable'];

function expectError({ status, headers, body }: OperationAnswer, code: ErrorCode): void {
  expect(body).toMatchObject({
    error: code,
    message: expect.stringContaining(errorCatalogue[code].message),
  });
  expect(status).toBe(errorCatalogue[code].status);
  const { fields: _, details: __, customerId: ___, ...rest } = body as Record<string, unknown>;
  expect(Object.keys(rest).toSorted()).toEqual(['error', 'message', 'requestId']);
  expect(rest['requestId']).toBe(headers.get('x-request-id'));
}

describe.each(operationIds)('D-03 %s returns each error that it documents', (operationId) => {
  const documented: readonly ErrorCode[] = operations[operationId].errors;
  const provoked = documented.filter((code) => !ofTheService.includes(code));

  test.each(provoked)(`D-03 ${operationId}: %s`, async (code) => {
    const provocation = provocations[code];
    if (provocation === undefined) throw new Error(`Add a call that gets ${code} to provocations`);
    expectError(await signedIn.call(operationId, await provocation(operationId)), code);
  });
});

test('D-03 tooManyRequests: a caller over its limit gets Retry-After and RateLimit', async () => {
  const limited = await startSignedInService({ settings: { RATE_LIMIT_PER_MINUTE: '1' } });
  onTestFinished(() => limited.service.close());
  const { key: apiKey } = await limited.service.issueApiKey();
  for (const operationId of operationIds) {
    const answer = await callUntilLimited(() => limited.call(operationId, { apiKey }));
    expectError(answer, 'tooManyRequests');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('ratelimit')).toMatch(/^"(default|apiKey)";r=0;t=\d+$/);
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"(default|apiKey)";q=1;w=60$/);
  }
});

/** Repeats a call with a limit of one per minute: on a slow machine a new minute may start. */
async function callUntilLimited(call: () => Promise<OperationAnswer>): Promise<OperationAnswer> {
  let answer = await call();
  for (let more = 3; more > 0 && answer.status !== 429; more -= 1) answer = await call();
  return answer;
}

test('D-03 internalError: the response does not show the cause of the failure', async () => {
  const { knex } = signedIn.service;
  await knex.raw('alter table api_keys rename to api_keys_away');
  try {
    for (const operationId of operationIds) {
      const answer = await signedIn.call(operationId);
      expectError(answer, 'internalError');
      expect(JSON.stringify(answer.body)).not.toContain('api_keys');
    }
  } finally {
    await knex.raw('alter table api_keys_away rename to api_keys');
  }
});

test('D-03 unavailable: the database breaks the connections, with Retry-After', async () => {
  const { knex } = signedIn.service;
  const answers = await knex.transaction(async (trx) => {
    await trx.raw('lock table api_keys in access exclusive mode');
    const calls = operationIds.map((operationId) => signedIn.call(operationId));
    // Outside the transaction, because inside it pg_stat_activity does not change.
    await waitUntilBlocked(knex, operationIds.length);
    await knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return Promise.all(calls);
  });
  for (const answer of answers) {
    expectError(answer, 'unavailable');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await signedIn.call('helloWorld')).toMatchObject({ status: 200 });
});
