import type * as vitest from 'vitest';
import { createClient, ResponseError } from './client/index.gen.js';
import { startService } from './service.js';

type Vitest = Pick<typeof vitest, 'afterAll' | 'beforeAll' | 'describe' | 'expect' | 'it'>;

/** Defines the tests that call a service of the ordinary spec with its client. */
export function defineCalls({ afterAll, beforeAll, describe, expect, it }: Vitest): void {
  let service: Awaited<ReturnType<typeof startService>>;
  const address = (path: string) => `${service.baseUrl}${path}`;
  const clientWith = (credentials: Parameters<typeof createClient>[0] & object) =>
    createClient({ baseUrl: service.baseUrl, ...credentials });
  const client = () => clientWith({ credentials: { token: 't', machine: 'm' } });
  const refused = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => (error instanceof ResponseError ? error : undefined),
    );

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  describe('codegen: an ordinary spec, called over HTTP', () => {
    it('OpenAPI 3.1 §4.8.12 parameters of the query arrive as they were sent, in every style', async () => {
      const query = {
        kind: ['letter', 'invoice'] as ('letter' | 'invoice')[],
        labels: ['a b', 'c'],
        ids: [1, 2],
        words: ['één', 'twee'],
        created: { from: '2026-01-01', to: '2026-02-01' },
        period: { from: 2025, to: 2026 },
        size: { min: 1, max: 9 },
        archived: true,
      };
      await client().document.listDocuments(query);
      expect(service.seen()).toEqual([
        { query: { ...query, page_size: 20 }, headers: {}, method: 'GET' },
      ]);
    });

    it('OpenAPI 3.1 §4.8.12 lists keep items that contain a separator, and lists of one item', async () => {
      await client().document.listDocuments({ kind: ['letter'], ids: [7] });
      await client().document.listDocuments({ created: { from: '2026-01-01' }, words: ['a,b'] });
      expect(service.seen()).toMatchObject([
        { query: { kind: ['letter'], ids: [7] } },
        { query: { created: { from: '2026-01-01' }, words: ['a,b'] } },
      ]);
    });

    it('OpenAPI 3.1 §4.8.12 a plus sign is a space, and spaces around the items of a header are none', async () => {
      const headers = { 'x-trace': 'abc', 'x-tags': 'a, b', 'content-type': 'application/json' };
      await fetch(address('/documents?api_key=k&labels=a+b%7Cc'));
      const init = { method: 'POST', headers, body: '{"title":"x"}' };
      await fetch(address('/documents?api_key=k'), init);
      expect(service.seen()).toMatchObject([
        { query: { labels: ['a b', 'c'] } },
        { headers: { 'X-Tags': ['a', 'b'] } },
      ]);
    });

    it.each([
      ['page_size=1000', '/query/page_size'],
      ['page_size=many', '/query/page_size'],
      ['page_size=1&page_size=2', '/query/page_size'],
      ['other=1', '/query/other'],
      ['kind=parcel', '/query/kind/0'],
      ['created[from]=yesterday', '/query/created/from'],
    ])(
      'OpenAPI 3.1 §4.8.12 a query that the spec does not allow is refused: %s',
      async (query, path) => {
        const response = await fetch(address(`/documents?api_key=k&${query}`));
        expect(response.status).toBe(400);
        expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        expect(await response.json()).toMatchObject({ status: 400, errors: [{ path }] });
        expect(service.seen()).toEqual([]);
      },
    );

    it('OpenAPI 3.1 §4.8.12 parameters of headers arrive, also lists', async () => {
      const headers = { 'X-Trace': 'abc', 'X-Tags': ['a', 'b'] };
      await client().document.createDocument({ title: 'é' }, { headers });
      expect(service.seen()).toEqual([{ body: { title: 'é' }, headers }]);
      const short = { headers: { 'X-Trace': 'a' } };
      const error = await refused(client().document.createDocument({ title: 'x' }, short));
      expect(error).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/headers/X-Trace' }] },
      });
    });

    it('OpenAPI 3.1 §4.8.8 a path with a suffix does not hide one without, and the other way round', async () => {
      expect(await client().document.getDocument(1)).toEqual({ id: 1, title: 'a' });
      expect(await client().document.exportDocument(1, 'pdf')).toEqual(new Uint8Array([120]));
      expect(service.seen()).toEqual([
        { path: { document_id: 1 } },
        { document_id: 1, format: 'pdf' },
      ]);
      const error = await refused(client().document.getDocument(0));
      expect(error).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/path/document_id' }] },
      });
    });

    it('OpenAPI 3.1 §4.8.16 each success has its body and its headers', async () => {
      const options = { headers: { 'X-Trace': 'abc' } };
      const seen: (readonly [number, string | null])[] = [];
      const onResponse = (response: Response) =>
        seen.push([response.status, response.headers.get('location')]);
      const create = (title: string) =>
        client().document.createDocument({ title }, { ...options, onResponse });
      expect(await create('now')).toEqual({ id: 2, title: 'now' });
      expect(await create('later')).toEqual({ queued: true });
      expect(seen).toEqual([
        [201, '/documents/2'],
        [202, null],
      ]);
      let total: string | null = null;
      await client().document.listDocuments(
        {},
        {
          onResponse: ({ headers }) => {
            total = headers.get('x-total');
          },
        },
      );
      expect(total).toBe('3');
      const both = clientWith({ credentials: { token: 't', key: 'k' } });
      expect(await both.document.deleteDocument(1)).toBeUndefined();
      service.seen();
    });

    it('OpenAPI 3.1 §4.8.16 responses for a status, for its class and by default become errors', async () => {
      const options = { headers: { 'X-Trace': 'abc' } };
      const create = (title: string) =>
        refused(client().document.createDocument({ title }, options));
      expect(await create('taken')).toMatchObject({ status: 409, body: { title: 'Taken' } });
      expect(await create('gone')).toMatchObject({ status: 410, body: { title: 'Gone' } });
      const busy = await refused(client().document.listDocuments({ page_size: 99 }));
      expect(busy).toMatchObject({
        status: 503,
        body: { title: 'Busy' },
        operation: 'list-documents',
      });
      const missing = await refused(client().document.getDocument(9));
      expect(missing).toMatchObject({ status: 404, body: undefined });
      expect(await clientWith({}).client.status()).toEqual({ ok: true });
      service.seen();
    });

    it('OpenAPI 3.1 §4.8.14 bytes arrive as they were sent', async () => {
      const content = new Uint8Array([0, 1, 255]);
      await client().documentContent.uploadContent(1, content);
      const [uploaded] = service.seen();
      expect(new Uint8Array(uploaded as Uint8Array)).toEqual(content);
      expect(await client().documentContent.downloadContent(1)).toEqual(new Uint8Array([0, 255]));
    });

    it('OpenAPI 3.1 §4.8.14 a range of media types is bytes, whatever is sent', async () => {
      expect(await client().document.exportDocument(1, 'txt')).toEqual(new Uint8Array([120]));
      service.seen();
    });

    it('OpenAPI 3.1 §4.8.13 a body is in one of its media types, or absent if it is optional', async () => {
      expect(await client().notes.addNote(1, { text: 'x', author: 'Els' })).toBe('x\ny');
      await client().notes.addNote(1);
      const send = (type: string, body: string) =>
        fetch(address('/documents/1/notes?api_key=k'), {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        }).then(({ status }) => status);
      expect(await send('text/plain', 'Hallo')).toBe(200);
      expect(service.seen()).toEqual([
        { contentType: 'application/json', body: { text: 'x', author: 'Els' } },
        { contentType: undefined, body: undefined },
        { contentType: 'text/plain', body: 'Hallo' },
      ]);
      expect(await send('text/plain', 'x'.repeat(21))).toBe(400);
      expect(await send('application/json', '{"text": 1}')).toBe(400);
      expect(await send('application/json', '{')).toBe(400);
      expect(await send('application/xml', '<x/>')).toBe(415);
      expect(service.seen()).toEqual([]);
    });

    it('OpenAPI 3.1 §4.8.13 a required body that is absent is refused', async () => {
      const create = (init: RequestInit) =>
        fetch(address('/documents?api_key=k'), {
          method: 'POST',
          ...init,
          headers: { 'x-trace': 'abc', ...init.headers },
        }).then(async (response) => [response.status, await response.json()] as const);
      const missing = [400, { errors: [{ path: '/body', message: 'is required' }] }];
      expect(await create({})).toMatchObject(missing);
      expect(await create({ headers: { 'content-type': 'application/json' } })).toMatchObject(
        missing,
      );
      const unknown = {
        body: '{"title":"x","nope":1}',
        headers: { 'content-type': 'application/json' },
      };
      expect(await create(unknown)).toMatchObject([
        400,
        { errors: [{ path: '/body', message: 'must NOT have additional properties: nope' }] },
      ]);
      const inChunks = { ...unknown, body: new Blob([unknown.body]).stream(), duplex: 'half' };
      expect(await create(inChunks as RequestInit)).toEqual(await create(unknown));
    });

    it('OpenAPI 3.1 §4.8.14 forms keep numbers, lists and every character', async () => {
      await client().document.search({ text: 'a&b=é +', limit: 3, kind: ['letter'] });
      await client().document.search({ text: 'x', kind: ['letter', 'invoice'] });
      expect(service.seen()).toEqual([
        { text: 'a&b=é +', limit: 3, kind: ['letter'] },
        { text: 'x', kind: ['letter', 'invoice'] },
      ]);
      const error = await refused(client().document.search({ text: 'x', limit: 'many' as never }));
      expect(error).toMatchObject({ status: 400, body: { errors: [{ path: '/body/limit' }] } });
    });

    it('OpenAPI 3.1 §4.8.14 a caller that asks for another media type gets it', async () => {
      const get = (accept: string) =>
        fetch(address('/documents/1?api_key=k'), { headers: { accept } }).then(async (response) => [
          response.headers.get('content-type')?.split(';')[0],
          await response.text(),
        ]);
      expect(await get('text/csv')).toEqual(['text/csv', 'id,title\n1,a']);
      expect(await get('*/*')).toEqual(['application/json', '{"id":1,"title":"a"}']);
      service.seen();
    });

    it('OpenAPI 3.1 §4.8.30 a call meets one of the requirements, with all of its schemes', async () => {
      const read = (by: ReturnType<typeof client>) => by.document.getDocument(1);
      type Call = (by: ReturnType<typeof client>) => Promise<unknown>;
      const status = (credentials: Record<string, string>, run: Call = read) =>
        refused(run(clientWith({ credentials }))).then((error) => error?.status ?? 200);
      const remove: Call = (by) => by.document.deleteDocument(1);
      expect(await status({ token: 't' })).toBe(200);
      expect(await status({ key: 'k' })).toBe(200);
      expect(await status({ token: 'wrong' })).toBe(401);
      expect(await status({ token: 'expired' })).toBe(403);
      expect(await status({ token: 't', key: 'k' }, remove)).toBe(200);
      expect(await status({ token: 't', key: 'wrong' }, remove)).toBe(401);
      const tokenOnly = clientWith({ credentials: { token: 't' } });
      await expect(tokenOnly.document.deleteDocument(1)).rejects.toThrow(
        'deleteDocument needs credentials for token and key',
      );
      await expect(clientWith({}).document.getDocument(1)).rejects.toThrow(
        'getDocument needs credentials for token, or key',
      );
      service.seen();
    });

    it('OpenAPI 3.1 §4.8.27 bearer tokens, HTTP basic and API keys are sent where they belong', async () => {
      const signIn = (password: string) =>
        clientWith({ credentials: { password: async () => password } }).session.signIn();
      expect(await signIn('els:geheim')).toEqual({ token: 't' });
      expect(await refused(signIn('els:fout'))).toMatchObject({ status: 401 });
      const wrong = clientWith({ credentials: { machine: 'wrong' } }).document.exportDocument(
        1,
        'pdf',
      );
      expect(await refused(wrong)).toMatchObject({ status: 401 });
      const challenge = (path: string, method = 'GET', authorization = '') =>
        fetch(address(path), { method, headers: { authorization } }).then(({ headers }) =>
          headers.get('www-authenticate'),
        );
      expect(await challenge('/documents', 'GET', 'Bearer expired')).toBe(null);
      expect(await challenge('/documents')).toBe('Bearer');
      expect(await challenge('/sign-in', 'POST')).toBe('Basic realm="api"');
      expect(await challenge('/documents?api_key=k&page_size=0')).toBe(null);
    });

    it('OpenAPI 3.1 §4.8.9 other methods and paths are refused', async () => {
      const post = await fetch(address('/documents/1'), { method: 'POST' });
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, PATCH, DELETE']);
      expect((await fetch(address('/nowhere'))).status).toBe(404);
      const malformed = await fetch(address('/documents/%zz?api_key=k'));
      expect(await malformed.json()).toMatchObject({ status: 400 });
    });
  });
}
