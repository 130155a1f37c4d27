import type * as vitest from 'vitest';
import { createClient } from './client/index.gen.js';
import { startService } from './service.js';

type Vitest = Pick<typeof vitest, 'afterAll' | 'beforeAll' | 'describe' | 'expect' | 'it'>;

/** Defines the tests that call a service of the ordinary spec in uncommon and in hostile ways. */
export function defineUncommonCalls({ afterAll, beforeAll, describe, expect, it }: Vitest): void {
  let service: Awaited<ReturnType<typeof startService>>;
  const client = () => createClient({ baseUrl: service.baseUrl, credentials: { token: 't' } });
  const send = (method: string, path: string, type: string, body: string) =>
    fetch(service.baseUrl + path, {
      method,
      headers: { authorization: 'Bearer t', 'content-type': type },
      body,
    });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  describe('codegen: uncommon and hostile calls of an ordinary spec', () => {
    it('OpenAPI 3.1 §4.8.8 the path / can be called', async () => {
      expect(await client().session.index()).toEqual(['/documents']);
    });

    it('OpenAPI 3.1 §4.8.12.1 parameters of the path have any name', async () => {
      await client().packages.storeVersion('@scope/name', 'a b', 3, { children: [{}] });
      const path = { package: '@scope/name', 'file-name': 'a b', body: 3 };
      expect(service.seen()).toEqual([{ path, body: { children: [{}] } }]);
    });

    it('OpenAPI 3.1 §4.8.12 objects of the query may have lists, and lists may be one of several forms', async () => {
      const query = { filter: { kind: ['a,b', 'c'] }, sort: ['x'] };
      await client().übersicht.übersichtZeigen(query);
      await client().übersicht.übersichtZeigen({ sort: ['x', 'y,z'] });
      await client().übersicht.übersichtZeigen({ sort: [] });
      expect(service.seen()).toEqual([
        { query, headers: {} },
        { query: { sort: ['x', 'y,z'] }, headers: {} },
        { query: {}, headers: {} },
      ]);
    });

    it('OpenAPI 3.1 §4.8.12 null is left out, because a text cannot be null', async () => {
      const nothing = { filter: null, sort: null };
      await client().übersicht.übersichtZeigen(nothing, { headers: { 'X-Tags': null as never } });
      expect(service.seen()).toEqual([{ query: {}, headers: {} }]);
    });

    it('OpenAPI 3.1 §4.8.12 the client refuses an item that cannot be told from two', async () => {
      const show = client().übersicht;
      await expect(show.übersichtZeigen({ words: ['a b'] })).rejects.toThrow(TypeError);
      const headers = { 'X-Tags': ['a,b'] };
      await expect(show.übersichtZeigen({}, { headers })).rejects.toThrow(TypeError);
      expect(service.seen()).toEqual([]);
    });

    it('OpenAPI 3.1 §4.8.30 credentials are sent where they are optional', async () => {
      const sent: (string | null)[] = [];
      const fetch = async ({ headers }: Request) => {
        sent.push(headers.get('authorization'));
        return new Response(null, { status: 204 });
      };
      await createClient({ fetch, credentials: { token: 't' } }).übersicht.übersichtZeigen();
      await createClient({ fetch }).übersicht.übersichtZeigen();
      expect(sent).toEqual(['Bearer t', null]);
    });

    it('OpenAPI 3.1 §4.8.14 media types may differ in their parameters', async () => {
      await client().übersicht.表示({ text: 'x' });
      const status = (type: string, body: object) =>
        send('PUT', '/übersicht(alle)', type, JSON.stringify(body)).then(
          (response) => response.status,
        );
      expect(await status('application/json; charset=utf-8; V=2', { texts: ['x'] })).toBe(204);
      expect(await status('application/json;v=2', { text: 'x' })).toBe(400);
      expect(await status('application/json;v=3', { text: 'x' })).toBe(204);
      expect(service.seen()).toMatchObject([
        { contentType: 'application/json', body: { text: 'x' } },
        { contentType: 'application/json; v=2', body: { texts: ['x'] } },
        { contentType: 'application/json', body: { text: 'x' } },
      ]);
    });

    it('RFC 3986 §5.2.4 a parameter of the path that would lead to another path is refused', async () => {
      const store = (name: string) => client().packages.storeVersion(name, 'a', 3, {});
      await expect(store('..')).rejects.toThrow('cannot be ".."');
      await expect(store('.')).rejects.toThrow(TypeError);
      // Programs in JavaScript can leave it out.
      const missing: string = JSON.parse('{}').key;
      await expect(store(missing)).rejects.toThrow(TypeError);
      await store('...');
      expect(service.seen()).toMatchObject([{ path: { package: '...' } }]);
    });

    it('D-42 a body that the spec does not have is ignored', async () => {
      const { status } = await send('DELETE', '/documents/1?api_key=k', 'text/plain', 'x');
      expect(status).toBe(204);
    });

    it('RFC 3986 §3.4 a question mark in the query is a part of it', async () => {
      const headers = { authorization: 'Bearer t' };
      await fetch(`${service.baseUrl}/documents?title=who?&page_size=3`, { headers });
      expect(service.seen()).toMatchObject([{ query: { title: 'who?', page_size: 3 } }]);
    });

    it('RFC 7396 a member that a PATCH lacks gets no default', async () => {
      await client().document.changeDocument(1, { title: 'x' });
      expect(service.seen()).toEqual([{ title: 'x' }]);
    });

    it('OpenAPI 3.1 §4.8.14 forms keep the text undefined, and leave out what is undefined', async () => {
      await client().document.search({ text: 'undefined', limit: undefined } as never);
      expect(service.seen()).toEqual([{ text: 'undefined' }]);
    });

    it('codegen: an error that only claims to be JSON is an error of the response', async () => {
      const headers = { 'content-type': 'application/json' };
      const fetch = async () => new Response('<html>', { status: 502, headers });
      const failing = createClient({ fetch, credentials: { token: 't' } });
      await expect(failing.session.index()).rejects.toMatchObject({ status: 502, body: '<html>' });
    });

    it('codegen: a body that is nested too deeply for its schema is refused', async () => {
      const nested = `${'{"children":['.repeat(50_000)}${']}'.repeat(50_000)}`;
      const response = await send('PUT', '/packages/a/b/1', 'application/json', nested);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ errors: [{ path: '/body' }] });
    });

    it('codegen: the response to a body full of mistakes is short', async () => {
      const mistakes = JSON.stringify({ children: Array(400_000).fill(1) });
      const response = await send('PUT', '/packages/a/b/1', 'application/json', mistakes);
      expect(response.status).toBe(400);
      expect((await response.text()).length).toBeLessThan(1000);
    });

    it('codegen: a form of many names is read', async () => {
      const names = Array.from({ length: 100_000 }, (_, index) => `n${index}`).join('&');
      const response = await send('POST', '/search', 'application/x-www-form-urlencoded', names);
      expect(response.status).toBe(400);
      expect((await response.text()).length).toBeLessThan(1000);
    });
  });
}
