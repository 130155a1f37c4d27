import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { spec, specYaml } from '@adx/contract/spec';
import express, { type ErrorRequestHandler } from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDocsRouter } from '../../src/http/docs.js';
import { sendRequest } from '../support/send-request.js';

let folder: string;
let close: () => void;
let port: number;

beforeEach(async () => {
  // A folder that is above the site is none of its own `assets`.
  folder = join(await mkdtemp(join(tmpdir(), 'adx-docs-router-')), 'assets');
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'secret.txt.br'), 'secret');
  await writeFile(join(folder, 'dist', '.hidden'), 'secret');
  await writeFile(join(folder, 'dist', '.hidden.br'), 'secret');
  await writeFile(join(folder, 'dist', 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'dist', 'index.html'), '<title>The docs</title>');
  const bug: ErrorRequestHandler = (_error, _request, response, _next) => {
    response.status(500).end();
  };
  const app = express()
    .use(createDocsRouter({ docsDir: join(folder, 'dist'), publicUrl: 'https://adx.test/x' }))
    .use('/docs', (_request, response) => response.status(404).json({ error: 'notFound' }))
    .use(bug);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  port = (server.address() as AddressInfo).port;
  close = () => server.close();
});

afterEach(async () => {
  close();
  await rm(dirname(folder), { recursive: true });
});

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  sendRequest(`http://127.0.0.1:${port}`, path, { method, headers });

test('docs: /docs/ is the page, which is revalidated, and has its content security policy', async () => {
  const answer = await ask('GET', '/docs/');
  expect(answer.status).toBe(200);
  expect(answer.body).toBe('<title>The docs</title>');
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  });
});

test.each([
  ['/', 302],
  ['/docs', 301],
])(
  'docs: %s redirects to docs/ with %i, also behind a proxy with another path',
  async (path, code) => {
    const { status, headers } = await ask('GET', path);
    expect([status, headers.location]).toEqual([code, 'docs/']);
  },
);

test.each(['/docs/', '/docs/favicon.svg', '/openapi.yaml', '/openapi.json'])(
  'docs: HEAD %s returns the same as GET, without the body',
  async (path) => {
    const get = await ask('GET', path);
    const head = await ask('HEAD', path);
    expect(get.body).not.toBe('');
    expect(head).toEqual({
      status: 200,
      body: '',
      headers: { ...get.headers, date: head.headers.date },
    });
  },
);

test.each(['/docs/', '/openapi.yaml', '/openapi.json'])(
  'docs: a caller that already has %s gets 304',
  async (path) => {
    const { headers } = await ask('GET', path);
    const again = await ask('GET', path, { 'If-None-Match': headers.etag ?? '' });
    expect([again.status, again.body]).toEqual([304, '']);
  },
);

test('docs: /openapi.yaml and .json are the spec, with the URL of the deployment as first server, and pages of other origins may read them', async () => {
  const server = { url: 'https://adx.test/x/v1', description: 'This deployment.' };
  const yaml = await ask('GET', '/openapi.yaml');
  expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
  const added = '  - url: "https://adx.test/x/v1"\n    description: This deployment.\n';
  expect(yaml.body).toContain(`\nservers:\n${added}  - url: `);
  expect(yaml.body.replace(added, '')).toBe(specYaml);
  const json = await ask('GET', '/openapi.json');
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  for (const { headers } of [yaml, json]) expect(headers['access-control-allow-origin']).toBe('*');
  expect(JSON.parse(json.body)).toEqual({ ...spec, servers: [server, ...spec.servers] });
});

test.each([
  '/docs/../secret.txt',
  '/docs/..%2fsecret.txt',
  '/docs/%2e%2e/secret.txt',
  '/docs/%2e%2e%2fsecret.txt',
  '/docs/..%5csecret.txt',
  '/docs/%00',
  '/docs/.hidden',
  '/docs/nothing-here',
])('docs: %s is not found', async (path) => {
  for (const accepted of ['identity', 'br']) {
    const answer = await ask('GET', path, { 'Accept-Encoding': accepted });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).not.toContain('secret');
  }
});

test.each([
  ['Range', 'bytes=99999999-', 200],
  ['Range', 'bytes=0-1', 200],
  ['If-Match', '"x"', 412],
  ['If-Unmodified-Since', 'Mon, 01 Jan 2001 00:00:00 GMT', 412],
])('docs: %s: %s gets %i, never 500', async (name, value, status) => {
  const answer = await ask('GET', '/docs/favicon.svg', { [name]: value });
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.body).toBe('<svg/>');
  else expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
});

test('docs: a page that does not exist is the 404 page of the site', async () => {
  await writeFile(join(folder, 'dist', '404.html'), '<title>No such page</title>');
  const answer = await ask('GET', '/docs/guide/nothing.html');
  expect([answer.status, answer.body]).toEqual([404, '<title>No such page</title>']);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
});

test('docs: browsers keep the files whose names change with their contents', async () => {
  await mkdir(join(folder, 'dist', 'assets'));
  await writeFile(join(folder, 'dist', 'assets', 'app.Bk2xQ1.js'), '');
  const { headers } = await ask('GET', '/docs/assets/app.Bk2xQ1.js');
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

const page = '<title>The large page</title>';

describe('docs: a page with compressed copies', () => {
  beforeEach(async () => {
    const path = join(folder, 'dist', 'large.html');
    await writeFile(path, page);
    await writeFile(`${path}.br`, brotliCompressSync(page));
    await writeFile(`${path}.gz`, gzipSync(page));
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['*;q=0, identity', null],
  ])('is sent to a caller that accepts %s as %s', async (accepted, encoding) => {
    // `fetch` decodes what it gets.
    const answer = await fetch(`http://127.0.0.1:${port}/docs/large.html`, {
      headers: { 'Accept-Encoding': accepted },
    });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.text()).toBe(page);
  });

  test('has an ETag for each encoding, with which it is revalidated', async () => {
    const etags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) => {
        const { headers } = await ask('GET', '/docs/large.html', { 'Accept-Encoding': encoding });
        const again = await ask('GET', '/docs/large.html', {
          'Accept-Encoding': encoding,
          'If-None-Match': headers.etag ?? '',
        });
        expect([again.status, again.body]).toEqual([304, '']);
        return headers.etag;
      }),
    );
    expect(new Set(etags).size).toBe(3);
  });

  test('is not said to be compressed in the answer to another method than GET', async () => {
    const answer = await ask('POST', '/docs/large.html', { 'Accept-Encoding': 'br' });
    expect([answer.status, answer.body]).toEqual([404, '{"error":"notFound"}']);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('is refused as text that is not compressed', async () => {
    const answer = await ask('GET', '/docs/large.html', {
      'Accept-Encoding': 'br',
      'If-Match': '"x"',
    });
    expect(answer.status).toBe(412);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.body).toContain('<title>');
  });
});

test.each(['/openapi.yaml', '/openapi.json'])(
  'docs: %s is compressed for a caller that accepts it, with an ETag of its own',
  async (path) => {
    const plain = await ask('GET', path);
    for (const encoding of ['br', 'gzip']) {
      const headers = { 'Accept-Encoding': encoding };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(answer.headers.get('etag')).not.toBe(plain.headers.etag);
      expect(await answer.text()).toBe(plain.body);
    }
  },
);

test('docs: if they are not built, the page says how to build them', async () => {
  await rm(join(folder, 'dist'), { recursive: true });
  const answer = await ask('GET', '/docs/');
  expect(answer.status).toBe(404);
  expect(answer.body).toContain('<code>npm run docs</code>');
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
});
