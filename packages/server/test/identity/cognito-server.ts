import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { freePort } from '../../../../test/support/free-port.js';

/** The region that is in the ids of the pools of cognito-local. */
export const AWS = 'https://cognito-idp.local.amazonaws.com';

/** The password of all accounts. */
export const PASSWORD = 'Goed-paard-1';

/** The parts of requests and responses of Cognito that the tests read. */
export interface CognitoBody {
  readonly UserPool?: { readonly Id: string };
  readonly UserPoolClient?: { readonly ClientId: string; readonly ClientSecret: string };
  readonly User?: { readonly Username: string };
  readonly AuthenticationResult?: { readonly IdToken: string };
  readonly AuthFlow?: string;
  readonly AuthParameters?: Readonly<Record<string, string>>;
  /** The name of an exception. */
  readonly __type?: string;
}

export interface CognitoRequest {
  /** The operation, or the path of a GET. */
  readonly operation: string;
  readonly body: CognitoBody;
}

interface CognitoResponse {
  readonly status?: number;
  readonly body: object | string;
}

/** The answer of Cognito to a wrong password. cognito-local has an exception of its own. */
const wrongPassword = {
  __type: 'NotAuthorizedException',
  message: 'Incorrect username or password.',
};

/**
 * Starts `cognito-local`, and a proxy in front of it that records requests and can change
 * responses.
 */
export async function startCognito() {
  const folder = mkdtempSync(join(tmpdir(), 'adx-cognito-'));
  mkdirSync(join(folder, '.cognito', 'db'), { recursive: true });
  const config = JSON.stringify({ TokenConfig: { IssuerDomain: AWS } });
  writeFileSync(join(folder, '.cognito', 'config.json'), config);
  const program = createRequire(import.meta.url).resolve('cognito-local/lib/bin/start.js');
  const server = spawn(process.execPath, ['--no-warnings', program], {
    cwd: folder,
    env: { HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let upstream = '';
  for await (const line of createInterface(server.stdout)) {
    upstream = /running on (http:\/\/[\d.:]+)/.exec(line)?.[1] ?? '';
    if (upstream !== '') break;
  }
  server.stdout.resume();

  /** Calls an operation of cognito-local, which asks for no credentials. */
  async function call(
    operation: string,
    body: object,
  ): Promise<{ status: number; body: CognitoBody }> {
    const response = await fetch(upstream, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/local/cognito-idp/aws4_request',
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as CognitoBody };
  }

  /** Creates a pool of users who sign in with their address, and an app client with a secret. */
  async function createPool() {
    const { UserPool } = (await call('CreateUserPool', { PoolName: 'adx' })).body;
    const id = UserPool?.Id ?? '';
    const client = { ClientName: 'adx', UserPoolId: id, GenerateSecret: true };
    const { UserPoolClient } = (await call('CreateUserPoolClient', client)).body;

    /** Creates an account with a temporary password, and a username that Cognito makes. */
    async function createAccount(address: string) {
      const { User } = (
        await call('AdminCreateUser', {
          ...{ UserPoolId: id, Username: address, TemporaryPassword: PASSWORD },
          MessageAction: 'SUPPRESS',
          UserAttributes: [
            { Name: 'email', Value: address },
            { Name: 'email_verified', Value: 'true' },
          ],
        })
      ).body;
      const account = { UserPoolId: id, Username: User?.Username ?? '' };
      const password = { ...account, Password: PASSWORD, Permanent: true };
      return {
        ...{ username: address, poolUsername: account.Username },
        permanent: () => call('AdminSetUserPassword', password),
        delete: () => call('AdminDeleteUser', account),
      };
    }
    const { ClientId: clientId = '', ClientSecret: secret = '' } = UserPoolClient ?? {};
    return { id, clientId, secret, createAccount };
  }

  const state = {
    requests: [] as CognitoRequest[],
    /** Answers a request instead of cognito-local. */
    intercept: undefined as
      | ((request: CognitoRequest) => Promise<CognitoResponse | undefined> | CognitoResponse)
      | undefined,
  };
  async function respond(request: CognitoRequest): Promise<CognitoResponse> {
    const own = await state.intercept?.(request);
    if (own !== undefined) return own;
    if (request.operation.startsWith('/')) {
      return { body: await (await fetch(upstream + request.operation)).text() };
    }
    const { status, body } = await call(request.operation, request.body);
    return { status, body: body.__type === 'InvalidPasswordException' ? wrongPassword : body };
  }
  const proxy = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const [, operation = request.url ?? ''] = String(request.headers['x-amz-target'] ?? '').split(
      '.',
    );
    const received = { operation, body: text && JSON.parse(text) };
    state.requests.push(received);
    const { status = 200, body } = await respond(received);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const port = await freePort();
  async function listen() {
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
  }
  async function stop() {
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
  }
  await listen();

  return {
    ...{ state, call, createPool, listen, stop, endpoint: `http://127.0.0.1:${port}` },
    async close() {
      await stop();
      server.kill();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Creates a key of the pool. cognito-local has only one, and no clock of its own, so tests sign its
 * ID tokens again.
 */
export async function newPoolKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const kid = crypto.randomUUID();
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return {
    jwk,
    sign: (idToken: string, changes: object = {}) =>
      new SignJWT({ ...decodeJwt(idToken), ...changes })
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(privateKey),
  };
}
