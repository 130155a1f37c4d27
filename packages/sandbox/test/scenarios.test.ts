import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ErrorCode, errorCatalogue, type Operation, operations } from '@adx/contract';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { validateResponse } from '../../../test/support/validate-response.js';
import { createTestDatabase } from '../../server/test/support/database.js';
import { scenarioDescriptions } from '../src/scenarios/descriptions.js';
import { waysTo } from '../src/scenarios/mandate-ways.js';
import { type InstalledSandbox, installSandbox } from './installed-sandbox.js';

let installed: InstalledSandbox;
let facts: Record<string, string>;
let url: string;
const dataDir = mkdtempSync(join(tmpdir(), 'adx-scenarios-'));
const stopping: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  installed = await installSandbox();
  const parameters = ['start', '--data', dataDir, '--port', '0', '--storage-port', '0'];
  const sandbox = await installed.start(parameters, /"event":"ready".*\n/, {}, (stop) =>
    stopping.push(stop),
  );
  const line = sandbox
    .printed()
    .split('\n')
    .find((each) => each.includes('"event":"ready"'));
  facts = JSON.parse(line ?? expect.fail());
  url = facts['url'] ?? expect.fail();
});
afterAll(async () => {
  for (const stop of stopping) await stop();
  installed.remove();
  rmSync(dataDir, { recursive: true, maxRetries: 5 });
});

/** Sends a request with exactly these headers. */
async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
) {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const sent = httpRequest(`${url}${path}`, { method, headers }, resolve);
    sent.once('error', reject).end(body);
  });
  return {
    status: response.statusCode ?? 0,
    rawHeaders: response.rawHeaders,
    headers: response.headers,
    body: await text(response),
  };
}

/** Does a scenario over its route, as any language can. */
async function scenario<Answer = Record<string, unknown>>(
  name: string,
  body: object,
): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await send('POST', `/sandbox/${name}`, headers, JSON.stringify(body));
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}

interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string;
}

/** Signs in, or refreshes a token. */
async function signIn(refreshToken?: string) {
  const headers = { 'X-Api-Key': facts['apiKey'] ?? '', 'Content-Type': 'application/json' };
  const { login: username, passwordInBase64: password } = facts;
  const sent = refreshToken === undefined ? { username, password } : { refreshToken };
  const { status, body } = await send('POST', '/v1/token', headers, JSON.stringify(sent));
  return { status, ...(JSON.parse(body) as Tokens & { error?: string }) };
}

/** Calls an operation. Answers with an error are validated against the spec. */
async function call(method: string, path: string, idToken: string, sent?: object) {
  const headers = {
    'X-Api-Key': facts['apiKey'] ?? '',
    Authorization: `Bearer ${idToken}`,
    ...(sent && { 'Content-Type': 'application/json' }),
  };
  const answer = await send(method, `/v1${path}`, headers, sent && JSON.stringify(sent));
  return { status: answer.status, body: JSON.parse(answer.body) };
}

const statuses = Object.keys(waysTo);
const all: readonly Operation[] = Object.values(operations);
const pathOf = ({ path }: Operation) => `/v1${path.replace(/\{[^}]+\}/g, 'a'.repeat(24))}`;

