import { createHmac } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/test-service.js';
import { toProviderSettings } from '../../src/identity/providers/provider-settings.js';
import { checkProvider } from '../../src/operator/doctor/check-provider.js';
import { settings as allSettings } from '../../src/settings.js';
import { AWS, type CognitoRequest, newPoolKey, PASSWORD, startCognito } from './cognito-server.js';
import { everyTextIn } from './every-text-in.js';
import { invalid, tokenCalls, unavailable } from './token-calls.js';

let cognito: Awaited<ReturnType<typeof startCognito>>;
let service: TestService;
let signIn: ReturnType<typeof tokenCalls>['signIn'];
let refresh: ReturnType<typeof tokenCalls>['refresh'];
let settings: Record<string, string>;
let pool: Awaited<ReturnType<typeof cognito.createPool>>;

beforeAll(async () => {
  cognito = await startCognito();
  pool = await cognito.createPool();
  settings = {
    IDENTITY_PROVIDER: 'cognito',
    COGNITO_USER_POOL_ID: pool.id,
    COGNITO_CLIENT_ID: pool.clientId,
    COGNITO_CLIENT_SECRET: pool.secret,
    COGNITO_USERNAME_CLAIM: 'email',
    COGNITO_ENDPOINT: `${cognito.endpoint}/`,
  };
  service = await startTestService({ settings });
  ({ signIn, refresh } = tokenCalls(service, (await service.issueApiKey()).key, PASSWORD));
}, 60_000);
afterAll(async () => {
  await service?.close();
  await cognito?.close();
});

const refused = (error: unknown) => ({ status: 500, body: { error } });

/** Registers a user here, and with the same address in the pool. */
async function createUser() {
  const { id, username } = await service.createUser({ firmId: await service.createFirm() });
  return { id, ...(await pool.createAccount(username)) };
}

async function createReadyUser() {
  const user = await createUser();
  await user.permanent();
  return user;
}

/** Answers an operation with tokens or an exception. */
function answer(operation: string, status: number, body: object | string) {
  cognito.state.intercept = async (request) =>
    request.operation === operation ? { status, body } : undefined;
}
const exception = (type: string, message = '-') => ({ __type: type, message });
const idTokenOf = async (username: string) => {
  const AuthParameters = { USERNAME: username, PASSWORD };
  const request = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: pool.clientId, AuthParameters };
  const { body } = await cognito.call('InitiateAuth', request);
  return body.AuthenticationResult?.IdToken ?? '';
};

test('§4.1 Cognito checks the password and refreshes, and the tokens are ours', async () => {
  const { username, poolUsername, id, delete: deleteAccount } = await createReadyUser();
  cognito.state.requests.length = 0;
  const { status, body } = await signIn(username);
  expect(status).toBe(200);
  expect(body.refreshToken).toMatch(/^adx_refresh_/);
  expect(decodeJwt(body.idToken ?? '')).toMatchObject({ sub: id, iss: 'http://localhost:3000' });
  for (let n = 0; n < 2; n += 1) {
    const refreshed = await refresh(body.refreshToken);
    expect([refreshed.status, Object.keys(refreshed.body)]).toEqual([200, ['idToken']]);
  }
  // cognito-local does not verify the secret hash, so its documented form is compared.
  const hashOf = (name: string) =>
    createHmac('sha256', pool.secret).update(`${name}${pool.clientId}`).digest('base64');
  const sent = cognito.state.requests.filter(({ operation }) => operation === 'InitiateAuth');
  expect(sent.map(({ body }) => [body.AuthFlow, body.AuthParameters?.['SECRET_HASH']])).toEqual([
    ['USER_PASSWORD_AUTH', hashOf(username)],
    ['REFRESH_TOKEN_AUTH', hashOf(poolUsername)],
    ['REFRESH_TOKEN_AUTH', hashOf(poolUsername)],
  ]);
  const stored = await everyTextIn(service.knex);
  expect(stored).not.toContain(sent[1]?.body.AuthParameters?.['REFRESH_TOKEN']);
  await deleteAccount();
  expect(await refresh(body.refreshToken)).toMatchObject(refused('User not authorized'));
  expect(await refresh(body.refreshToken)).toMatchObject(refused('Invalid refresh token'));
});

test('D-56 an account that was created anew with the same address is refused', {
  tags: 'long',
}, async () => {
  const { id, username, delete: deleteAccount } = await createReadyUser();
  expect((await signIn(username)).status).toBe(200);
  expect(await service.knex('users').where({ id }).first()).toMatchObject({
    ...{
      account_issuer: `${AWS}/${pool.id}`,
      account_subject: decodeJwt(await idTokenOf(username)).sub,
    },
  });
  await deleteAccount();
  await (await pool.createAccount(username)).permanent();
  const message = expect.stringContaining('signed in with another account');
  expect(await signIn(username)).toMatchObject({ status: 500, body: { message } });
});

