import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@adx/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyTextIn } from '../../packages/server/test/identity/every-text-in.js';
import {
  type ReceivedSpan,
  startTraceReceiver,
  type TraceReceiver,
} from '../../packages/server/test/tracing/trace-receiver.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { type ServiceProcess, useDeployment } from './support/deployment.js';

const deployment = useDeployment();
let receiver: TraceReceiver;
const folder = mkdtempSync(join(tmpdir(), 'adx-traces-'));
beforeAll(async () => {
  receiver = await startTraceReceiver();
});
afterAll(async () => {
  receiver?.close();
  rmSync(folder, { recursive: true });
});

const kind = { server: 2, client: 3, consumer: 5 };

const toReceiver = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20dG9rZW4=',
  OTEL_BSP_SCHEDULE_DELAY: '100',
  LOG_LEVEL: 'info',
});

/** Headers of a caller that a proxy would forward. */
const untrusted = { baggage: 'secret=in-the-baggage', tracestate: 'els=in-the-tracestate' };

async function call(
  { url }: ServiceProcess,
  path: string,
  {
    idToken = '',
    traceparent = '',
    body,
  }: { idToken?: string; traceparent?: string; body?: unknown },
): Promise<number> {
  const response = await fetch(`${url}/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': deployment.apiKey,
      'content-type': 'application/json',
      connection: 'close',
      ...untrusted,
      ...(idToken && { authorization: `Bearer ${idToken}` }),
      ...(traceparent && { traceparent }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

function newParent() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

async function stop(process: ServiceProcess) {
  process.kill('SIGTERM');
  expect(await process.exited).toEqual({ code: 0, signal: null });
}

test('D-55 a trace leads from the request behind a proxy over its statements to its job in another process, without what callers sent', {
  tags: 'long',
}, async () => {
  // It records only what the proxy has decided to record.
  const service = await deployment.start({
    ...{ ...toReceiver(), TRUST_PROXY: 'loopback', OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
  });
  const worker = await deployment.start({
    ...{ ...toReceiver(), JOBS_CONCURRENCY: '1', SMTP_URL: '', MAIL_FOLDER: folder },
    ...{ OTEL_SERVICE_NAME: 'adx-jobs', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test' },
  });
  const { idToken, refreshToken } = await deployment.signIn(service);
  const parent = newParent();
  const customer = newCustomer({ name: 'Onvindbare Naam', bankAccounts: [{ iban: newIban() }] });
  const create = { idToken, body: customer };
  expect(await call(service, '/customers/create', { ...create, ...parent })).toBe(200);
  const search = { idToken, body: { search: 'zoekwoord' } };
  expect(await call(service, '/customers', search)).toBe(200);
  const read = newParent();
  expect(await call(service, `/customers/${'0'.repeat(24)}`, { idToken, ...read })).toBe(404);
  // This process trusts no proxy.
  const ofStranger = newParent();
  expect(await call(worker, `/customers/${refreshToken}`, { idToken, ...ofStranger })).toBe(400);
  // The job of the customer reads the view too.
  await eventually(async () => /"sendMail".*job done/.test(worker.output()));
  await deployment.knex.raw('alter view banks_by_code rename to away');
  const body = newCustomer({ bankAccounts: [{ iban: newIban() }] });
  expect(await call(service, '/customers/create', { idToken, body, ...newParent() })).toBe(500);
  await deployment.knex.raw('alter view away rename to banks_by_code');
  const { apiKey, username, password } = deployment;
  const upload = newParent();
  const client = createClient({
    ...{ baseUrl: `${service.url}/v1`, apiKey, username, password },
    fetch: (url, { headers, ...init }) =>
      fetch(url, {
        ...init,
        headers: { ...headers, ...untrusted, traceparent: upload.traceparent },
      }),
  });
  await (await client.codaFiles.upload(Buffer.from('geen bestand'), 'loon-van-els.cod')).outcome();
  const late = newParent();
  // A job that was enqueued an hour before it is due.
  const payload = JSON.stringify({
    ...{ firmId: 'none', mandateId: 'none' },
    trace: { traceparent: late.traceparent },
  });
  await deployment.knex.raw(
    `select graphile_worker.add_job('endValidity', ?::json, run_at => now() + interval '1 h')`,
    [payload],
  );
  await deployment.knex.raw(
    `update graphile_worker._private_jobs set run_at = now(), created_at = now() - interval '1 h'
      where payload ->> 'mandateId' = 'none'`,
  );
  await eventually(async () => /endValidity[^\n]*job done/.test(worker.output()));
  await eventually(async () => worker.output().includes('mail written'));
  await stop(service);
  await stop(worker);

  const logged = (process: ServiceProcess, text: string) =>
    process
      .output()
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line));
  const { spans } = receiver;
  const own = spans.filter(({ traceId }) => traceId === parent.traceId);
  const one = (name: string): ReceivedSpan => {
    const found = own.filter((span) => span.name === name);
    expect(found, `${name} in ${own.map((span) => span.name)}`).toHaveLength(1);
    return found[0] as ReceivedSpan;
  };
  const request = one('POST /v1/customers/create');
  expect(request).toMatchObject({ kind: kind.server, parent: parent.spanId, isFailed: false });
  expect(request.resource).toMatchObject({
    'service.name': 'adx-server',
    'service.version': '1.0.0',
  });
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/customers/create',
    'http.response.status_code': 200,
    'adx.operation': 'createCustomer',
    'adx.outcome': 'ok',
    'adx.request_id': expect.any(String),
    'adx.partner': 'Tests',
    'adx.api_key_id': deployment.apiKeyId,
    'adx.firm_id': deployment.firmId,
  });
  const insert = one('insert customers');
  expect(insert).toMatchObject({ kind: kind.client, parent: request.spanId });
  expect(insert.attributes).toMatchObject({
    'db.system.name': 'postgresql',
    'db.query.text': expect.stringMatching(/^insert into "?customers"? .*\$1/s),
    'adx.rows': 1,
  });
  const commits = own.filter(({ name }) => name === 'commit');
  expect(commits.map((span) => span.parent)).toContain(request.spanId);
  const job = one('sendMail');
  expect(job).toMatchObject({ kind: kind.consumer, parent: request.spanId, isFailed: false });
  expect(job.resource).toMatchObject({
    ...{ 'service.name': 'adx-jobs', 'deployment.environment': 'test' },
  });
  expect(one('send mail').parent).toBe(job.spanId);
  const ofJob = own.filter((span) => span.parent === job.spanId).map(({ name }) => name);
  expect(ofJob).toEqual(expect.arrayContaining(['begin', 'commit']));

  // An upload belongs to the call for its credentials, although a scan has found it.
  const reading = spans.find(({ name }) => name === 'readUpload');
  const issuing = spans.find(({ spanId }) => spanId === reading?.parent);
  expect(issuing).toMatchObject({
    ...{ name: 'POST /v1/coda-files/upload-credentials', traceId: upload.traceId },
  });
  const below = (span: ReceivedSpan | undefined) =>
    spans.filter(({ parent: above }) => above === span?.spanId).map(({ name }) => name);
  expect(below(issuing)).toContain('STSClient AssumeRoleCommand');
  expect(below(reading)).toContain('S3Client GetObjectCommand');
  expect(logged(worker, 'an upload was read')).toMatchObject([{ traceId: reading?.traceId }]);

  // Routine has no spans, so every trace begins with a request or a job.
  const roots = spans.filter((span) => span.parent === '');
  expect(roots.filter((span) => span.kind === kind.client)).toEqual([]);
  expect(spans.filter(({ name }) => name === 'scanUploads')).toEqual([]);
  const deadline = spans.find(({ name }) => name === 'endValidity');
  expect(deadline).toMatchObject({ parent: '', links: [late.traceId] });
  const calls = spans.filter((span) => span.attributes['adx.operation'] === 'searchCustomers');
  expect(calls).toEqual([]);
  expect(spans.map(({ traceId }) => traceId)).not.toContain(ofStranger.traceId);
  const refused = spans.find((span) => span.attributes['adx.outcome'] === 'refused');
  expect(refused).toMatchObject({ name: 'GET /v1/customers/{customerId}', isFailed: false });
  const ofRead = spans.filter(({ traceId }) => traceId === read.traceId);
  const statements = ofRead.map(({ attributes }) => attributes['db.query.text']);
  expect(statements).toContainEqual(expect.stringContaining('from customers c'));
  const failed = spans.find((span) => span.attributes['adx.outcome'] === 'failed');
  expect(failed).toMatchObject({ isFailed: true, attributes: { 'error.type': 'internalError' } });
  const statement = spans.find((span) => span.attributes['error.type'] === '42P01');
  expect(statement).toMatchObject({ parent: failed?.spanId, isFailed: true });

  expect(logged(service, '"createCustomer","status":200')).toMatchObject([
    { traceId: parent.traceId },
  ]);
  expect(logged(worker, '"sendMail"')).toMatchObject([{ traceId: parent.traceId }]);
  const unrecorded = logged(service, '"searchCustomers"');
  expect(unrecorded).toMatchObject([{ status: 200 }]);
  expect(unrecorded[0]).not.toHaveProperty('traceId');

  expect(receiver.authorizations).toEqual(new Set(['Basic dG9rZW4=']));
  expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  const sent = String(Buffer.concat(receiver.requests.map(({ body }) => body)));
  const { contact, bankAccounts, enterpriseNumber } = customer;
  const secrets = [idToken, refreshToken, apiKey, password, 'dG9rZW4'];
  const personal = [username, customer.name, contact.email, contact.name, enterpriseNumber];
  const ibans = bankAccounts?.map(({ iban }) => iban) ?? [];
  const carried = ['in-the-baggage', 'in-the-tracestate'];
  const texts = ['zoekwoord', ...carried, 'loon-van-els'];
  for (const marker of [...secrets, ...personal, ...ibans, ...texts]) {
    expect(sent.includes(marker), marker).toBe(false);
  }
  const stored = await everyTextIn(deployment.knex);
  expect(stored).toContain(upload.traceId);
  for (const marker of carried) expect(stored.includes(marker), marker).toBe(false);
});
