import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../support/test-service.js';
import { expectedStatuses, filledCollection } from './collection.js';

test('D-54 each call of the collection for Postman reaches its operation', async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const user = await service.createUser({
    firmId: await service.createFirm('Kantoor Maes', { codbUpload: true }),
  });
  const { key: apiKey } = await service.issueApiKey();
  const values: Record<string, string> = {
    baseUrl: service.baseUrl,
    apiKey,
    username: user.username,
    passwordInBase64: Buffer.from(user.password).toString('base64'),
    idToken: await service.idToken(user),
  };
  const { auth, item: folders } = await filledCollection(values);
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
  const answers = new Map<string, number>();
  for (const { name, request } of folders.flatMap(({ item }) => item)) {
    const { method, header, url, body } = request;
    const address = url.variable.reduce(
      (text, { key, value }) => text.replace(`:${key}`, value),
      url.raw,
    );
    const headers = new Headers(header.map(({ key, value }) => [key, filled(value)]));
    headers.set('authorization', `Bearer ${filled(auth.bearer[0]?.value ?? '')}`);
    if (body) headers.set('content-type', 'application/json');
    const answer = await fetch(filled(address), {
      method,
      headers,
      ...(body && { body: filled(body.raw) }),
    });
    answers.set(name, answer.status);
  }
  expect(Object.fromEntries(answers)).toEqual(expectedStatuses);
});

test('D-54 the collection for Postman signs in once for each user and service', async () => {
  const { event, variable } = await filledCollection({});
  const script = event.flatMap((each) => each.script.exec).join('\n');
  const values = new Map<string, unknown>(variable.map(({ key, value }) => [key, value]));
  const signedIn: unknown[] = [];
  // The functions of Postman that the script calls.
  const pm = {
    collectionVariables: values,
    sendRequest(request: { url: string }, answered: (error: null, answer: object) => void) {
      signedIn.push([request.url, values.get('username')]);
      answered(null, { code: 200, json: () => ({ idToken: 'a' }) });
    },
  };
  const user = { baseUrl: 'https://one.test/v1', username: 'els', password: 'p' };
  const other = { ...user, username: 'jan' };
  const elsewhere = { ...other, baseUrl: 'https://two.test/v1' };
  for (const given of [user, user, other, other, elsewhere, user]) {
    for (const [key, value] of Object.entries(given)) values.set(key, value);
    runInNewContext(script, { pm, btoa, unescape, encodeURIComponent });
  }
  expect(signedIn).toEqual([
    ['https://one.test/v1/token', 'els'],
    ['https://one.test/v1/token', 'jan'],
    ['https://two.test/v1/token', 'jan'],
    ['https://one.test/v1/token', 'els'],
  ]);
});