test('§7 a refusal of Cognito has its reason, and what Cognito cannot tell is refused in our words', async () => {
  const ours = refused('Authentication failed');
  const user = await createUser();
  expect(await signIn(user.username)).toMatchObject(
    refused('Cognito asks for another step first: NEW_PASSWORD_REQUIRED'),
  );
  await user.permanent();
  expect(await signIn(user.username, 'Fout-paard-1')).toMatchObject(
    refused('Incorrect username or password.'),
  );
  expect((await signIn(user.username)).status).toBe(200);
  for (const [type, message] of [
    ['NotAuthorizedException', 'Incorrect username or password.'],
    ['NotAuthorizedException', 'Password attempts exceeded'],
    ['com.amazonaws#UserNotConfirmedException', 'User is not confirmed.'],
    ['PasswordResetRequiredException', 'Password reset required for the user'],
    ['UserLambdaValidationException', 'PreAuthentication failed with error No.'],
  ] as const) {
    answer('InitiateAuth', 400, exception(type, message));
    expect(await signIn(user.username), type).toMatchObject(refused(message));
  }
  answer('InitiateAuth', 200, { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 's' });
  expect(await signIn(user.username)).toMatchObject(
    refused(expect.stringMatching(/SOFTWARE_TOKEN_MFA$/)),
  );
  cognito.state.intercept = undefined;
  // Cognito calls the first two failures of the request.
  cognito.state.requests.length = 0;
  expect(await signIn('met spatie@kantoor.example')).toMatchObject(ours);
  expect(await signIn(user.username, 'p'.repeat(257))).toMatchObject(ours);
  expect(cognito.state.requests).toEqual([]);
  await service.knex('users').where({ id: user.id }).update({ disabled_on: new Date() });
  expect(await signIn(user.username)).toMatchObject(ours);
});

test('D-56 a failure of Cognito is 503, and counts as no failed sign-in', {
  tags: 'long',
}, async () => {
  const { username } = await createReadyUser();
  const { body } = await signIn(username);
  for (const [status, answered] of [
    [400, exception('TooManyRequestsException')],
    [429, exception('NotAuthorizedException')],
    [400, exception('InvalidParameterException', 'USER_PASSWORD_AUTH flow not enabled')],
    [400, exception('NotAuthorizedException', 'Unable to verify secret hash for client 1')],
    [400, exception('ResourceNotFoundException')],
    [403, exception('ForbiddenException')],
    [500, exception('NotAuthorizedException')],
    [502, '<html>'],
    [200, '{}'],
    [302, ''],
    [200, 'a'.repeat(1_100_000)],
  ] as const) {
    answer('InitiateAuth', status, answered);
    const name = JSON.stringify(answered).slice(0, 80);
    expect(await signIn(username), name).toMatchObject(unavailable);
  }
  expect(await refresh(body.refreshToken)).toMatchObject(unavailable);
  cognito.state.intercept = undefined;
  await cognito.stop();
  expect(await signIn(username)).toMatchObject(unavailable);
  expect(await refresh(body.refreshToken)).toMatchObject(unavailable);
  await cognito.listen();
  cognito.state.intercept = () => new Promise(() => {});
  expect(await signIn(username)).toMatchObject(unavailable);
  cognito.state.intercept = undefined;
  expect((await signIn(username)).status).toBe(200);
  expect((await refresh(body.refreshToken)).status).toBe(200);
});

