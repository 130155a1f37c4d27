import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { startTestService, type TestService } from '../../../../test/support/test-service.js';

const AWS = 'https://cognito-idp.eu-west-1.amazonaws.com';
const SECRET = 'geheim van de client';
const folder = mkdtempSync(join(tmpdir(), 'adx-cognito-'));
let cognito: ChildProcess;
/** Where cognito-local listens. */
let upstream: string;
/** Passes requests on to cognito-local, and records them. */
const front = createServer();
const sent: { AuthFlow: string; AuthParameters: Record<string, string> }[] = [];
let answer: ((target: string) => { status: number; body: string } | undefined) | undefined;
let service: TestService;
let apiKey: string;
let userPoolId: string;
let clientId: string;

/** Calls an operation of cognito-local, whose administrator needs no credentials. */
async function administer(operation: string, body: object) {
  const response = await fetch(upstream, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/local/cognito-idp/aws4_request',
    },
    body: JSON.stringify(body),
  });
  return JSON.parse(await response.text());
}

beforeAll(async () => {
  front.on('request', async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const target = String(request.headers['x-amz-target'] ?? request.url);
    if (target.endsWith('InitiateAuth')) sent.push(JSON.parse(body));
    const own = answer?.(target);
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    if (own) return void response.writeHead(own.status, headers).end(own.body);
    const passed = await fetch(new URL(request.url ?? '/', upstream), {
      method: request.method ?? 'GET',
      headers: { ...headers, 'x-amz-target': target },
      body: request.method === 'POST' ? body : null,
    });
    response.writeHead(passed.status, headers).end(await passed.text());
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');

  const { port } = (await freePort()) as { port: number };
  upstream = `http://127.0.0.1:${port}`;
  mkdirSync(join(folder, '.cognito'));
  writeFileSync(
    join(folder, '.cognito', 'config.json'),
    JSON.stringify({ TokenConfig: { IssuerDomain: AWS } }),
  );
  const program = createRequire(import.meta.url).resolve('cognito-local/lib/bin/start.js');
  cognito = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port) },
    stdio: 'ignore',
  });
  await eventually(() => fetch(upstream), 30_000);
  const { UserPool } = await administer('CreateUserPool', { PoolName: 'adx' });
  userPoolId = UserPool.Id;
  const { UserPoolClient } = await administer('CreateUserPoolClient', {
    ...{ ClientName: 'adx', UserPoolId: userPoolId },
  });
  clientId = UserPoolClient.ClientId;
  service = await startTestService({
    settings: {
      IDENTITY_PROVIDER: 'cognito',
      COGNITO_REGION: 'eu-west-1',
      COGNITO_USER_POOL_ID: userPoolId,
      COGNITO_CLIENT_ID: clientId,
      COGNITO_CLIENT_SECRET: SECRET,
      COGNITO_USERNAME_CLAIM: 'email',
      COGNITO_ENDPOINT: `http://127.0.0.1:${(front.address() as AddressInfo).port}/`,
    },
  });
  apiKey = (await service.issueApiKey()).key;
}, 60_000);

