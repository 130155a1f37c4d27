import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { customerIdOf, seedCustomers } from '../bench/seeds/seed-customers.js';
import {
  createDeployment,
  type Deployment,
  type ServiceProcess,
} from '../operations/support/deployment.js';
import { printResult } from '../proofs/print-result.js';
import { openDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { newCustomer } from '../support/new-customer.js';
import { proxies, type RunningProxy, startProxy } from './running-proxy.js';

const customers = 10_000;

/** Behind each proxy: a hundred together. */
const restarts = Number(process.env['RESTARTS'] ?? 50);

describe.each(proxies)('D-61 %s', (name) => {
  let deployment: Deployment;
  let services: ServiceProcess[];
  let servicePorts: [number, number];
  let proxy: RunningProxy;
  let headers: Record<string, string>;
  const start = (port: number) =>
    deployment.start({
      PORT: String(port),
      PUBLIC_URL: 'https://localhost',
      TRUST_PROXY: '1',
      DRAIN_SECONDS: '6',
    });
  beforeAll(async () => {
    deployment = await createDeployment();
    await seedCustomers(deployment.knex, deployment.firmId, 1, customers);
    servicePorts = [await freePort(), await freePort()];
    services = await Promise.all(servicePorts.map(start));
    proxy = await startProxy(name, servicePorts, {
      tls: await freePort(),
      plain: await freePort(),
    });
    const [service] = services;
    if (service === undefined) throw new Error('No service');
    const { idToken } = await deployment.signIn(service);
    headers = { 'x-api-key': deployment.apiKey, authorization: `Bearer ${idToken}` };
  });
  afterAll(async () => {
    await proxy?.close();
    await deployment?.close();
  });

  test('streams a list of 10,000 customers, compressed or not', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const list = () =>
        proxy.call('/v1/customers', { headers: { ...headers, 'accept-encoding': encoding } });
      await list();
      const { status, body, firstByteMs, lastByteMs, ...answer } = await list();
      printResult(
        `${name} ${encoding}: first byte ${firstByteMs.toFixed(0)} ms, last ${lastByteMs.toFixed(0)} ms`,
      );
      expect(status).toBe(200);
      expect(answer.headers['content-encoding'] ?? 'identity').toBe(encoding);
      if (encoding === 'identity') expect(JSON.parse(body)).toHaveLength(customers);
      expect(firstByteMs).toBeLessThan(lastByteMs / 2);
    }
  });

  test('shows only the public paths, over TLS, with HSTS', async () => {
    const status = async (path: string) => (await proxy.call(path)).status;
    // 403: below /v1, the service wants an API key first.
    for (const path of [
      '/readyz',
      '/healthz',
      '/metrics',
      '/readyz/',
      '//readyz',
      '/v1/../readyz',
    ]) {
      expect([path, await status(path)]).toEqual([path, expect.toBeOneOf([400, 403, 404])]);
    }
    const keys = await proxy.call('/.well-known/jwks.json');
    expect(keys.status).toBe(200);
    expect(keys.headers['strict-transport-security']).toMatch(/^max-age=\d+/);
    const plain = await fetch(`http://127.0.0.1:${proxy.plainPort}/v1/hello-world`, {
      redirect: 'manual',
    });
    expect(plain.status).toBe(308);
    expect(plain.headers.get('location')).toMatch(/^https:.*\/v1\/hello-world$/);
  });

  test('passes on the address of a signer, and no other that the signer claims', async () => {
    const open = async (localAddress: string, claimed: number) => {
      const agent = new Agent({ rejectUnauthorized: false, localAddress });
      const claim = { 'x-forwarded-for': `10.0.0.${claimed}` };
      const answer = await proxy.call('/sign/unknown', { agent, headers: claim });
      agent.destroy();
      return answer.status;
    };
    // Each of the two services allows an address 30 unknown links per minute.
    const statuses = await Promise.all(Array.from({ length: 80 }, (_, n) => open('127.0.0.2', n)));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(await open('127.0.0.3', 1)).toBe(404);
  });

  test('D-25 logs calls, and no link with which somebody could sign', async () => {
    await proxy.call('/sign/a-secret-link');
    await fetch(`http://127.0.0.1:${proxy.plainPort}/sign/a-secret-link`, { redirect: 'manual' });
    await proxy.call('/v1/hello-world');
    await eventually(proxy.readLog, (log) => log.includes('GET /v1/hello-world'));
    // nginx logs the error of a service that has stopped, with the path of the call.
    services[0]?.kill('SIGKILL');
    await services[0]?.exited;
    for (const path of ['/sign/a-secret-link', '/v1/hello-world']) {
      // After each failure nginx leaves out the service for five seconds (`fail_timeout`).
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      for (let call = 0; call < 4; call += 1) await proxy.call(path);
    }
    services[0] = await start(servicePorts[0]);
    const log = await proxy.readLog();
    if (name === 'nginx') expect(log).toMatch(/connect\(\) failed .*\/v1\/hello-world/);
    expect(log.match(/GET \/sign\/\.\.\. HTTP/g)?.length).toBeGreaterThanOrEqual(2);
    expect(log).not.toContain('secret');
  });

  test('D-03 a service without a database says so itself', async () => {
    const database = await openDatabaseProxy(deployment.databaseUrl);
    onTestFinished(() => database.close());
    const [port, nobody] = [await freePort(), await freePort()];
    const PUBLIC_URL = 'https://localhost';
    await deployment.start({ PORT: String(port), PUBLIC_URL, DATABASE_URL: database.url });
    const ports = { tls: await freePort(), plain: await freePort() };
    // The other service does not run.
    const inFront = await startProxy(name, [port, nobody], ports);
    onTestFinished(() => inFront.close());
    await database.cut();
    const call = () => inFront.call('/v1/customers', { headers });
    if (name === 'haproxy') {
      await eventually(
        async () => (await call()) && (await inFront.readLog()).includes('unready/'),
      );
    }
    for (let repeat = 0; repeat < 4; repeat += 1) {
      const { status, headers: answered, body } = await call();
      const { error, requestId } = JSON.parse(body);
      expect({ status, error }).toEqual({ status: 503, error: 'unavailable' });
      expect(answered).toMatchObject({ 'retry-after': '5', 'x-request-id': requestId });
    }
    const page = await inFront.call('/sign/a-link');
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  });

  test('D-55 removes the headers with which a caller would choose what is traced', async () => {
    const received: IncomingHttpHeaders[] = [];
    const server = createServer(({ headers }, response) => {
      received.push(headers);
      response.end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ports = { tls: await freePort(), plain: await freePort() };
    const inFront = await startProxy(name, [port, port], ports);
    onTestFinished(() => inFront.close());
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const sent = { 'x-api-key': 'k', traceparent, tracestate: 'els=1' };
    expect(await inFront.call('/v1/hello-world', { headers: sent })).toMatchObject({ status: 200 });
    // The proxy also checks whether the service is ready.
    const ofCaller = received.filter((headers) => headers['x-api-key'] === 'k');
    expect(ofCaller.map(({ traceparent, tracestate }) => [traceparent, tracestate])).toEqual([
      [undefined, undefined],
    ]);
  });

  test(`loses no call during ${restarts} rolling restarts`, async () => {
    let isDone = false;
    const statuses: (number | string)[] = [];
    const send = (method: string, path: string, body: object) =>
      proxy.call(path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        content: JSON.stringify(body),
      });
    const calls = [
      () => proxy.call('/v1/hello-world', { headers }),
      () => send('POST', '/v1/customers', { limit: 1 }),
      () => send('POST', '/v1/customers/create', newCustomer()),
      () => send('PATCH', `/v1/customers/${customerIdOf(1)}`, { name: 'Nieuwe naam' }),
    ];
    const callers = calls.map(async (call) => {
      while (!isDone) {
        statuses.push(await call().then(({ status }) => status, String));
      }
    });
    for (let restart = 0; restart < restarts; restart += 1) {
      const index = restart % 2;
      services[index]?.kill('SIGTERM');
      expect(await services[index]?.exited).toEqual({ code: 0, signal: null });
      services[index] = await start(servicePorts[index] ?? 0);
      // Until the proxy has noticed that it is back.
      await new Promise((resolve) => setTimeout(resolve, 3_000));
    }
    isDone = true;
    await Promise.all(callers);
    printResult(`${name}: ${statuses.length} calls during ${restarts} restarts`);
    expect(statuses.length).toBeGreaterThan(restarts * 50);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});