describe('D-53 scenario error', () => {
  test('D-53 every operation answers every error that it documents as the spec describes it', async () => {
    for (const operation of all) {
      for (const code of operation.errors) {
        await scenario('error', { code, operation: operation.operationId });
        const { method } = operation;
        const answer = await send(method.toUpperCase(), pathOf(operation));
        const where = `${operation.operationId} ${code}`;
        expect(JSON.parse(answer.body).error, where).toBe(code);
        expect(answer.status, where).toBe(errorCatalogue[code].status);
        const { status, body } = answer;
        const headers = new Headers(answer.headers as Record<string, string>);
        const path = pathOf(operation).slice('/v1'.length);
        expect(validateResponse(method.toUpperCase(), path, { status, body, headers })).toEqual([]);
      }
    }
  });

  test.each<[ErrorCode, string, string, Record<string, string>, string?]>([
    ['notFound', 'GET', `/v1/customers/${'a'.repeat(24)}`, {}],
    ['unknownField', 'POST', '/v1/mandates', { 'Content-Type': 'application/json' }, '{"foo":1}'],
    ['unsupportedMediaType', 'POST', '/v1/mandates', { 'Content-Type': 'text/plain' }, 'x'],
    ['methodNotAllowed', 'PUT', '/v1/customers', {}],
    ['unauthorized', 'GET', '/v1/customers', { Authorization: 'Bearer x.y.z' }],
    ['invalidApiKey', 'GET', '/v1/customers', { 'X-Api-Key': 'none' }],
  ])('D-53 %s has the headers that the service sends', async (code, method, path, more, body) => {
    const authorization = `Bearer ${(await signIn()).idToken}`;
    const headers = { 'X-Api-Key': facts['apiKey'] ?? '', Authorization: authorization, ...more };
    const own = await send(method, path, headers, body);
    await scenario('error', { code });
    // No operation has the method PUT, and only calls of operations get errors of scenarios.
    const set = await send(method === 'PUT' ? 'GET' : method, path, headers, body);
    expect(set.status).toBe(own.status);
    // Values that differ in each answer, and the length of another example.
    const changing = /^(X-Request-Id|Date|RateLimit|Content-Length|RateLimit-Policy)$/;
    const comparable = ({ rawHeaders }: typeof own) =>
      rawHeaders.flatMap((name, i) =>
        i % 2 === 0 ? [changing.test(name) ? name : `${name}: ${rawHeaders[i + 1]}`] : [],
      );
    expect(comparable(set)).toEqual(comparable(own));
  });

  test('D-53 an error is for as many calls as it says, and only for those of its operation', async () => {
    const { idToken } = await signIn();
    const hello = async () => (await call('GET', '/hello-world', idToken)).status;
    expect(await hello()).toBe(200);
    const set = await scenario('error', { code: 'unavailable', operation: 'helloWorld', calls: 2 });
    expect(set).toEqual({ code: 'unavailable', calls: 2, operations: ['helloWorld'] });
    expect((await call('GET', '/customers', idToken)).status).toBe(200);
    expect([await hello(), await hello(), await hello()]).toEqual([503, 503, 200]);
    await scenario('error', { code: 'unavailable', calls: 5 });
    await scenario('error', { code: 'unavailable', calls: 0 });
    expect(await hello()).toBe(200);
  });

  test('D-53 a call that gets an error has no effect', async () => {
    const { idToken } = await signIn();
    const { body } = await call('GET', '/customers', idToken);
    const [{ id, name }] = body;
    await scenario('error', { code: 'internalError', operation: 'updateCustomer' });
    const change = { name: 'Another name' };
    expect((await call('PATCH', `/customers/${id}`, idToken, change)).status).toBe(500);
    expect((await call('GET', `/customers/${id}`, idToken)).body).toMatchObject({ name });
  });
});

describe('D-53 scenario mandate', () => {
  interface Brought {
    readonly mandateId: string;
    readonly before: string;
    readonly status: string;
    readonly iban?: string;
  }

  test.each(statuses)('D-53 a mandate is brought to %s, and stays there', async (status) => {
    const brought = await scenario<Brought>('mandate', { status });
    expect(brought).toMatchObject({ status, contact: expect.stringMatching(/@klant-/) });
    const { idToken } = await signIn();
    const { body } = await call('GET', `/mandates/${brought.mandateId}`, idToken);
    expect(body).toMatchObject({ id: brought.mandateId, status, product: expect.any(String) });
    const again = await scenario<Brought>('mandate', { status, mandateId: brought.mandateId });
    expect(again).toMatchObject({ before: status, status, steps: [] });
  });

  test('D-53 a mandate is brought from one status to the next, with a history as in life', async () => {
    const { mandateId } = await scenario<Brought>('mandate', { status: 'rejectedBySigner' });
    for (const status of ['created', 'expired', 'waitingForSigner', 'error', 'finished']) {
      expect(await scenario<Brought>('mandate', { status, mandateId })).toMatchObject({ status });
    }
    const shown = await installed.run('--data', dataDir, 'mandate', 'show', mandateId, '--json');
    const { history } = JSON.parse(shown.stdout);
    expect(history.map(({ trigger }: { trigger: string }) => trigger)).toEqual([
      ...['linked', 'requestSent', 'declined', 'requested', 'requestSent', 'signingPeriodEnded'],
      ...['requested', 'requestSent', 'deliveryFailed', 'requested', 'requestSent', 'signed'],
      'fileReceived',
    ]);
  });

  test('D-53 statuses that a mandate cannot have are refused, and say why', async () => {
    const { mandateId } = await scenario<Brought>('mandate', { status: 'rejectedByBank' });
    await expect(scenario('mandate', { status: 'finished', mandateId })).rejects.toThrow(
      /400 .*A mandate of this kind that is rejectedByBank never becomes finished/,
    );
    const wrong = { status: 'waitingForBank', product: 'CODB' };
    await expect(scenario('mandate', wrong)).rejects.toThrow(
      /400 .*A CODB mandate never becomes waitingForBank/,
    );
    const missing = { status: 'created', mandateId: 'a'.repeat(24) };
    await expect(scenario('mandate', missing)).rejects.toThrow(/404 .*There is no mandate/);
  });
});