test('D-56 only ID tokens of this client, with the keys of the pool and within a minute, are accepted', {
  tags: 'long',
}, async () => {
  const { username } = await createReadyUser();
  const text = await idTokenOf(username);
  const [first, second, foreign] = await Promise.all([newPoolKey(), newPoolKey(), newPoolKey()]);
  let published = first.jwk;
  let IdToken = '';
  cognito.state.intercept = ({ operation }: CognitoRequest) =>
    operation === 'InitiateAuth'
      ? { body: { AuthenticationResult: { IdToken } } }
      : { body: { keys: [published] } };
  const now = Math.floor(Date.now() / 1000);
  for (const [name, next, status] of [
    // The keys that were fetched by other tests are not used after a failure.
    ['with a foreign key', await foreign.sign(text), 503],
    ['right', await first.sign(text), 200],
    ['of another client', await first.sign(text, { aud: 'other' }), 503],
    ['of another pool', await first.sign(text, { iss: `${AWS}/local_other` }), 503],
    ['for access', await first.sign(text, { token_use: 'access' }), 503],
    ['without the claim', await first.sign(text, { email: undefined }), 503],
    ['without a signature', `${text.split('.').slice(0, 2).join('.')}.`, 503],
    // Anybody could enter the address of somebody else.
    ['unverified', await first.sign(text, { email_verified: false }), 500],
    ['verified as text', await first.sign(text, { email_verified: 'true' }), 200],
    ['ended 50 seconds ago', await first.sign(text, { exp: now - 50 }), 200],
    ['ended 70 seconds ago', await first.sign(text, { exp: now - 70 }), 503],
    ['valid in 50 seconds', await first.sign(text, { nbf: now + 50 }), 200],
    ['valid in 70 seconds', await first.sign(text, { nbf: now + 70 }), 503],
  ] as const) {
    IdToken = next;
    expect((await signIn(username)).status, name).toBe(status);
  }
  // A new key is fetched as soon as it is used. If the keys were fetched just before, one call
  // fails.
  vi.useFakeTimers({ toFake: ['Date'] });
  IdToken = await first.sign(text);
  expect((await signIn(username)).status).toBe(200);
  vi.setSystemTime(Date.now() + 61_000);
  published = second.jwk;
  IdToken = await second.sign(text);
  cognito.state.requests.length = 0;
  expect((await signIn(username)).status).toBe(200);
  published = foreign.jwk;
  IdToken = await foreign.sign(text);
  expect(await signIn(username)).toMatchObject(unavailable);
  const asked = cognito.state.requests.map(({ operation }) => operation);
  expect(asked).toEqual(['InitiateAuth', `/${pool.id}/.well-known/jwks.json`, 'InitiateAuth']);
  expect((await signIn(username)).status).toBe(200);
  vi.useRealTimers();
  cognito.state.intercept = undefined;
});

test('D-56 an app client that rotates refresh tokens is refreshed with GetTokensFromRefreshToken', {
  tags: 'long',
}, async () => {
  // cognito-local does not have this operation: its documented answer has a new token each time.
  const rotating = await startTestService({
    settings: { ...settings, COGNITO_REFRESH_ROTATION: 'true' },
  });
  try {
    const { username } = await rotating.createUser({ firmId: await rotating.createFirm() });
    const key = await newPoolKey();
    const user = await createReadyUser();
    const IdToken = await key.sign(await idTokenOf(user.username), { email: username });
    let valid = 0;
    cognito.state.intercept = ({ operation, body }) => {
      if (operation.startsWith('/')) return { body: { keys: [key.jwk] } };
      if (operation === 'GetTokensFromRefreshToken') {
        expect(body).toEqual({
          ...{ ClientId: pool.clientId, ClientSecret: pool.secret, RefreshToken: `token ${valid}` },
        });
        if (valid === 2) return { status: 400, body: exception('RefreshTokenReuseException') };
        valid += 1;
      }
      return { body: { AuthenticationResult: { IdToken, RefreshToken: `token ${valid}` } } };
    };
    const calls = tokenCalls(rotating, (await rotating.issueApiKey()).key, PASSWORD);
    const { refreshToken } = (await calls.signIn(username)).body;
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await calls.refresh(refreshToken)).status);
    expect(statuses).toEqual([200, 200, 500]);
    expect(await calls.refresh(refreshToken)).toMatchObject(invalid);
  } finally {
    cognito.state.intercept = undefined;
    await rotating.close();
  }
});

test('D-61 doctor asks Cognito for its keys, and whether it accepts the app client', async () => {
  const check = (changes: object = {}) =>
    checkProvider(toProviderSettings(allSettings.parse({ ...settings, ...changes })));
  expect(await check()).toEqual({
    ...{ name: 'identity provider', result: 'ok', found: `${AWS}/${pool.id}` },
  });
  for (const [changes, found] of [
    [{ COGNITO_CLIENT_ID: 'other' }, /^ResourceNotFoundException: /],
    [{ COGNITO_ENDPOINT: 'http://127.0.0.1:9' }, /does not answer as Cognito/],
  ] as const) {
    expect(await check(changes)).toMatchObject({
      ...{ result: 'problem', found: expect.stringMatching(found) },
      advice: expect.stringContaining('COGNITO_'),
    });
  }
  const found = async () => (await check()).found;
  answer('InitiateAuth', 400, exception('NotAuthorizedException', 'Unable to verify secret hash'));
  expect(await found()).toBe('NotAuthorizedException: Unable to verify secret hash');
  answer('InitiateAuth', 200, { AuthenticationResult: { IdToken: 'any' } });
  expect(await found()).toBe(`${AWS}/${pool.id} accepts a user who does not exist`);
  const keys = `/${pool.id}/.well-known/jwks.json`;
  answer(keys, 404, '<html>Not found</html>');
  expect(await found()).toMatch(new RegExp(`as Cognito: GET \\S+${keys}: it answered 404$`));
  cognito.state.intercept = undefined;
});
