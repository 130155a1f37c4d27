import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { errors } from 'oidc-provider';
import { freePort } from '../../../../../test/support/free-port.js';

/** A user at the provider. */
export interface Account {
  /** Undefined if any is accepted. */
  password?: string;
  username: string;
  /** How many seconds the provider's clock is ahead of ours, as seen in its ID tokens. */
  clockAhead?: number;
  /** True if the provider gives no refresh token. */
  withoutRefresh?: boolean;
}

export const CLIENT = { id: 'adx', secret: 'geheim van de dienst & meer' };
const ID_TOKEN_SECONDS = 300;

/**
 * Starts `oidc-provider`, which rotates its refresh tokens and ends all of a user if one is used
 * twice. It has no password grant, so this adds one, with the reasons of Keycloak.
 *
 * @param accounts - the users, by their logins at the provider; undefined for a provider as it
 *   comes
 */
export async function startOidcServer(accounts?: Map<string, Account>) {
  const state = {
    /** Answers a request instead of the provider, or lets it wait and returns false. */
    intercept: undefined as
      | ((request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>)
      | undefined,
    requests: [] as string[],
  };
  const server = createServer();
  const port = await freePort();
  async function listen() {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  await listen();
  const issuer = `http://127.0.0.1:${port}`;

  /** Makes the provider sign with a new key, the only one that it then publishes. */
  async function rotateKeys() {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: 'sig' };
    const provider = createProvider(issuer, accounts, { keys: [{ ...jwk, alg: 'RS256' }] });
    const handle = provider.callback();
    server.removeAllListeners('request');
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      state.requests.push(request.url ?? '');
      if ((await state.intercept?.(request, response)) !== true) void handle(request, response);
    });
  }
  await rotateKeys();
  return {
    ...{ issuer, state, rotateKeys },
    /** Begins to listen again, on the same port and with the same tokens. */
    listen,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function createProvider(
  issuer: string,
  accounts: Map<string, Account> | undefined,
  jwks: { keys: object[] },
) {
  const provider = new Provider(issuer, {
    jwks,
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: [...(accounts ? ['password'] : []), 'refresh_token'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 300, Grant: 3600, IdToken: ID_TOKEN_SECONDS, RefreshToken: 3600 },
    conformIdTokenClaims: false,
    claims: { profile: ['preferred_username'] },
    scopes: ['openid', 'offline_access', 'profile'],
    findAccount: (_ctx, id) => {
      const account = accounts?.get(id);
      if (account === undefined) return undefined;
      const claims = () => ({ sub: id, preferred_username: account.username });
      return { accountId: id, claims };
    },
  });
  if (accounts !== undefined) addPasswordGrant(provider, accounts);
  return provider;
}

function addPasswordGrant(provider: Provider, accounts: Map<string, Account>) {
  provider.registerGrantType<{ username: string; password: string; scope: string }>(
    'password',
    async (ctx) => {
      const { username, password, scope } = ctx.oidc.params;
      const account = accounts.get(username);
      if (account === undefined || (account.password ?? password) !== password) {
        throw Object.assign(new errors.InvalidGrant('-'), {
          error_description: 'Invalid user credentials',
        });
      }
      const { client } = ctx.oidc;
      const grant = new provider.Grant({ accountId: username, clientId: client.clientId });
      grant.addOIDCScope(scope);
      const grantId = await grant.save();
      const token = { accountId: username, client, grantId, gty: 'password', scope };
      const idToken = new provider.IdToken({}, { ctx });
      idToken.set('sub', username);
      idToken.set('preferred_username', account.username);
      const now = Math.floor(Date.now() / 1000) + (account.clockAhead ?? 0);
      // Some providers say from when the ID token is valid.
      idToken.set('nbf', now);
      ctx.body = {
        access_token: await new provider.AccessToken(token as never).save(),
        token_type: 'Bearer',
        id_token: await idToken.issue({
          use: 'idtoken',
          expiresAt: now + ID_TOKEN_SECONDS,
        }),
        ...(!account.withoutRefresh && {
          refresh_token: await new provider.RefreshToken(token as never).save(),
        }),
      };
    },
    ['username', 'password', 'scope'],
  );
}
