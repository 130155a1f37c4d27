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
  const { auth, item: folders } = filledCollection(values);
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

test.each(['Postman', 'Bruno'])(
  'D-54 in %s the collection does not repeat a refused sign-in, and signs in again after a change of its variables',
  async (program) => {
    const service = await startTestService();
    onTestFinished(() => service.close());
    const { username, password } = await service.createUser({
      firmId: await service.createFirm('Kantoor Maes'),
    });
    const { key: apiKey } = await service.issueApiKey();
    const { event, variable } = filledCollection({
      baseUrl: service.baseUrl,
      apiKey,
      username,
    });
    const variables = new Map<string, unknown>(variable.map(({ key, value }) => [key, value]));
    const source = event[0]?.script.exec.join('\n') ?? '';
    const statuses: number[] = [];
    /** Runs the script as the program does before a request. Bruno takes a refusal for an error. */
    async function runScript(): Promise<void> {
      let sent: Promise<void> | undefined;
      const sendRequest = (
        { url, method, header, body }: PostmanRequest,
        done: PostmanCallback,
      ) => {
        sent = fetch(url, { method, headers: header, body: body.raw }).then(async (response) => {
          const text = await response.text();
          statuses.push(response.status);
          const isError = program === 'Bruno' && !response.ok;
          done(isError ? { status: response.status, message: text } : null, {
            code: response.status,
            text: () => text,
            json: () => JSON.parse(text),
          });
        });
      };
      const replaceIn = (text: string) =>
        text.replace(/^\{\{(\w+)\}\}$/, (_, name) => String(variables.get(name)));
      const pm = { collectionVariables: variables, variables: { replaceIn }, sendRequest };
      const console = {
        error: (text: string) => expect(text).toMatch(/^Signing in has failed: \{/),
      };
      runInNewContext(source, { pm, btoa, unescape, encodeURIComponent, Date, console });
      await sent;
    }

    const wrong = 'a "quoted" \\ café {{x}}';
    variables.set('password', wrong);
    if (program === 'Bruno') await runScript();
    else await expect(runScript()).rejects.toThrow('Signing in is refused: {');
    for (const _ of [1, 2]) await expect(runScript()).rejects.toThrow('or wait 15 minutes.');
    expect(statuses).toEqual([500]);
    expect(variables.get('passwordInBase64')).toBe(Buffer.from(wrong).toString('base64'));

    variables.set('password', password);
    for (const _ of [1, 2]) await runScript();
    expect([statuses, variables.get('idToken')]).toEqual([
      [500, 200],
      expect.stringMatching(/^ey/),
    ]);
    variables.set('signInAgainAt', Date.now() - 1);
    await runScript();
    expect(statuses).toEqual([500, 200, 200]);
  },
);

interface PostmanRequest {
  readonly url: string;
  readonly method: string;
  readonly header: Record<string, string>;
  readonly body: { readonly raw: string };
}

type PostmanCallback = (
  error: { status: number; message: string } | null,
  answer: PostmanAnswer,
) => void;

interface PostmanAnswer {
  readonly code: number;
  text(): string;
  json(): unknown;
}
