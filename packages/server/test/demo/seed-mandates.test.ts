import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brusselsDay } from '../../src/dates/brussels-day.js';
import { demoAdministrator } from '../../src/demo/demo-firms.js';
import { prepareDemo } from '../../src/demo/prepare-demo.js';
import { createUserStore } from '../../src/identity/users.js';
import {
  createMandateDirectory,
  type ListedMandate,
} from '../../src/mandates/mandate-directory.js';
import { readHistory, readRequests } from '../../src/mandates/mandate-history.js';
import { knexForFile } from '../support/knex-for-file.js';
import { codaStatuses, codbStatuses } from './statuses.js';

const knex = await knexForFile();
const dataDir = mkdtempSync(join(tmpdir(), 'adx-demo-'));
let mandates: ListedMandate[];
beforeAll(async () => {
  await prepareDemo(knex, dataDir);
  const administrator = await createUserStore(knex).findCredentials(demoAdministrator);
  const { firmId } = administrator ?? expect.fail();
  mandates = await createMandateDirectory(knex).list({ firmId, closed: false });
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const inStatus = (status: string) => mandates.filter((each) => each.status === status);

describe('demo: the mandates at the first start', () => {
  test.each([
    ['CODA', codaStatuses],
    ['CODB', codbStatuses],
  ])('§3 the firm whose login is printed has %s mandates in every status', (product, statuses) => {
    const occurring = mandates.filter((each) => each.product === product);
    expect([...new Set(occurring.map(({ status }) => status))].sort()).toEqual(statuses);
  });

  test('§2.6 a consent that was signed has its last day: past where it is to be renewed', () => {
    const today = brusselsDay(new Date());
    const consents = mandates.flatMap((each) =>
      each.product === 'CODA' && each.connectorId !== undefined ? [each] : [],
    );
    const dated = (status: string) =>
      consents.filter((each) => each.status === status).map(({ validUntil = '' }) => validUntil);
    expect(dated('finished').length).toBeGreaterThan(0);
    for (const day of dated('finished')) expect(day > today).toBe(true);
    expect(dated('renewalRequired').length).toBeGreaterThan(0);
    for (const day of dated('renewalRequired')) {
      expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(day < today).toBe(true);
    }
  });

  test('D-10 a mandate in error says why, for every reason there is', () => {
    const codes = inStatus('error').map(({ error }) => error?.code);
    expect([...new Set(codes)].sort()).toEqual(['deliveryFailed', 'recipientRefused']);
  });

  test('demo: histories are those of the lifecycle, by a user of the firm, signers, operator and service', async () => {
    const actors = new Set<string>();
    for (const { id, status, createdOn } of mandates) {
      const history = await readHistory(knex, id);
      expect(history[0]).toMatchObject({ from: null, by: 'user', name: demoAdministrator });
      expect(history[0]?.happenedOn.toISOString()).toBe(createdOn);
      expect(history.at(-1)?.to).toBe(status);
      for (const [i, { from, happenedOn, by }] of history.entries()) {
        actors.add(by);
        if (i === 0) continue;
        expect(from).toBe(history[i - 1]?.to);
        expect(happenedOn.getTime()).toBeGreaterThan(history[i - 1]?.happenedOn.getTime() ?? 0);
      }
    }
    expect([...actors].sort()).toEqual(['operator', 'service', 'signer', 'user']);
  });

  test('demo: messages go to those who are asked to sign, and to nobody who has answered', async () => {
    const { rows } = await knex.raw<{ rows: { id: string; status: string }[] }>(
      `select m.id, m.status from mandates m
         join graphile_worker.jobs j on j.key like 'sendSignatureRequest:' || m.signature_request_id || ':%'`,
    );
    const awaited = await createMandateDirectory(knex).list({
      closed: false,
      statuses: ['created', 'waitingForSigner'],
    });
    expect(rows.map(({ id }) => id).sort()).toEqual(awaited.map(({ id }) => id).sort());
  });

  test('demo: no request is signed before it was sent, or sent before it was made', async () => {
    const [active] = inStatus('renewalRequired');
    const [expired] = inStatus('expired');
    for (const mandate of [active, expired]) {
      const [request] = await readRequests(knex, mandate?.id ?? '');
      const { createdOn, sentOn, expiresOn, answeredOn } = request ?? expect.fail();
      expect(sentOn?.getTime()).toBeGreaterThanOrEqual(createdOn.getTime());
      if (mandate === expired) expect(expiresOn?.getTime()).toBeLessThan(Date.now());
      else expect(answeredOn?.getTime()).toBeGreaterThanOrEqual(sentOn?.getTime() ?? 0);
    }
  });
});
