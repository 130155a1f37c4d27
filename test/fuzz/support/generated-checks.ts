import type { CreateCustomerRequest, OperationId } from '@adx/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { completeRows } from '../../../packages/server/test/support/rows.js';
import type { Deviation, FuzzAnswer, FuzzTarget } from '../../support/fuzz-target.js';
import { newEnterpriseNumber, newIban } from '../../support/numbers.js';
import {
  bodySchema,
  parametersOf,
  wellFormedBody,
  wellFormedParameters,
} from '../../support/well-formed.js';
import { boundariesOf, formats } from './boundaries.js';
import { generatedCall, isValidBody } from './generated-calls.js';
import { arbitraryOf } from './schema-arbitrary.js';
import { bodyFields, textWith } from './text-fields.js';

const refusals = ['unknownField', 'validationFailed', 'invalidJson', 'missingCredentials'];

/** Asserts that calls get documented answers, and the refusals that the spec asks for. */
export function checkCalls(target: FuzzTarget, operationId: OperationId, numRuns: number) {
  return fc.assert(
    fc.asyncProperty(generatedCall(target, operationId), async (call) => {
      const answer = await target.send(operationId, call);
      expectNoFailure(operationId, answer);
      if (call.body === null || call.query !== '') return;
      // Findings of the path appear with those of the body, or alone.
      const { details = [] } = answer.body;
      const ofPath = details.filter(({ path }) => Object.hasOwn(call.path, path)).length;
      expectRefused(answer, ofPath === 0 || ofPath < details.length, operationId, call.body);
    }),
    { numRuns, endOnFailure: true },
  );
}

/**
 * Sends each text and number of an operation's body at the boundaries of its type, format and
 * length. Asserts that no value is a failure of the server, such as an error of PostgreSQL, and
 * that exactly those are refused that the spec does not allow.
 *
 * @param step - 1 for every boundary, more for one in so many, others for each field
 */
export async function checkBoundaries(target: FuzzTarget, operationId: OperationId, step: number) {
  for (const [index, { path, schema }] of bodyFields(operationId).entries()) {
    for (const json of boundariesOf(schema).filter((_, i) => (i + index) % step === 0)) {
      const body = textWith(baseOf(operationId, path), path, json);
      const answer = await target.send(operationId, { body });
      expectNoFailure(operationId, answer, body);
      expectRefused(answer, true, operationId, body);
    }
  }
}

/**
 * Sends each day and instant of `formats` in every parameter and field of its format. Asserts that
 * none is a failure of the server.
 */
export async function checkDates(target: FuzzTarget, operationId: OperationId) {
  const query = wellFormedParameters(operationId, 'query');
  const places = [
    ...parametersOf(operationId).map(({ name, in: place, value }) => ({
      schema: value.schema,
      at: (text: string): Deviation =>
        place === 'path'
          ? { path: { [name]: text } }
          : { query: `?${new URLSearchParams({ ...query, [name]: text })}` },
    })),
    ...bodyFields(operationId).map(({ path, schema }) => ({
      schema,
      at: (text: string): Deviation => ({
        body: textWith(baseOf(operationId, path), path, JSON.stringify(text)),
      }),
    })),
  ];
  for (const { schema, at } of places) {
    const format = String(schema['format']);
    for (const text of format.startsWith('date') ? (formats[format] ?? []) : []) {
      const deviation = at(text);
      const answer = await target.send(operationId, deviation);
      expectNoFailure(operationId, answer, JSON.stringify(deviation));
    }
  }
}

function baseOf(operationId: OperationId, [name = '']: readonly string[]): object {
  if (name === 'username') return { password: 'eA==' };
  // Another user each time, because sign-ins that fail lock the user out.
  if (name === 'password') return { username: newEnterpriseNumber() };
  return wellFormedBody(operationId);
}

/** @param isOfBody - false if the error is about something else */
function expectRefused(
  answer: FuzzAnswer,
  isOfBody: boolean,
  operationId: OperationId,
  sent: string,
): void {
  const isRefused = isOfBody && refusals.includes(answer.body.error ?? '');
  expect([sent, isRefused]).toEqual([sent, !isValidBody(operationId, sent)]);
}

function expectNoFailure(operationId: OperationId, { status, body }: FuzzAnswer, sent = ''): void {
  const signInFailed =
    operationId === 'getToken' &&
    /^(Authentication failed|Invalid refresh token)$/.test(body.error ?? '');
  if (signInFailed) return;
  expect(status, JSON.stringify([sent, body])).toBeLessThan(500);
}

/** Asserts that customers with any valid content are returned unchanged. */
export function checkRoundTrips(target: FuzzTarget, numRuns: number) {
  const schema = bodySchema('createCustomer');
  if (schema === undefined) throw new Error('createCustomer has no body');
  const bodies = arbitraryOf(schema) as fc.Arbitrary<CreateCustomerRequest>;
  return fc.assert(
    fc.asyncProperty(bodies, fc.nat(3), fc.boolean(), async (made, accounts, provided) => {
      const sent: CreateCustomerRequest = {
        ...made,
        enterpriseNumber: newEnterpriseNumber(),
        // A different bank from that of the generated calls.
        bankAccounts: Array.from({ length: accounts }, () => ({ iban: newIban('068') })),
        payrollProviders: provided ? [{ code: 'securex' }, { code: '***other***' }] : [],
      };
      const created = await target.send('createCustomer', { body: JSON.stringify(sent) });
      expect([created.status, created.body]).toEqual([200, expectedOf(sent)]);
      const customerId = String(created.body['id']);
      const read = await target.send('getCustomer', { path: { customerId } });
      expect(read.body).toEqual(created.body);
      const archived = await target.send('archiveCustomer', { path: { customerId } });
      expect(archived.status).toBe(200);
    }),
    { numRuns, endOnFailure: true },
  );
}

/** Returns the customer that a body creates: §2.1 omits fields without a value. */
function expectedOf({ bankAccounts = [], payrollProviders = [], ...rest }: CreateCustomerRequest) {
  const text = JSON.stringify(rest, (_, value) => (value === '' ? undefined : value));
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return {
    ...JSON.parse(text),
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    isConfidential: false,
    bankAccounts: bankAccounts.map(({ iban }) => ({
      iban,
      currency: 'EUR',
      bic: 'GKCC BE BB',
      bankName: expect.any(String),
    })),
    payrollProviders: payrollProviders.map(({ code }) => ({
      code,
      nameFr: expect.any(String),
      nameNl: expect.any(String),
    })),
    createdOn: date,
    updatedOn: date,
  };
}

export async function restoreCustomer(target: FuzzTarget): Promise<void> {
  const { status } = await target.send('getCustomer');
  if (status === 200) return;
  await target.service
    .knex('customers')
    .where({ id: target.customerId })
    .update({ archived_on: null });
  await completeRows(target.service.knex);
}
