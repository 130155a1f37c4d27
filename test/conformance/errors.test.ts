import { expect, test } from 'vitest';
import { useSignedInService } from '../support/use-service.js';

const signedIn = useSignedInService();

async function get(path: string) {
  const { apiKey, idToken, service } = signedIn;
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${idToken}` };
  const response = await service.raw(path, { headers });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, id: response.headers.get('x-request-id'), body };
}

test.each(['/nowhere', '/customers/create/more', '/customer', '/customers/', '/token/x'])(
  'D-03 the path %s is 404, which says how addresses look',
  async (path) => {
    const message = expect.stringMatching(
      /^No operation has this path: addresses begin with http.*\/v1 and do not end in a slash\.$/,
    );
    expect(await get(path)).toMatchObject({ status: 404, body: { error: 'notFound', message } });
  },
);

test('D-03 each response has a unique X-Request-Id, which an error also contains', async () => {
  const seen = [];
  for (const path of ['/hello-world', '/nowhere', '/customers/x']) {
    const { id, body } = await get(path);
    expect(id).toMatch(/\S/);
    if (path !== '/hello-world') expect(body).toMatchObject({ requestId: id });
    seen.push(id);
  }
  expect(new Set(seen).size).toBe(seen.length);
});
