import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { parseNewCustomer } from '../../src/customers/parse-customer.js';
import { brusselsDay } from '../../src/dates/brussels-day.js';
import { createKnex } from '../../src/db/knex.js';
import { createDemoContacts } from '../../src/demo/demo-contacts.js';
import { demoAdministrator } from '../../src/demo/demo-firms.js';
import { type DeliverFile, makeMove } from '../../src/demo/make-move.js';
import { prepareDemo } from '../../src/demo/prepare-demo.js';
import { createSimulator, startSimulator } from '../../src/demo/simulator.js';
import type { Principal } from '../../src/identity/principal.js';
import { createUserStore } from '../../src/identity/users.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { nextStatus, type Trigger } from '../../src/mandates/lifecycle.js';
import {
  createMandateDirectory,
  kindOf,
  type ListedMandate,
} from '../../src/mandates/mandate-directory.js';
import { readHistory, readRequests } from '../../src/mandates/mandate-history.js';
import { knexForFile } from '../support/knex-for-file.js';
import { seededRandom } from '../support/seeded-random.js';

const knex = await knexForFile();
const dataDir = mkdtempSync(join(tmpdir(), 'adx-demo-'));
beforeAll(async () => {
  await prepareDemo(knex, dataDir);
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const now = () => new Date();
const directory = createMandateDirectory(knex);
const open = () => directory.list({ closed: false });
const find = async (id: string) => (await directory.find(id)) ?? expect.fail(`${id} is gone`);
const simulator = (seed: number) => createSimulator({ knex, now, random: seededRandom(seed) });

async function inStatus(status: string, product = 'CODA'): Promise<ListedMandate> {
  const found = (await open()).find((each) => each.status === status && each.product === product);
  return found ?? expect.fail(`No ${product} mandate is ${status}`);
}

async function administrator(): Promise<Principal> {
  const user = await createUserStore(knex).findCredentials(demoAdministrator);
  const { id: userId, firmId } = user ?? expect.fail();
  return { userId, firmId, accessLevel: 'administrator', seesCustomers: 'all' };
}

describe('demo: each move goes through the service', () => {
  const move = async (
    mandate: ListedMandate,
    trigger: Parameters<typeof makeMove>[2],
    deliverFile: DeliverFile = async () => false,
  ) => {
    const contacts = createDemoContacts();
    await makeMove({ knex, contacts, now, createdMs: 60_000, deliverFile }, mandate, trigger);
  };

  test('§3 a consent ends after its last day, and is requested again by a user of the firm', async () => {
    const consent = (await open()).find(
      (each) => each.product === 'CODA' && each.connectorId && each.status === 'finished',
    );
    const { id } = consent ?? expect.fail();
    await move(await find(id), 'validityEnded');
    const ended = await find(id);
    expect(ended).toMatchObject({ status: 'renewalRequired', validUntil: expect.any(String) });
    expect('validUntil' in ended && (ended.validUntil ?? '') < brusselsDay(now())).toBe(true);
    expect(ended.updatedOn > (consent?.updatedOn ?? '')).toBe(true);

    await move(ended, 'requested');
    expect(await find(id)).toMatchObject({ status: 'created' });
    expect((await readHistory(knex, id)).at(-1)).toMatchObject({
      trigger: 'requested',
      by: 'user',
      name: demoAdministrator,
    });
  });

  test('§3 a request that nobody answers expires as its period ends', async () => {
    const mandate = await inStatus('waitingForSigner', 'CODB');
    await move(mandate, 'signingPeriodEnded');
    expect(await find(mandate.id)).toMatchObject({ status: 'expired' });
    const [request] = await readRequests(knex, mandate.id);
    expect(request?.expiresOn?.getTime()).toBeLessThan(Date.now());
  });

  test('§3 a contact signs by name, as on the signing page', async () => {
    const mandate = await inStatus('waitingForSigner', 'CODB');
    await move(mandate, 'signed');
    expect(await find(mandate.id)).toMatchObject({ status: 'waitingForPayrollProvider' });
    const { contact_name } = await knex('customers')
      .where({ id: mandate.customerId })
      .first('contact_name');
    expect(await readRequests(knex, mandate.id)).toEqual([
      expect.objectContaining({ answer: 'signed', isAnswered: true, signerName: contact_name }),
    ]);
  });

  test('§3 where a first file can be sent it is, and the service finishes the mandate; else it is reported', async () => {
    const mandate = await inStatus('confirmedByBank');
    const sent: string[] = [];
    await move(mandate, 'fileReceived', async ({ id }) => {
      sent.push(id);
      return true;
    });
    expect(sent).toEqual([mandate.id]);
    expect(await find(mandate.id)).toMatchObject({ status: 'confirmedByBank' });
    await move(mandate, 'fileReceived');
    expect(await find(mandate.id)).toMatchObject({ status: 'finished' });
  });

  test('§5 after a refusal the account is entered again, and its request is sent a little later', async () => {
    const refused = await inStatus('rejectedByBank');
    const { iban } = refused.product === 'CODA' ? refused : expect.fail();
    await move(refused, 'linked');
    expect((await find(refused.id)).closedOn).toBeInstanceOf(Date);
    const anew = (await open()).find((each) => each.product === 'CODA' && each.iban === iban);
    expect(anew).toMatchObject({ status: 'created', customerId: refused.customerId });
    const { rows } = await knex.raw(
      'select run_at > now() as later from graphile_worker.jobs where key = ?',
      [`sendSignatureRequest:${anew?.signatureRequestId}:1`],
    );
    expect(rows).toEqual([{ later: true }]);
  });
});

describe('demo: the simulator', () => {
  /** What it logs, line by line. */
  function recording() {
    const lines: { level: number; msg: string }[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(chunk));
        done();
      },
    });
    return { lines, logger: pino({ level: 'debug' }, stream) };
  }

  test('demo: it goes on by itself until it is stopped, and says so for debugging only', async () => {
    const { lines, logger } = recording();
    const running = startSimulator({ knex, now, random: seededRandom(3), logger, firstPauseMs: 1 });
    await vi.waitUntil(() => lines.length > 3, { timeout: 240_000 });
    await running.stop();
    const moves = lines.length;
    const entries = () => knex('mandate_history').count('* as n');
    const stopped = await entries();
    expect(lines.every(({ level }) => level === 20)).toBe(true);
    await running.stop();
    expect(await entries()).toEqual(stopped);
    expect(lines).toHaveLength(moves);
  });

  test('§3 after many moves statuses have changed, each by a step of the lifecycle', async () => {
    const before = await open();
    const { move } = simulator(1);
    for (let i = 0; i < 60; i += 1) await move(60_000);
    const after = await open();
    const { firmId } = await administrator();
    const places = (all: ListedMandate[]) =>
      new Set(all.filter((each) => each.firmId === firmId).map((m) => `${m.product} ${m.status}`));
    // Whoever takes the printed login still finds all of them.
    expect([...places(before)].filter((place) => !places(after).has(place))).toEqual([]);
    const statuses = new Map(before.map(({ id, status }) => [id, status]));
    const changed = after.filter(({ id, status }) => statuses.get(id) !== status);
    expect(changed.length).toBeGreaterThan(20);
    for (const mandate of changed) {
      for (const { from, to, trigger } of await readHistory(knex, mandate.id)) {
        if (from !== null) expect(nextStatus(kindOf(mandate), from, trigger as Trigger)).toBe(to);
      }
    }
  });

  test("demo: one's own customer is signed by oneself; after that the bank confirms and a file arrives", async () => {
    const customer = await createCustomerStore(knex, createCustomerMandates()).create(
      await administrator(),
      parseNewCustomer({
        enterpriseNumber: '0100.000.070',
        name: 'Eigen klant',
        accountingRef: 'E-1',
        address: { street: 'Veldstraat 1', zipCode: '9000', municipality: 'Gent', country: 'BE' },
        contact: { name: 'Ik', function: 'Zelf', email: 'ik@eigen.example', language: 'nl' },
        bankAccounts: [{ iban: 'BE24734000099938' }],
      }),
    );
    const own = async () =>
      (await open()).find(({ customerId }) => customerId === customer.id) ?? expect.fail();
    const { move } = simulator(2);
    for (let i = 0; i < 30; i += 1) await move(60_000);
    const { status, signatureRequestId = '' } = await own();
    expect(status).toBe('created');
    await createDemoContacts().answer(knex, signatureRequestId, 'signed', now());
    // One move in two is for a customer of one's own, where there is such a move.
    for (let i = 0; i < 30; i += 1) await move(60_000);
    expect((await own()).status).toBe('finished');
    const history = await readHistory(knex, (await own()).id);
    expect(history.map(({ trigger }) => trigger)).toEqual([
      ...['linked', 'requestSent', 'signed', 'bankConfirmed', 'fileReceived'],
    ]);
  });

  test('demo: it survives a lost database, and says so for debugging only', async () => {
    const nowhere = createKnex('postgresql://adx@127.0.0.1:1/adx');
    const { lines, logger } = recording();
    const running = startSimulator({
      ...{ knex: nowhere, now, random: Math.random, logger },
      firstPauseMs: 1,
    });
    await vi.waitUntil(() => lines.length > 2, { timeout: 240_000 });
    await running.stop();
    await nowhere.destroy();
    expect(new Set(lines.map(({ level, msg }) => `${level} ${msg}`))).toEqual(
      new Set(['20 demo: a move did not succeed']),
    );
  });
});
