import { setTimeout as wait } from 'node:timers/promises';
import { createFirmStore, createUserStore } from '@adx/server';
import { expect } from 'vitest';
import {
  createdFirm,
  createdUser,
  quickPasswordHash,
} from '../../../packages/server/test/support/users.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import type { Deployment, ServiceProcess } from './deployment.js';

/** A user of a firm who calls. */
export interface CallingFirm {
  readonly username: string;
  readonly password: string;
}

interface Created {
  readonly firm: CallingFirm;
  readonly email: string;
  readonly body: object;
  readonly key: string;
  /** The text of the answer. */
  readonly answer: string;
}

export async function addFirm({ knex }: Deployment, name: string): Promise<CallingFirm> {
  const firm = createdFirm(await createFirmStore(knex).create({ name, codbUpload: false }));
  const password = 'Zeer-Geheim-Wachtwoord-2026';
  const username = `${name}@kantoor.example`;
  const created = await createUserStore(knex).create({
    ...{ firmId: firm.id, username, passwordHash: await quickPasswordHash(password) },
    ...{ accessLevel: 'administrator', customers: 'all' },
  });
  createdUser(created);
  return { username, password };
}

/**
 * Starts firms that create customers and read them until they are stopped. They repeat a creation
 * that gets 503 with its `Idempotency-Key`.
 */
export function startCreating(
  deployment: Deployment,
  service: Pick<ServiceProcess, 'url'>,
  firms: readonly CallingFirm[],
  pauseMs: number,
) {
  const created: Created[] = [];
  const statuses = new Map<string, number>();
  let isEnding = false;
  let customers = 0;

  async function signIn({ username, password }: CallingFirm): Promise<string> {
    const body = { username, password: Buffer.from(password).toString('base64') };
    const answer = await deployment.call(service, '/token', { method: 'POST', body });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { idToken: string }).idToken;
  }

  async function callAsFirm(firm: CallingFirm): Promise<void> {
    const idToken = await signIn(firm);
    const call = async (...[path, options]: [string, object]) => {
      const answer = await deployment.call(service, path, { method: 'POST', idToken, ...options });
      statuses.set(`${answer.status}`, (statuses.get(`${answer.status}`) ?? 0) + 1);
      await wait(pauseMs);
      return answer;
    };
    while (!isEnding) {
      customers += 1;
      const email = `contact${customers}@bakkerij.example`;
      const { contact, ...fields } = newCustomer({ bankAccounts: [{ iban: newIban() }] });
      const body = { ...fields, contact: { ...contact, email } };
      const key = `customer-${customers}`;
      while (!isEnding) {
        const answer = await call('/customers/create', { body, idempotencyKey: key });
        if (answer.status === 200) {
          created.push({ firm, email, body, key, answer: await answer.text() });
          break;
        }
      }
      await call('/customers', { body: { search: 'bakkerij' } });
      await call('/coda-files', { body: {} });
    }
  }
  const lanes = firms.map(callAsFirm);
  return {
    created,
    /** How many answers had each status. */
    statuses,
    async stop(): Promise<void> {
      isEnding = true;
      await Promise.all(lanes);
    },
    /** Asserts that each creation that was answered is there, and is not repeated. */
    async expectStored(): Promise<void> {
      for (const firm of firms) {
        const idToken = await signIn(firm);
        for (const { body, key, answer } of created.filter((each) => each.firm === firm)) {
          const repeated = { method: 'POST', idToken, body, idempotencyKey: key };
          const again = await deployment.call(service, '/customers/create', repeated);
          expect(await again.text()).toBe(answer);
          const { id } = JSON.parse(answer);
          const found = await deployment.call(service, `/customers/${id}`, { idToken });
          expect(await found.json()).toMatchObject(body);
        }
      }
    },
  };
}
