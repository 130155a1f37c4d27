import { pino } from 'pino';
import { expect } from 'vitest';
import { startTestService } from '../../../../../test/support/test-service.js';
import { tokenCalls } from '../token-calls.js';
import { type Account, CLIENT, startOidcServer } from './oidc-server.js';

/** Starts a service whose users sign in at an OpenID Connect provider, and that provider. */
export async function startOidcService(atEnd: (close: () => Promise<void>) => void) {
  /** The users at the provider, by their logins. */
  const accounts = new Map<string, Account>();
  /** The lines of the log from `warn` on. */
  const logged: object[] = [];
  /** All lines of the log. */
  const log: string[] = [];
  const keep = (line: string) => {
    log.push(line);
    const entry = JSON.parse(line);
    if (entry.level >= 40) logged.push(entry);
  };
  const provider = await startOidcServer(accounts);
  // The service starts while the provider is away.
  await provider.stop();
  const service = await startTestService({
    logger: pino({}, { write: keep }),
    settings: {
      IDENTITY_PROVIDER: 'oidc',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    },
  });
  await provider.listen();
  atEnd(async () => {
    await service.close();
    await provider.stop();
  });
  const { key: apiKey } = await service.issueApiKey();

  const { token, signIn, refresh } = tokenCalls(service, apiKey, 'goed paard');

  let logins = 0;
  /** Registers a user here, and at the provider under another login. */
  async function createUser(account: Partial<Account> = {}) {
    logins += 1;
    const user = await service.createUser({ firmId: await service.createFirm() });
    const login = `login-${logins}`;
    accounts.set(login, {
      password: 'goed paard',
      username: user.username.toUpperCase(),
      ...account,
    });
    return { ...user, login };
  }

  return {
    ...{ accounts, logged, log, provider, service, apiKey, token, signIn, refresh, createUser },
    async signedIn(account: Partial<Account> = {}) {
      const user = await createUser(account);
      const { status, body } = await signIn(user.login);
      expect(status).toBe(200);
      return { ...user, ...body };
    },
    /** Returns the account to which a user is bound. */
    bound: (id: string) =>
      service.knex('users').where({ id }).first('account_issuer', 'account_subject'),
  };
}
