import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createClient, ResponseError } from './client/index.gen.js';
import { createApi } from './server/index.gen.js';

const seen: unknown[] = [];
const app = express().use(
  createApi<{ caller: string }>({
    context: (request) => ({ caller: request.ip ?? '' }),
    security: {
      token: (request) => request.get('authorization') === 'Bearer t',
      key: (request) => request.query['api_key'] === 'k',
      password: (request) =>
        request.get('authorization') === `Basic ${Buffer.from('els:geheim').toString('base64')}`,
    },
    handlers: {
      listDocuments: ({ query, headers }) => {
        seen.push({ query, headers });
        return { status: 200, headers: { 'X-Total': 3 }, body: [{ id: 1, title: 'a' }] };
      },
      createDocument: ({ body, headers }) => {
        seen.push({ body, headers });
        if (body.title === 'taken') return { status: 409, body: { status: 409, title: 'Taken' } };
        if (body.title === 'later') return { status: 202, body: { queued: true } };
        return {
          status: 201,
          headers: { Location: '/documents/2' },
          body: { id: 2, title: body.title },
        };
      },
      getDocument: ({ path }) =>
        path.document_id === 1
          ? { status: 200, contentType: 'text/csv', body: 'id,title\n1,a' }
          : { status: 404 },
      deleteDocument: () => ({ status: 204 }),
      downloadContent: () => ({ status: 200, body: new Uint8Array([0, 255]) }),
      uploadContent: ({ body }) => {
        seen.push(body);
        return { status: 204, headers: { ETag: '"1"' } };
      },
      addNote: (request) => {
        seen.push(request);
        return { status: 200, body: 'x' };
      },
      exportDocument: ({ path }) => {
        seen.push(path);
        return { status: 200, body: new TextEncoder().encode('x') };
      },
      search: ({ body }) => {
        seen.push(body);
        return { status: 200, body: { found: 1 } };
      },
      signIn: () => ({ status: 200, body: { token: 't' } }),
      status: () => ({ status: 200, body: { ok: true } }),
    },
  }),
);
const server = createServer(app).listen(0);
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
const client = createClient({
  baseUrl,
  credentials: { token: 't', key: 'k', password: 'els:geheim' },
});
const attempt = async (name: string, run: () => Promise<unknown>) => {
  try {
    console.log(name, await run());
  } catch (error) {
    console.log(
      name,
      error instanceof ResponseError ? [error.status, JSON.stringify(error.body)] : error,
    );
  }
  if (seen.length) console.log('   seen', JSON.stringify(seen.splice(0)));
};
let total: string | null = '';
await attempt('list', () =>
  client.document.listDocuments(
    {
      kind: ['letter', 'invoice'],
      labels: ['a b', 'c'],
      ids: [1, 2],
      created: { from: '2026-01-01' },
      archived: true,
    },
    {
      headers: { 'X-Trace': 'abc' },
      onResponse: (r) => {
        total = r.headers.get('x-total');
      },
    },
  ),
);
console.log(total);
await attempt('list bad', () => client.document.listDocuments({ page_size: 1000 }));
await attempt('list unknown', () => client.document.listDocuments({ other: 1 } as never));
await attempt('create', () =>
  client.document.createDocument(
    { title: 'é' },
    { headers: { 'X-Trace': 'abc', 'X-Tags': ['a', 'b'] } },
  ),
);
await attempt('create later', () =>
  client.document.createDocument({ title: 'later' }, { headers: { 'X-Trace': 'abc' } }),
);
await attempt('create taken', () =>
  client.document.createDocument({ title: 'taken' }, { headers: { 'X-Trace': 'abc' } }),
);
await attempt('create unknown', () =>
  client.document.createDocument({ title: 'x', nope: 1 } as never, {
    headers: { 'X-Trace': 'abc' },
  }),
);
await attempt('create short', () =>
  client.document.createDocument({ title: 'x' }, { headers: { 'X-Trace': 'a' } }),
);
await attempt('get', () => client.document.getDocument(1));
await attempt('get 404', () => client.document.getDocument(9));
await attempt('get bad', () => client.document.getDocument(0));
await attempt('delete', () => client.document.deleteDocument(1));
await attempt('upload', () => client.documentContent.uploadContent(1, new Uint8Array([0, 1, 255])));
await attempt('download', () => client.documentContent.downloadContent(1));
await attempt('note', () => client.notes.addNote(1, { text: 'x' }));
await attempt('note none', () => client.notes.addNote(1));
await attempt('export', () => client.document.exportDocument(1, 'pdf'));
await attempt('search', () =>
  client.document.search({ text: 'a&b=é', limit: 3, kind: ['letter'] }),
);
await attempt('signIn', () => client.session.signIn());
await attempt('status', () => createClient({ baseUrl }).default.status());
await attempt('no credentials', () => createClient({ baseUrl }).document.getDocument(1));
await attempt('wrong token', () =>
  createClient({ baseUrl, credentials: { token: 'x' } }).document.getDocument(1),
);
console.log(
  (await fetch(`${baseUrl}/documents/1`, { method: 'POST' })).status,
  (await fetch(`${baseUrl}/nope`)).status,
);
server.close();