afterAll(async () => {
  await service?.close();
  front.closeAllConnections();
  front.close();
  cognito?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address;
}

async function token(body: object) {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const response = await service.raw('/token', {
    ...{ method: 'POST', headers },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    body: (await response.json()) as { refreshToken?: string; idToken?: string; error?: string },
  };
}

const PASSWORD = 'Goed-paard-1';
const signIn = (username: string, password = PASSWORD) =>
  token({ username, password: Buffer.from(password).toString('base64') });

/** Registers a user here, and with an address as the username in the pool. */
async function createUser(permanent = true) {
  const { username } = await service.createUser({ firmId: await service.createFirm() });
  const user = { UserPoolId: userPoolId, Username: username };
  const created = await administer('AdminCreateUser', {
    ...user,
    UserAttributes: [{ Name: 'email', Value: username.toUpperCase() }],
    TemporaryPassword: PASSWORD,
  });
  if (permanent) {
    const Username = created.User.Username;
    const set = { ...user, Username, Password: PASSWORD, Permanent: true };
    await administer('AdminSetUserPassword', set);
  }
  return { username, poolUsername: created.User.Username as string };
}

test('§4.1 Cognito checks the password and refreshes, and the tokens are ours', async () => {
  const { username, poolUsername } = await createUser();
  const { status, body } = await signIn(poolUsername);
  expect(status).toBe(200);
  expect(body.refreshToken).toMatch(/^adx_refresh_/);
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${body.idToken}` };
  expect((await service.raw('/hello-world', { headers })).status).toBe(200);
  for (let n = 0; n < 2; n += 1) {
    const refreshed = await token({ refreshToken: body.refreshToken });
    expect([refreshed.status, Object.keys(refreshed.body)]).toEqual([200, ['idToken']]);
  }
  // cognito-local does not verify the secret hash, so its documented form is compared.
  const hash = createHmac('sha256', SECRET)
    .update(poolUsername + clientId)
    .digest('base64');
  expect(sent.map(({ AuthFlow }) => AuthFlow)).toEqual([
    'USER_PASSWORD_AUTH',
    'REFRESH_TOKEN_AUTH',
    'REFRESH_TOKEN_AUTH',
  ]);
  for (const { AuthParameters } of sent) expect(AuthParameters['SECRET_HASH']).toBe(hash);
  expect(username).not.toBe(poolUsername);
});

test('§7 a refusal of Cognito has its reason, a challenge its name, an unknown user ours', async () => {
  const { poolUsername } = await createUser();
  const refused = (error: unknown) => ({ status: 500, body: { error } });
  expect(await signIn(poolUsername, 'Fout-paard-1')).toMatchObject(refused('Invalid password'));
  const fresh = await createUser(false);
  expect(await signIn(fresh.poolUsername)).toMatchObject(refused('NEW_PASSWORD_REQUIRED'));
  await service.knex('users').where({ username: (await createUser()).username });
  const unknown = await createUser();
  await service.knex('users').where({ username: unknown.username }).update({ username: 'weg' });
  expect(await signIn(unknown.poolUsername)).toMatchObject(refused('Authentication failed'));
});

test('D-56 a failure of Cognito is 503: outage, throttling, a wrong secret, an ID token that is not valid', async () => {
  const { poolUsername } = await createUser();
  const error = (type: string, message = '-') => JSON.stringify({ __type: type, message });
  const idToken = (text: string) => JSON.stringify({ AuthenticationResult: { IdToken: text } });
  for (const own of [
    { status: 400, body: error('TooManyRequestsException') },
    { status: 400, body: error('InvalidParameterException', 'flow not enabled') },
    { status: 400, body: error('NotAuthorizedException', 'Unable to verify secret hash') },
    { status: 500, body: error('InternalErrorException') },
    { status: 200, body: '{}' },
    { status: 200, body: idToken('a.b.c') },
  ]) {
    answer = (target) => (target.endsWith('InitiateAuth') ? own : undefined);
    expect(await signIn(poolUsername)).toMatchObject({ status: 503 });
  }
  // An access token of the pool is not an ID token.
  answer = undefined;
  const { AuthenticationResult: tokens } = await administer('InitiateAuth', {
    ...{ AuthFlow: 'USER_PASSWORD_AUTH', ClientId: clientId },
    AuthParameters: { USERNAME: poolUsername, PASSWORD },
  });
  const [header, payload, signature] = String(tokens.IdToken).split('.');
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
  const changed = Buffer.from(JSON.stringify({ ...claims, email: 'x' })).toString('base64url');
  for (const text of [tokens.AccessToken, `${header}.${changed}.${signature}`]) {
    answer = (target) =>
      target.endsWith('InitiateAuth') ? { status: 200, body: idToken(text) } : undefined;
    expect(await signIn(poolUsername)).toMatchObject({ status: 503 });
  }
  answer = undefined;
  expect((await signIn(poolUsername)).status).toBe(200);
});
