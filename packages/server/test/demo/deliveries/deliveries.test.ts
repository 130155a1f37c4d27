import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import pino from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createKnex } from '../../../src/db/knex.js';
import { createDeliveries } from '../../../src/demo/deliveries/deliveries.js';
import { runDeliveries } from '../../../src/demo/deliveries/run-deliveries.js';
import { prepareDemo } from '../../../src/demo/prepare-demo.js';
import { scanUploads } from '../../../src/files/ingest/scan-uploads.js';
import { createFirmStore } from '../../../src/identity/firms.js';
import { createMandateDirectory } from '../../../src/mandates/mandate-directory.js';
import {
  keysOf,
  openTestStorage,
  type TestStorage,
  textOf,
} from '../../storage/open-test-storage.js';
import { createTestDatabase } from '../../support/database.js';

const coda = 'adx-coda-uploads';
const codb = 'adx-codb-uploads';

/** A demo that was just filled, with its storage and nobody at work in it. */
async function freshDemo() {
  const database = await createTestDatabase();
  const knex = createKnex(database.url, { poolSize: 2 });
  const dataDir = mkdtempSync(join(tmpdir(), 'adx-demo-'));
  onTestFinished(async () => {
    await knex.destroy();
    await database.drop();
    rmSync(dataDir, { recursive: true });
  });
  await prepareDemo(knex, dataDir);
  const storage = await openTestStorage();
  const firms = await createFirmStore(knex).list();
  const tenantOf = (name: string) =>
    firms.find((firm) => firm.name === name)?.tenant ?? expect.fail();
  return {
    ...{ knex, storage },
    first: tenantOf('Kantoor Maes'),
    second: tenantOf('Fiduciaire Lambot'),
    mandates: () => createMandateDirectory(knex).list({ closed: false }),
  };
}

async function deliveriesOf(demo: { knex: Knex; storage: TestStorage }) {
  const deliveries = await createDeliveries({ ...demo, now: () => demo.storage.clock.now });
  onTestFinished(() => deliveries.close());
  return deliveries;
}

const foldersOf = (keys: readonly string[]) =>
  new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/'))));

describe('demo: deliveries', () => {
  test('§2.7 files are put under the prefix of their firm: of active mandates, and of no others', async () => {
    const demo = await freshDemo();
    const { deliverAll } = await deliveriesOf(demo);
    await deliverAll();
    const active = (await demo.mandates()).filter(({ status }) => status === 'finished');
    const tenantOf = new Map(
      (await createFirmStore(demo.knex).list()).map(({ id, tenant }) => [id, tenant]),
    );
    const expected = (product: string) =>
      active
        .filter((mandate) => mandate.product === product)
        .map((mandate) => {
          const folder = `uploads/${tenantOf.get(mandate.firmId)}/demo`;
          if (mandate.product === 'CODA') return `${folder}/${mandate.iban}`;
          const number = mandate.enterpriseNumber.replaceAll('.', '');
          return `${folder}/${number}-${mandate.payrollProviderCode}`;
        });
    const statements = await keysOf(demo.storage, coda);
    expect(foldersOf(statements)).toEqual(new Set(expected('CODA')));
    expect(statements.every((key) => /\/\d{4}-\d\d-\d\d\.cod$/.test(key))).toBe(true);
    const [first = expect.fail()] = foldersOf(statements);
    const ofOne = statements.filter((key) => key.startsWith(`${first}/`));
    const texts = await Promise.all(ofOne.map((key) => textOf(demo.storage, coda, key)));
    // Two months have more than 35 banking days, each with a statement.
    expect(texts.join('').match(/^00000/gm)?.length).toBeGreaterThan(35);
    const payroll = await keysOf(demo.storage, codb);
    // §4.21 The second firm may not upload payroll files.
    const ofFirst = expected('CODB').filter((folder) => folder.includes(demo.first));
    expect(ofFirst.length).toBeLessThan(expected('CODB').length);
    expect(foldersOf(payroll)).toEqual(new Set(ofFirst));
    expect(payroll).toHaveLength(ofFirst.length * 12);
  });

  test('§3 a mandate that waits gets its first file when it is asked for, where its firm may upload', async () => {
    const demo = await freshDemo();
    const { deliver } = await deliveriesOf(demo);
    const mandates = await demo.mandates();
    const waiting = mandates.find(({ status }) => status === 'confirmedByBank') ?? expect.fail();
    expect(await deliver(waiting)).toBe(true);
    expect(await keysOf(demo.storage, coda)).toHaveLength(3);
    // What is on its way is not sent twice.
    expect(await deliver(waiting)).toBe(false);
    const firms = await createFirmStore(demo.knex).list();
    const second = firms.find(({ tenant }) => tenant === demo.second) ?? expect.fail();
    const payroll = mandates.find(
      ({ product, firmId }) => product === 'CODB' && firmId === second.id,
    );
    expect(await deliver(payroll ?? expect.fail())).toBe(false);
    expect(await keysOf(demo.storage, codb)).toEqual([]);
  });

  test('demo: a later start goes on where the last one ended; a day brings one file for an account', async () => {
    const demo = await freshDemo();
    await (await deliveriesOf(demo)).deliverAll();
    await scanUploads(demo, new Date());
    const before = [
      ...(await keysOf(demo.storage, coda)).map((key) => ({ bucket: coda, key })),
      ...(await keysOf(demo.storage, codb)).map((key) => ({ bucket: codb, key })),
    ];
    for (const { bucket, key } of before) await demo.storage.store.remove(bucket, key);

    const later = await deliveriesOf(demo);
    await later.deliverAll();
    expect(await keysOf(demo.storage, coda)).toEqual([]);
    expect(await keysOf(demo.storage, codb)).toEqual([]);
    later.passDay();
    await later.deliverAll();
    const next = await keysOf(demo.storage, coda);
    expect(next.length).toBeGreaterThan(10);
    expect(foldersOf(next).size).toBe(next.length);
    expect(new Set(next.map((key) => key.slice(-14))).size).toBe(1);
  });

  test('demo: it runs by itself until it is stopped, and an outage is tried again', async () => {
    const demo = await freshDemo();
    const deliveries = await deliveriesOf(demo);
    let rounds = 0;
    const failing = {
      ...deliveries,
      async deliverAll() {
        rounds += 1;
        if (rounds === 1) throw new Error('The storage does not answer');
        await deliveries.deliverAll();
      },
    };
    const running = runDeliveries(failing, { logger: pino({ level: 'silent' }), dayMs: 1 });
    const daysOf = async () =>
      new Set((await keysOf(demo.storage, coda)).map((key) => key.slice(-14))).size;
    await vi.waitUntil(async () => (await daysOf()) > 4, { timeout: 240_000 });
    await running.stop();
    const stopped = await keysOf(demo.storage, coda);
    await running.stop();
    expect(await keysOf(demo.storage, coda)).toEqual(stopped);
  });
});
