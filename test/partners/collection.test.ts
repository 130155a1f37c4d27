import { runInNewContext } from 'node:vm';
import { spec } from '@adx/contract/spec';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { postmanCollection } from '../../docs/reference/postman-collection.js';
import { readModel } from '../../docs/reference/read-model.js';
import { startTestService } from '../support/test-service.js';
import { expectedStatuses, filledCollection } from './collection.js';

test('D-54 each call of the collection for Postman reaches its operation', async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const user = await service.createUser({
    firmId: await service.createFirm('Kantoor Maes', { codbUpload: true }),
  });
  const { key: apiKey } = await service.issueApiKey();
  const signedIn: Record<string, string> = {
    baseUrl: service.baseUrl,
    apiKey,
    usernameInJson: user.username,
    passwordInBase64: Buffer.from(user.password).toString('base64'),
    idToken: await service.idToken(user),
  };
  const { auth, item: folders, variable } = filledCollection(signedIn);
  const values = Object.fromEntries(variable.map(({ key, value }) => [key, value]));
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
  const items = folders.flatMap(({ item }) => item);
  async function call({ method, header, url, body }: (typeof items)[number]['request']) {
    const address = url.variable.reduce(
      (text, { key, value }) => text.replace(`:${key}`, value),
      url.raw,
    );
    const headers = new Headers(header.map(({ key, value }) => [key, filled(value)]));
    headers.set('authorization', `Bearer ${filled(auth.bearer[0]?.value ?? '')}`);
    if (body) headers.set('content-type', 'application/json');
    return fetch(filled(address), {
      method,
      headers,
      ...(body && { body: filled(body.raw) }),
    });
  }
  const answers = new Map<string, number>();
  for (const { name, request } of items) answers.set(name, (await call(request)).status);
  expect(Object.fromEntries(answers)).toEqual(expectedStatuses);

  const customers = folders.find(({ name }) => name === 'Customers')?.item ?? [];
  const [list] = customers;
  const [{ id }] = list === undefined ? [] : await (await call(list.request)).json();
  values['customerId'] = id;
  const ofCustomer = customers.filter(({ request }) => request.url.raw.endsWith(':customerId'));
  const statuses: number[] = [];
  for (const { request } of ofCustomer) statuses.push((await call(request)).status);
  expect(statuses).toEqual([200, 200, 200]);
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
    const {
      event,
      item: folders,
      variable,
    } = filledCollection({
      baseUrl: service.baseUrl,
      apiKey,
      username,
    });
    const variables = new Map<string, unknown>(variable.map(({ key, value }) => [key, value]));
    const [before = '', after = ''] = event.map(({ script }) => script.exec.join('\n'));
    const statuses: number[] = [];
    /** Runs the script as the program does before a request. Bruno takes a refusal for an error. */
    async function runScript(requestName = 'Hello world'): Promise<void> {
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
      const info = { requestName };
      const pm = { info, collectionVariables: variables, variables: { replaceIn }, sendRequest };
      const console = {
        error: (text: string) => expect(text).toMatch(/^Signing in has failed: \{/),
      };
      // Postman has other names too, and warns of those that it deprecates, such as btoa.
      runInNewContext(before, { pm, Buffer, Date, console });
      await sent;
    }

    const wrong = 'a "quoted" \\ café {{x}}';
    variables.set('password', wrong);
    if (program === 'Bruno') await runScript();
    else await expect(runScript()).rejects.toThrow('Signing in is refused: {');
    // The call itself is made without a token, and refused.
    const refuse = (code: number) =>
      runInNewContext(after, { pm: { collectionVariables: variables, response: { code } } });
    for (const _ of [1, 2]) {
      refuse(401);
      await expect(runScript()).rejects.toThrow('or wait 15 minutes.');
    }
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

    // A sandbox that was made anew does not know its tokens.
    for (const code of [404, 401]) {
      refuse(code);
      await runScript();
    }
    expect(statuses).toEqual([500, 200, 200, 200]);

    variables.set('username', 'els "the boss" \\ maes');
    const signIn = folders.flatMap(({ item }) => item).find(({ name }) => name === nameOfSignIn);
    await runScript(nameOfSignIn);
    expect(statuses).toHaveLength(4);
    const body = signIn?.request.body?.raw.replace(
      /\{\{(\w+)\}\}/g,
      (_, name) => `${variables.get(name)}`,
    );
    expect(JSON.parse(body ?? '')).toMatchObject({ username: variables.get('username') });
  },
);

test('D-54 a collection is made of a spec without tags, and signs in by its operation', () => {
  const operation = (operationId: string, summary: string) => ({
    post: { operationId, summary, responses: { '204': { description: 'Done.' } } },
  });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', summary: 'All things.', version: '1' },
    paths: { '/sessions': operation('signIn', 'Sign in'), '/things': operation('add', 'Add') },
  };
  const { event, item } = postmanCollection(readModel(stringify(document)), document);
  expect(item.map(({ item: calls }) => calls.map(({ name }) => name))).toEqual([
    ['Sign in', 'Add'],
  ]);
  expect(JSON.stringify(event)).toContain('/sessions');
  expect(JSON.stringify(event)).not.toContain('/token');
});

const nameOfSignIn = spec.paths['/token']?.['post']?.summary ?? '';

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
