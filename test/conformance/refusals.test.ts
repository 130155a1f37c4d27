import { expect, test } from 'vitest';
import { useFuzzTarget } from '../support/use-service.js';

const target = useFuzzTarget();

test.each([
  [{ refreshToken: 'x', username: 'els', password: 'eA==' }],
  [{ refreshToken: 'x', username: 'els' }],
  [{ refreshToken: 'x', password: 'eA==' }],
])('§7 token: both forms at once are refused with a plain message (%j)', async (body) => {
  const answer = await target.send('getToken', { body: JSON.stringify(body) });
  expect(answer).toMatchObject({ status: 400, body: { error: 'missingCredentials' } });
  expect(answer.body.details).toEqual([
    { path: '', message: 'send username and password, or refreshToken, not both' },
  ]);
});

test.each([
  ['none', undefined, 'Bearer'],
  ['another scheme', 'Basic eDp5', 'Bearer'],
  ['a malformed token', 'Bearer x', 'Bearer error="invalid_token"'],
  ['a malformed token, scheme in lower case', 'bearer x', 'Bearer error="invalid_token"'],
])('§5 401 has a WWW-Authenticate header: %s', async (_, authorization, challenge) => {
  const { status, headers } = await target.send('helloWorld', { headers: { authorization } });
  expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
});

test('§5 only 401 has a WWW-Authenticate header', async () => {
  for (const headers of [{}, { 'x-api-key': 'x' }]) {
    const answer = await target.send('helloWorld', { headers });
    expect(answer.headers.get('www-authenticate')).toBeNull();
  }
});
