import { expect, test } from 'vitest';
import { startSignedInService } from '../../support/signed-in-service.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();

test.each([
  ['another secret', () => signedIn.idToken],
  ['cut short', () => signedIn.apiKey.slice(0, -1)],
  ['in another case', () => signedIn.apiKey.toUpperCase()],
])('§5 an API key that is %s is 403', async (_, apiKey) => {
  expect(await signedIn.call('helloWorld', { apiKey: apiKey() })).toMatchObject({
    ...{ status: 403, body: { error: 'invalidApiKey' } },
  });
});

test('§5 the ID token of another service is 401', async () => {
  const other = await startSignedInService();
  try {
    const { idToken } = other;
    expect(await signedIn.call('helloWorld', { idToken })).toMatchObject({
      ...{ status: 401, body: { error: 'unauthorized' } },
    });
  } finally {
    await other.service.close();
  }
});

test('§4.2 hello world: returns a confirmation if both are accepted, without any scope', async () => {
  const { key: apiKey } = await signedIn.service.issueApiKey([]);
  expect(await signedIn.call('helloWorld', { apiKey })).toMatchObject({
    status: 200,
    body: { message: expect.stringMatching(/\S/) },
  });
});
