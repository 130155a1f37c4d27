import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createApi, Refusal } from './server/index.gen.js';

const basic = `Basic ${Buffer.from('els:geheim').toString('base64')}`;

/** Starts a service that returns the first documented response, or another one for a reason. */
export async function startService() {
  const seen: unknown[] = [];
  const api = createApi<{ readonly method: string }>({
    context: ({ method }) => ({ method }),
    security: {
      token(request) {
        if (request.get('authorization') === 'Bearer expired') throw new Refusal(403, 'Expired');
        return request.get('authorization') === 'Bearer t';
      },
      key: ({ query }) => query['api_key'] === 'k',
      machine: (request) => request.get('x-machine') === 'm',
      password: (request) => request.get('authorization') === basic,
    },
    handlers: {
      listDocuments({ query, headers }, { method }) {
        seen.push({ query, headers, method });
        if (query.page_size === 99) return { status: 503, body: { status: 503, title: 'Busy' } };
        return { status: 200, headers: { 'X-Total': 3 }, body: [{ id: 1, title: 'a' }] };
      },
      createDocument({ body, headers }) {
        seen.push({ body, headers });
        if (body.title === 'taken') return { status: 409, body: { status: 409, title: 'Taken' } };
        if (body.title === 'gone') return { status: 410, body: { status: 410, title: 'Gone' } };
        if (body.title === 'later') return { status: 202, body: { queued: true } };
        return {
          status: 201,
          headers: { Location: '/documents/2' },
          body: { id: 2, title: body.title },
        };
      },
      getDocument({ path, accept }) {
        seen.push({ path });
        if (path.document_id !== 1) return { status: 404 };
        return accept === 'text/csv'
          ? { status: 200, contentType: 'text/csv', body: 'id,title\n1,a' }
          : { status: 200, body: { id: 1, title: 'a' } };
      },
      changeDocument({ body }) {
        seen.push(body);
        return { status: 204 };
      },
      deleteDocument: () => ({ status: 204 }),
      downloadContent: () => ({ status: 200, body: new Uint8Array([0, 255]) }),
      uploadContent({ body }) {
        seen.push(body);
        return { status: 204, headers: { ETag: '"1"' } };
      },
      addNote({ contentType, body }) {
        seen.push({ contentType, body });
        return { status: 200, body: 'x\ny' };
      },
      exportDocument({ path }) {
        seen.push(path);
        const body = new TextEncoder().encode('x');
        return path.format === 'txt'
          ? { status: 200, contentType: 'text/plain', body }
          : { status: 200, body };
      },
      search({ body }) {
        seen.push(body);
        return { status: 200, body: { found: 1 } };
      },
      index: () => ({ status: 200, body: ['/documents'] }),
      storeVersion({ path, body }) {
        seen.push({ path, body });
        return { status: 204 };
      },
      übersichtZeigen({ query, headers }) {
        seen.push({ query, headers });
        return { status: 204 };
      },
      表示({ contentType, body }) {
        seen.push({ contentType, body });
        return { status: 204 };
      },
      signIn: () => ({ status: 200, body: { token: 't' } }),
      status: () => ({ status: 200, body: { ok: true } }),
    },
  });
  const server = createServer(express().use(api)).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    seen: () => seen.splice(0),
    stop: () => server.close(),
  };
}
