import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { knexForFile } from '../../../support/knex-for-file.js';
import { declined, signingServiceForFile, startSigningService } from './signing-service.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);
const sent = await service.send();

test('signing page: no page runs scripts, loads resources or is cached', async () => {
  const pages = [
    await service.ask(sent.path),
    await service.ask('/sign/x'),
    await service.ask(sent.path, { method: 'PUT' }),
    await service.post(sent.path, { answer: 'signed' }),
    await service.post((await service.send()).path, declined),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 404, 405, 422, 303]);
  for (const { headers } of pages) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(Object.keys(headers).join()).not.toContain('access-control');
    const policy = String(headers['content-security-policy']).split('; ');
    for (const directive of [
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy).toContain(directive);
    }
    expect(policy.join()).not.toMatch(/unsafe|script|https?:/);
  }
});

test('signing page: the policy contains the hash of the only style sheet', async () => {
  const { headers, body } = await service.ask(sent.path);
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
  expect(body).not.toMatch(/ style=|<script| on\w+=/);
});

test('signing page: it has no links to, or resources of, other origins', async () => {
  const { body } = await service.ask(sent.path);
  const addresses = [...body.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, url]) => url);
  expect(addresses.length).toBeGreaterThan(4);
  for (const url of addresses) expect(url).toMatch(/^(\?lang=(fr|nl|de|en)$|data:image\/svg)/);
});

test('signing page: behind trusted proxies, the address is the forwarded one', async () => {
  const answerFrom = async (forwarded: string, trustedProxies: number | readonly string[]) => {
    const own = await startSigningService(knex, { trustedProxies });
    const { path, requestId } = await own.send();
    await own.post(path, declined, { 'x-forwarded-for': forwarded });
    await own.close();
    return knex('signature_requests').where({ id: requestId }).first('signer_address as address');
  };
  expect(await answerFrom('198.51.100.4, 192.0.2.1', 1)).toEqual({ address: '192.0.2.1' });
  expect(await answerFrom('198.51.100.4, 192.0.2.1', ['loopback', '192.0.2.0/24'])).toEqual({
    address: '198.51.100.4',
  });
  expect(await answerFrom('192.0.2.1', ['10.0.0.0/8'])).toEqual({ address: '127.0.0.1' });
  expect(await answerFrom('2001:db8::1', 1)).toEqual({ address: '2001:db8::1' });
  expect(await answerFrom('::ffff:192.0.2.1', 1)).toEqual({ address: '192.0.2.1' });
  expect(await answerFrom('<script>', 1)).toEqual({ address: '127.0.0.1' });
});