describe('D-53 scenario file', () => {
  interface Sent {
    readonly mandateId: string;
    readonly customerId: string;
    readonly customerName: string;
    readonly files: readonly {
      readonly name: string;
      readonly status?: string;
      readonly listed?: number;
      readonly contentBase64?: string;
      readonly findings: readonly { readonly code: string }[];
    }[];
  }
  const codesOf = ({ files }: Sent) =>
    files.map(({ findings }) => findings.map(({ code }) => code));

  test('D-53 files of an account follow on each other, or do not, as it was asked', async () => {
    const first = await scenario<Sent>('file', {});
    expect(codesOf(first)).toEqual([[]]);
    const { mandateId } = first;
    for (const [kind, codes] of [
      ['good', [[]]],
      ['gap', [['numberMissing']]],
      ['balanceBreak', [['balanceDiffers']]],
      ['duplicate', [[], ['alreadyListed']]],
      ['correction', [[], ['numberRepeated']]],
      ['good', [[]]],
    ] as const) {
      expect(codesOf(await scenario<Sent>('file', { kind, mandateId })), kind).toEqual(codes);
    }
    const { idToken } = await signIn();
    const { body } = await call('POST', '/coda-files/missing', idToken, {
      customerId: first.customerId,
    });
    const kinds = body.records.map((record: { kind: string }) => record.kind);
    expect(kinds.sort()).toEqual(['balanceBreak', 'gap']);
  });

  test('D-53 a presigned URL expires, and a new one of the same file is valid', async () => {
    const { customerName, files } = await scenario<Sent>('file', { product: 'CODB' });
    expect(files[0]?.listed).toBe(1);
    const url = async () => {
      const { idToken } = await signIn();
      const { body } = await call('POST', '/codb-files', idToken, {
        customer: customerName,
      });
      return JSON.stringify(body).match(/http[^"]+/)?.[0] ?? expect.fail(customerName);
    };
    const before = await url();
    expect((await fetch(before)).status).toBe(200);
    await scenario('time', { hours: 25 });
    expect((await fetch(before)).status).toBe(403);
    expect((await fetch(await url())).status).toBe(200);
  });

  test('D-53 a file with a finding is uploaded as by a user, or returned', async () => {
    const uploaded = await scenario<Sent>('file', { finding: 'trailerCount' });
    expect(uploaded.files[0]?.status).toBe('rejected');
    expect(codesOf(uploaded)).toEqual([['trailerCount']]);
    const { mandateId } = uploaded;
    const read = await scenario<Sent>('file', { finding: 'trailerCut', mandateId });
    expect(read.files[0]?.status).toBe('processed');
    expect(codesOf(read)).toEqual([['trailerCut']]);
    const returned = await scenario<Sent>('file', { finding: 'amount', via: 'answer' });
    const content = Buffer.from(returned.files[0]?.contentBase64 ?? '', 'base64').toString();
    expect(content).toContain('<Debit>1234,56</Debit>');
    await expect(scenario('file', { finding: 'amount', product: 'CODA' })).rejects.toThrow(
      /A CODA file never has the finding amount/,
    );
  });
});

describe('D-53 scenario time', () => {
  test('D-53 ID tokens, refresh tokens and upload credentials expire, and those issued afterwards are valid', async () => {
    const first = await signIn();
    const hello = (idToken: string) => call('GET', '/hello-world', idToken);
    const granted = await call('POST', '/coda-files/upload-credentials', first.idToken, {});
    const upload = async ({ body }: typeof granted) => {
      const { endpoint, region, bucketName: Bucket, prefix, ...credentials } = body;
      const s3 = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
      const put = new PutObjectCommand({ Bucket, Key: `${prefix}/a.cod`, Body: 'x' });
      return s3.send(put).then(
        () => 'uploaded',
        (error) => error.name,
      );
    };
    expect(await upload(granted)).toBe('uploaded');
    expect((await hello(first.idToken)).status).toBe(200);
    expect(await scenario('time', { minutes: 59 })).toEqual({ seconds: 3540 });
    expect((await hello(first.idToken)).status).toBe(200);
    expect(await upload(granted)).toBe('uploaded');
    await scenario('time', { minutes: 2 });
    expect(await hello(first.idToken)).toMatchObject({
      status: 401,
      body: { error: 'tokenExpired' },
    });
    expect(await upload(granted)).toBe('ExpiredToken');
    const second = await signIn(first.refreshToken);
    expect((await hello(second.idToken)).status).toBe(200);
    await scenario('time', { days: 30 });
    expect(await signIn(first.refreshToken)).toMatchObject({ error: 'Invalid refresh token' });
    const third = await signIn();
    expect((await hello(third.idToken)).status).toBe(200);
    expect(
      await upload(await call('POST', '/coda-files/upload-credentials', third.idToken, {})),
    ).toBe('uploaded');
    // A token that the service did not sign does not become one of its own.
    const [head = '', claims = ''] = first.idToken.split('.');
    const { error } = (await hello(`${head}.${claims}.${'A'.repeat(86)}`)).body;
    expect(error).toBe('unauthorized');
  });

  test('D-53 every instant of the database is moved, or named as one that stays', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type in ('date', 'timestamp with time zone')
          and table_name not like 'knex%' order by 1`,
    );
    const sql = readFileSync(new URL('../src/demo/let-time-pass.sql', import.meta.url), 'utf8');
    const [, everything = ''] = sql.split('let_all_time_pass');
    const updates = [...everything.matchAll(/update (\w+)([^;]*);/g)];
    const moved = updates.flatMap(([, table, set = '']) =>
      [...set.matchAll(/(\w+) = \1 - (?:span|days)/g)].map(([, column]) => `${table}.${column}`),
    );
    const staying = rows.map(({ name }) => name).filter((name) => !moved.includes(name));
    expect(staying).toEqual([
      ...['api_usage.day', 'customers.updated_on', 'files.created_on', 'files.processed_on'],
      ...['files.statement_date', 'held_deliveries.statement_date', 'job_workers.beat_on'],
      ...['mandate_clocks.moved_on', 'mandates.updated_on', 'missing_statements.after_date'],
      ...['missing_statements.before_date', 'signing_keys.created_on', 'users.updated_on'],
    ]);
    await client.query(sql);
    await client.query('select pg_temp.let_all_time_pass(3600)');
  });
});

describe('D-53 scenarios over HTTP', () => {
  const json = { 'Content-Type': 'application/json' };

  test('D-53 GET /sandbox/ lists each scenario with its options and an example', async () => {
    const { status, body } = await send('GET', '/sandbox/');
    expect(status).toBe(200);
    const { scenarios } = JSON.parse(body);
    expect(scenarios.map(({ name }: { name: string }) => name)).toEqual(
      Object.keys(scenarioDescriptions),
    );
    expect(scenarios[0].options[0]).toMatchObject({
      name: 'code',
      type: 'string',
      required: true,
      values: Object.keys(errorCatalogue),
    });
  });

  test.each<[number, string, string, Record<string, string>, string, RegExp]>([
    [404, 'POST', '/sandbox/tiem', json, '{}', /There is no scenario tiem\. The scenarios: error/],
    [404, 'GET', '/sandbox/tiem', {}, '', /There is no scenario tiem/],
    [405, 'GET', '/sandbox/time', {}, '', /Send a POST request to \/sandbox\/time/],
    [415, 'POST', '/sandbox/time', { 'Content-Type': 'text/plain' }, '{}', /application\/json/],
    [400, 'POST', '/sandbox/time', json, '[', /The body is not a JSON object/],
    [400, 'POST', '/sandbox/time', json, '{}', /Say how much time passes/],
    [400, 'POST', '/sandbox/time', json, '{"weeks":1}', /weeks/],
    [400, 'POST', '/sandbox/error', json, '{"code":"tooMany"}', /code: .*"tooManyRequests"/],
    [
      400,
      'POST',
      '/sandbox/error',
      json,
      '{"code":"invalidIban","operation":"helloWorld"}',
      /^helloWorld does not answer invalidIban\. Its errors: .*tokenExpired/,
    ],
    [403, 'GET', '/sandbox/', { Host: 'evil.example:3000' }, '', /only for this machine/],
    [
      403,
      'POST',
      '/sandbox/time',
      { ...json, Origin: 'https://evil.example' },
      '{"days":1}',
      /another origin/,
    ],
    [403, 'POST', '/sandbox/time', { ...json, Origin: 'null' }, '{"days":1}', /another origin/],
  ])('D-53 %i for %s %s with %j and %s', async (expected, method, path, headers, sent, message) => {
    const { status, body } = await send(method, path, headers, sent);
    expect(status).toBe(expected);
    expect(JSON.parse(body).error).toMatch(message);
  });

  test('D-53 a page of the sandbox itself may do scenarios', async () => {
    const headers = { ...json, Host: 'localhost:1', Origin: 'http://localhost:1' };
    const body = '{"code":"notFound","calls":0}';
    expect((await send('POST', '/sandbox/error', headers, body)).status).toBe(200);
  });
});
