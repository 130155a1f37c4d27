import { type ErrorBody, type OperationId, operations } from '@adx/contract';
import { expect } from 'vitest';
import { absentId } from './numbers.js';
import { snapshot } from './snapshot.js';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
  type TestUser,
} from './test-service.js';
import { wellFormedBody } from './well-formed.js';
import { createKnownObjects } from './working-calls.js';

/** The differences from an accepted call. */
export interface Deviation {
  readonly path?: Readonly<Record<string, string>>;
  /** The query with its question mark. */
  readonly query?: string;
  /** The text or bytes to send; null sends none. */
  readonly body?: string | Buffer<ArrayBuffer> | null;
  /** Headers to add or replace; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Partial<ErrorBody> & Readonly<Record<string, unknown>>;
}

/** A service, and calls that are correct except for given differences. */
export interface FuzzTarget {
  readonly service: TestService;
  readonly user: TestUser;
  readonly firmId: string;
  readonly apiKey: string;
  readonly idToken: string;
  /** A customer of the firm, with the bank account and the payroll provider of {@link pathOf}. */
  readonly customerId: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Both credentials and the content type, as header lines for a hand-written request. */
  readonly headerLines: readonly string[];
  send(operationId: OperationId, deviation?: Deviation): Promise<FuzzAnswer>;
  /** Makes calls by the name of their deviation. Expects that each has this status and error. */
  expectErrors(
    operationId: OperationId,
    deviations: Iterable<readonly [what: unknown, deviation: Deviation]>,
    status: number,
    error: unknown,
  ): Promise<void>;
  /** Returns the path of an operation below `/v1`, with encoded parameters. */
  pathOf(operationId: OperationId, parameters?: Readonly<Record<string, string>>): string;
  /** Runs a function and asserts that it does not change the database. */
  storingNothing(attempt: () => Promise<void>): Promise<void>;
}

export const operationIds = Object.keys(operations) as OperationId[];

export const operationsWithBody = operationIds.filter((id) => operations[id].body === 'required');

export async function startFuzzTarget(options: TestServiceOptions = {}): Promise<FuzzTarget> {
  const service = await startTestService(options);
  const firmId = await service.createFirm();
  const user = await service.createUser({ firmId });
  const { key: apiKey } = await service.issueApiKey();
  const idToken = await service.idToken(user);
  const { files, ...known } = await createKnownObjects(service, user);
  const { customerId, iban, code } = known;
  await (await service.client(user)).customers.addPayrollProvider(customerId, code);
  await service.knex('missing_statements').insert({
    ...{ id: absentId(), firm_id: firmId, customer_id: customerId, iban, currency: 'EUR' },
    ...{ extension: '', kind: 'gap', from_number: 2, to_number: 3, after_date: '2026-01-02' },
    ...{ before_date: '2026-01-05', detected_on: new Date() },
  });
  const parameters = { ...known, fileId: files.codaFiles[0] ?? '' };
  const credentials = { 'x-api-key': apiKey, authorization: `Bearer ${idToken}` };

  const pathOf: FuzzTarget['pathOf'] = (operationId, changed = {}) =>
    operations[operationId].path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent({ ...parameters, ...changed }[name] ?? ''),
    );

  const target: FuzzTarget = {
    ...{ service, user, firmId, apiKey, idToken, customerId, parameters },
    headerLines: [
      ...Object.entries(credentials).map(([name, value]) => `${name}: ${value}`),
      'content-type: application/json',
    ],
    pathOf,
    async send(operationId, { path, query = '', body, headers = {} } = {}) {
      const { method, body: takes } = operations[operationId];
      const sent =
        body === undefined && takes === 'required'
          ? JSON.stringify(wellFormedBody(operationId))
          : body;
      const all = {
        ...credentials,
        ...(sent != null && { 'content-type': 'application/json' }),
        ...headers,
      };
      const response = await service.raw(`${pathOf(operationId, path)}${query}`, {
        method: method.toUpperCase(),
        headers: Object.fromEntries(
          Object.entries(all).filter(
            (header): header is [string, string] => header[1] !== undefined,
          ),
        ),
        // `fetch` adds a content type to a string, but not to bytes.
        ...(sent != null && { body: typeof sent === 'string' ? Buffer.from(sent) : sent }),
      });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as FuzzAnswer['body'],
      };
    },
    async expectErrors(operationId, deviations, expectedStatus, error) {
      for (const [what, deviation] of deviations) {
        const { status, body } = await target.send(operationId, deviation);
        expect([what, status, body.error]).toEqual([what, expectedStatus, error]);
      }
    },
    async storingNothing(attempt) {
      const before = await snapshot(service);
      await attempt();
      expect(await snapshot(service)).toEqual(before);
    },
  };
  return target;
}
