import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type * as vitest from 'vitest';
import { createClient, ResponseError } from './client/index.gen.js';
import { createApi } from './server/index.gen.js';

type Vitest = Pick<typeof vitest, 'afterAll' | 'beforeAll' | 'describe' | 'expect' | 'it'>;

/** Starts a service of the legal spec that remembers what its handlers get. */
async function startService() {
  const seen: unknown[] = [];
  const api = createApi({
    context: () => ({}),
    security: {
      login: (_request, scopes, token) => token === 't' && scopes.join() === 'works:read',
      account: (_request, scopes, token) => token === 'a' && scopes.length === 0,
      session: (_request, _scopes, key) => key === 'k=1',
      certificate: ({ socket }, _scopes, none) => none === undefined && !('authorized' in socket),
    },
    handlers: {
      getWorks({ query, headers }) {
        seen.push({ query, headers });
        return { status: 200, body: [{ id: 1, owner: 'city' }] };
      },
      addWork({ body }) {
        seen.push(body);
        return { status: 200, body: { id: 1, owner: null } };
      },
      removeWorks: ({ body }) => ({ status: 200, body: String(body?.length) }),
      printLabel: ({ body }) => ({ status: 200, body: `<label>${body}</label>` }),
      async addImage({ body }) {
        const { image, details = [], ...rest } = body;
        const files = [image, ...details];
        const texts = files.map(async (file) => `${file.name} ${file.type} ${await file.text()}`);
        return { status: 200, body: [...(await Promise.all(texts)), JSON.stringify(rest)] };
      },
      describeImage: ({ body }) => ({ status: 200, body }),
      checkDoors({ query }) {
        seen.push(query);
        return { status: 204 };
      },
      putNothing: () => ({ status: 204 }),
    },
  });
  const server = createServer(express().use(api)).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/museum+api`,
    seen: () => seen.splice(0),
    stop: () => server.close(),
  };
}

/** Defines the tests that call a service of the legal spec with its client. */
export function defineCalls({ afterAll, beforeAll, describe, expect, it }: Vitest): void {
  let service: Awaited<ReturnType<typeof startService>>;
  const works = (credentials: Record<string, string> = {}) =>
    createClient({ baseUrl: service.baseUrl, credentials }).works;
  const errorOf = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => (error instanceof ResponseError ? error : undefined),
    );

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  describe('D-42 a legal spec, called over HTTP', () => {
    const work = { title: 'The Arnolfini Portrait', year: null };

    it('D-42 handlers of OAuth and OpenID Connect get the token and the scopes', async () => {
      expect(await works({ login: 't' }).getWorks()).toEqual([{ id: 1, owner: 'city' }]);
      expect(await errorOf(works({ login: 'a' }).getWorks())).toMatchObject({ status: 401 });
      expect(await works({ account: 'a' }).addWork(work)).toEqual({ id: 1, owner: null });
      const response = await fetch(`${service.baseUrl}/works`);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    });

    it('D-42 an API key is sent in a cookie', async () => {
      expect(await works({ session: 'k=1' }).addWork(work)).toEqual({ id: 1, owner: null });
      expect(await errorOf(works({ session: 'k' }).addWork(work))).toMatchObject({ status: 401 });
      service.seen();
    });

    it('D-42 a header has the names and values of an object in turns', async () => {
      const headers = { 'X-Trace': { id: 'a', span: 'b' } };
      await works({ login: 't' }).getWorks({}, { headers });
      expect(service.seen()).toEqual([{ query: {}, headers }]);
    });

    it('D-42 what is left of OpenAPI 3.0 means what it says', async () => {
      const add = (change: object) => works({ account: 'a' }).addWork({ ...work, ...change });
      const nulls = { year: null, state: null, maker: null };
      await add({ ...nulls, id: 1, $ref: 'x' });
      expect(service.seen()).toEqual([{ ...work, ...nulls, id: 1, $ref: 'x', price: 1 }]);
      for (const wrong of [{ id: 0 }, { state: 'lost' }, { maker: {} }, { title: null }]) {
        expect(await errorOf(add(wrong))).toMatchObject({ status: 400 });
      }
    });

    it('D-42 a part of allOf can require what another part describes', async () => {
      const response = await fetch(`${service.baseUrl}/works`, {
        method: 'POST',
        headers: { cookie: 'other=1; session=k=1', 'content-type': 'application/json' },
        body: '{"title":"The Arnolfini Portrait"}',
      });
      expect(await response.json()).toMatchObject({
        errors: [{ path: '/body', message: "must have required property 'year'" }],
      });
    });

    it('D-42 a DELETE has a body', async () => {
      expect(await works().removeWorks([1, 2])).toBe('2');
      expect(await errorOf(works().removeWorks(['a' as never]))).toMatchObject({ status: 400 });
    });

    it('D-42 a certificate is no credential of the client, and a parameter Accept is none', async () => {
      expect(await works().checkDoors({ open: true })).toBeUndefined();
      expect(service.seen()).toEqual([{ open: true }]);
    });

    it('D-42 an operation with a server of its own is called there', async () => {
      const urls: string[] = [];
      const send = async ({ url }: Request) => {
        urls.push(url);
        return new Response(null, { status: 204 });
      };
      const client = createClient({ fetch: send });
      await client.works.checkDoors();
      await client.works.putNothing();
      expect(urls).toEqual([
        'https://south.example.org/doors/doors',
        'https://bruges.example.org/museum+api/nothing',
      ]);
    });

    it('D-42 XML is a text, whatever its schema says of its elements', async () => {
      expect(await works().printLabel('<size>3</size>')).toBe('<label><size>3</size></label>');
    });

    it('D-42 files arrive in a form, with texts, numbers and objects', async () => {
      const rest = { width: 3, tags: ['a'], maker: { name: 'Van Eyck' } };
      const image = new File(['png'], 'a.png', { type: 'image/png' });
      const sent = { image, details: [new Blob(['b']), new Blob(['c'])], ...rest };
      const arrived = [
        ...['a.png image/png png', 'blob application/octet-stream b'],
        ...['blob application/octet-stream c', JSON.stringify(rest)],
      ];
      expect(await works().addImage(sent)).toEqual(arrived);
      expect(await works().addImage({ ...sent, details: [] })).toHaveLength(2);
      const form = new FormData();
      form.append('image', 'text');
      form.append('width', '3');
      form.append('maker', new Blob(['{"name":"Van Eyck"}'], { type: 'application/json' }));
      expect(await works().addImage(form)).toEqual([
        '  text',
        '{"width":3,"maker":{"name":"Van Eyck"}}',
      ]);
      form.append('other', '1');
      expect(await errorOf(works().addImage(form))).toMatchObject({ status: 400 });
    });

    it.each([
      ['width', 'x', '/body/width'],
      ['maker', '{', '/body/maker'],
      ['details', 'third', '/body/details'],
    ])('D-42 a form with a wrong %s is refused', async (name, text, path) => {
      const form = new FormData();
      const maker = '{"name":"Van Eyck"}';
      for (const [key, value] of Object.entries({ image: 'a', width: '1', maker })) {
        if (key !== name) form.append(key, value);
      }
      for (const each of name === 'details' ? [text, text, text] : [text]) form.append(name, each);
      expect(await errorOf(works().addImage(form))).toMatchObject({
        body: { errors: [{ path }] },
      });
    });

    it('D-42 a form of files has its own media type, a boundary and a limit', async () => {
      const send = (type: string, body: string) =>
        fetch(`${service.baseUrl}/images`, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        }).then(({ status }) => status);
      expect(await send('application/json', '{}')).toBe(415);
      expect(await send('multipart/form-data', 'x')).toBe(400);
      expect(await send('multipart/form-data; boundary=b', 'x')).toBe(400);
      expect(await send('multipart/form-data; boundary=b', 'x'.repeat(2_000_000))).toBe(413);
    });

    it('D-42 objects in a form are JSON', async () => {
      const former = [{ name: 'Campin' }, { name: 'Daret' }];
      const body = { maker: { name: 'Van Eyck' }, former };
      expect(await works().describeImage(body)).toEqual(body);
    });

    it('D-42 an operation without id and responses is called by its path', async () => {
      expect(await works().putNothing()).toBeUndefined();
    });
  });
}
