import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createKnex } from '../../../../src/db/knex.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import {
  declined,
  hiddenFields,
  signed,
  signingServiceForFile,
  startSigningService,
} from './signing-service.js';

const knex = await knexForFile();
const form = 'application/x-www-form-urlencoded';
const unknownToken = 'Q'.repeat(43);

const service = await signingServiceForFile(knex);
const sent = await service.send();

async function expectNoAnswer() {
  const row = await knex('signature_requests').where({ id: sent.requestId }).first();
  expect(row.answer).toBeNull();
}

describe('signing page: unknown links', () => {
  test('signing page: a malformed link gets the same answer as an unknown one', async () => {
    const answers = [];
    for (const tail of [
      unknownToken,
      'x',
      '',
      '%zz',
      '%00',
      `${unknownToken}/`,
      'a/b',
      '..%2f',
      "'--",
    ]) {
      const { status, headers, body } = await service.ask(`/sign/${tail}`);
      const { date, 'x-request-id': _id, ...same } = headers;
      answers.push({ status, headers: same, body });
    }
    expect(answers[0]?.status).toBe(404);
    expect(answers[0]?.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('signing page: an answer to an unknown link is 404 too', async () => {
    for (const tail of [unknownToken, 'x']) {
      const { status, body } = await service.post(`/sign/${tail}`, signed);
      expect(status).toBe(404);
      expect(body).toContain('This page does not exist');
    }
  });

  test('signing page: an address that tries many links is limited, except for known links', async () => {
    const own = await startSigningService(knex, { trustedProxies: 1 });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const statuses = [];
    for (let i = 0; i < 31; i += 1) {
      statuses.push((await own.ask(`/sign/${i}`, from('192.0.2.7'))).status);
    }
    expect(statuses).toEqual([...Array(30).fill(404), 429]);
    const refused = await own.ask(`/sign/${unknownToken}`, from('192.0.2.7'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.body).toContain('Too many attempts');
    expect((await own.ask(`/sign/${unknownToken}`, from('192.0.2.8'))).status).toBe(404);
    expect((await own.ask(sent.path, from('192.0.2.7'))).status).toBe(200);
    const { path } = await service.send();
    const { headers } = from('192.0.2.7');
    expect((await own.post(path, declined, headers)).status).toBe(303);
    await own.close();
  });

  test('D-25 a link that is opened more than 60 times a minute is refused; others are not', async () => {
    const opened = await service.send();
    const open = (path: string) => service.ask(path);
    const statuses = [];
    for (let i = 0; i < 60; i += 1) statuses.push((await open(opened.path)).status);
    expect(statuses).toEqual(Array(60).fill(200));
    const refused = await open(`${opened.path}?lang=nl`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.body).toContain('Te veel pogingen');
    expect((await service.post(opened.path, declined)).status).toBe(429);
    expect((await open((await service.send()).path)).status).toBe(200);
  });
});

describe('signing page: invalid requests', () => {
  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
    'signing page: %s is 405, with the allowed methods',
    async (method) => {
      const { status, headers, body } = await service.ask(sent.path, { method });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
      expect(body).toContain('<h1>');
    },
  );

  test.each([
    [{ 'content-type': 'application/json' }, JSON.stringify(signed)],
    [{ 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
    [{ 'content-type': 'text/plain' }, 'answer=declined'],
    [{}, 'answer=declined'],
    [{ 'content-type': form, 'content-encoding': 'gzip' }, 'answer=declined'],
  ])('signing page: a body of %j is 415, with a page', async (headers, body) => {
    const answer = await service.ask(sent.path, { method: 'POST', headers, body });
    expect(answer.status).toBe(415);
    expect(answer.body).toContain('Your answer could not be read');
    await expectNoAnswer();
  });

  test.each([9 * 1024, 200 * 1024])('signing page: a form of %i bytes is 413', async (bytes) => {
    const { status, body } = await service.post(sent.path, { ...signed, name: 'a'.repeat(bytes) });
    expect(status).toBe(413);
    expect(body).toContain('<h1>');
    await expectNoAnswer();
  });

  test('signing page: a form of 8 KiB is read', async () => {
    const { length } = new URLSearchParams({ ...signed, name: '' }).toString();
    const name = 'a'.repeat(8 * 1024 - length);
    expect((await service.postTo(sent.path, { ...signed, name })).status).toBe(422);
    await expectNoAnswer();
  });

  test.each([
    ['with too large a Content-Length', 'Content-Length: 8193', ''],
    ['without an end', 'Transfer-Encoding: chunked', `800\r\n${'a'.repeat(0x800)}\r\n`],
  ])('signing page: a form %s is 413 before all of it is sent', async (_, header, chunk) => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST ${sent.path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\n${header}\r\n\r\n`,
    );
    const more = setInterval(() => socket.write(chunk), 5);
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    );
    clearInterval(more);
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each([
    { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://adx.example.org' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://adx.example.org' },
  ])('signing page: a form of another site (%j) is refused', async (headers) => {
    const { status, body } = await service.post(sent.path, declined, headers);
    expect(status).toBe(403);
    expect(body).toContain('Your answer was not accepted');
    await expectNoAnswer();
  });

  test.each([
    { 'sec-fetch-site': 'same-origin', origin: 'https://adx.example.org' },
    { origin: 'https://adx.example.org' },
    { origin: 'http://here.example', host: 'here.example' },
    {},
  ])('signing page: a form of the page itself (%j) is accepted', async (headers) => {
    const { path } = await service.send();
    expect((await service.post(path, declined, headers)).status).toBe(303);
  });
});

test('signing page: during an outage of the database it says so, with Retry-After', async () => {
  const nowhere = createKnex('postgresql://adx@127.0.0.1:1/adx', { connectionTimeoutMs: 500 });
  const own = await startSigningService(nowhere);
  for (const answer of [await own.ask(sent.path), await own.post(sent.path, signed)]) {
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.body).toContain('The page is not available right now');
    expect(answer.body).not.toMatch(/ECONNREFUSED|Error|at /);
  }
  await own.close();
  await nowhere.destroy();
});

test('D-72 signing page: without the node of the firm it says so at once', async () => {
  const asked: string[] = [];
  const own = await startSigningService(knex, {
    check(firmId) {
      asked.push(firmId);
      throw Object.assign(new Error('No response from node 3'), { code: '08006' });
    },
  });
  const fields = hiddenFields((await service.ask(sent.path)).body);
  for (const answer of [
    await own.ask(sent.path),
    await own.postTo(sent.path, { ...fields, ...signed }),
  ]) {
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.body).toContain('The page is not available right now');
  }
  expect(asked).toEqual([sent.firmId, sent.firmId]);
  await expectNoAnswer();
  await own.close();
});

test('signing page: a bug is logged and not shown', async () => {
  const broken = await startSigningService(knex);
  const { path } = await service.send();
  await knex.raw('alter table signing_urls rename to hidden_urls');
  try {
    const { status, body } = await broken.ask(path);
    expect(status).toBe(500);
    expect(body).toContain('The page is not available right now');
    expect(body).not.toContain('signing_urls');
    expect(broken.log()).toContain('signing_urls');
  } finally {
    await knex.raw('alter table hidden_urls rename to signing_urls');
  }
  await broken.close();
});

test('signing page: the log contains no token, not even a part of one', async () => {
  const own = await startSigningService(knex);
  const { token, path } = await own.send();
  await own.ask(path);
  await own.ask(`${path}?lang=fr`);
  await own.ask(path, { method: 'DELETE' });
  await own.ask(`${path}/%zz`);
  await own.post(path, { answer: 'signed' });
  await own.post(path, signed, { referer: `https://adx.example.org${path}` });
  await own.post(path, signed, { origin: 'https://elsewhere.example' });
  await own.ask(`/sign/${unknownToken}`);
  await knex.raw('alter table signing_urls rename to hidden_urls');
  await own.ask(path);
  await knex.raw('alter table hidden_urls rename to signing_urls');
  await own.close();
  const lines = own.log().trim().split('\n');
  // Each of the three posts opens the page first.
  expect(lines.filter((line) => line.includes('"operation":"signingPage"'))).toHaveLength(12);
  for (const part of [
    token.slice(0, 10),
    token.slice(-10),
    unknownToken.slice(0, 10),
    'An Peeters',
  ]) {
    expect(own.log()).not.toContain(part);
  }
});
