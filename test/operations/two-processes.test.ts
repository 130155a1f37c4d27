import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKeyStore, createUserStore } from '@adx/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type ServiceProcess, useDeployment } from './support/deployment.js';

const deployment = useDeployment();
let first: ServiceProcess;
let second: ServiceProcess;
/** The limit in calls per minute: more than a test needs, except one that has its own key. */
const limit = 120;
beforeAll(async () => {
  // Both have the same public address, because it is the issuer of their tokens.
  const settings = {
    PUBLIC_URL: 'https://adx.example.org',
    RATE_LIMIT_PER_MINUTE: String(limit),
  };
  // At the same time, on a database without a signing key.
  [first, second] = await Promise.all([deployment.start(settings), deployment.start(settings)]);
});

describe('operations: two processes on one database', () => {
  it('accept each other’s tokens, also after they first started at the same time', async () => {
    const tokens = await Promise.all([deployment.signIn(first), deployment.signIn(second)]);
    for (const { idToken, refreshToken } of tokens) {
      for (const process of [first, second]) {
        expect((await deployment.call(process, '/hello-world', { idToken })).status).toBe(200);
        const body = { refreshToken };
        const refreshed = await deployment.call(process, '/token', { method: 'POST', body });
        expect(refreshed.status).toBe(200);
      }
    }
    expect(await deployment.knex('signing_keys').count()).toEqual([{ count: 1 }]);
    const keys = await Promise.all(
      [first, second].map(async ({ url }) => (await fetch(`${url}/.well-known/jwks.json`)).json()),
    );
    expect(keys[0]).toEqual(keys[1]);
  });

  it('D-23 share one rate limit, all of which an uneven load can use', async () => {
    const { idToken } = await deployment.signIn(first);
    const apiKeys = createApiKeyStore(deployment.knex);
    /** Calls one process three times as often as the other, until both refuse. */
    const callUntilRefused = async (): Promise<number> => {
      const { key: apiKey } = await apiKeys.issue({ partner: 'Tests', scopes: [] });
      const hello = (process: ServiceProcess) =>
        deployment.call(process, '/hello-world', { idToken, apiKey });
      let allowed = 0;
      for (let refused = 0; refused < 4; ) {
        const answers = [await hello(first), await hello(first), await hello(first)];
        answers.push(await hello(second));
        allowed += answers.filter(({ status }) => status === 200).length;
        refused = answers.filter(({ status }) => status === 429).length;
      }
      return allowed;
    };
    // Again if a new minute has begun meanwhile, which allows as many calls again.
    const inOneMinute = async (): Promise<number> => {
      const minute = Math.floor(Date.now() / 60_000);
      const allowed = await callUntilRefused();
      return Math.floor(Date.now() / 60_000) === minute ? allowed : inOneMinute();
    };
    expect(await inOneMinute()).toBe(limit);
  });

  it('D-18 a revoked API key and a disabled user are refused by both within seconds', {
    tags: 'long',
  }, async () => {
    const { knex, firmId } = deployment;
    const store = createApiKeyStore(knex);
    const { id, key } = await store.issue({ partner: 'Tests', scopes: [] });
    const { idToken } = await deployment.signIn(first);
    const hello = async (process: ServiceProcess) =>
      (await deployment.call(process, '/hello-world', { idToken, apiKey: key })).status;
    expect([await hello(first), await hello(second)]).toEqual([200, 200]);
    await store.revoke(id);
    const both = async () => {
      // The pause keeps the calls below the limit.
      await sleep(200);
      return [await hello(first), await hello(second)];
    };
    await eventually(both, (statuses) => statuses.every((status) => status === 403));

    const users = createUserStore(knex);
    const user = (await users.list()).find((each) => each.firmId === firmId);
    await users.disable(user?.id ?? '');
    const own = async (process: ServiceProcess) =>
      (await deployment.call(process, '/hello-world', { idToken })).status;
    const bothOwn = async () => {
      await sleep(200);
      return [await own(first), await own(second)];
    };
    await eventually(bothOwn, (statuses) => statuses.every((status) => status === 401));
  });
});
