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
import { createMandateDirectory } from '../../../src/mandates/mandate-directory.js';
import { openTestStorage, type TestStorage } from '../../storage/open-test-storage.js';
import { createTestDatabase } from '../../support/database.js';

/** How far back the statements go, in days: fewer than those of the demo. */
const days = 8;

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
  return {
    ...{ knex, storage },
    mandates: () => createMandateDirectory(knex).list({ closed: false }),
    /** The mandates of the listed files, and how many files each has. */
    async listed(): Promise<Map<string, number>> {
      const { rows } = await knex.raw(
        `select m.id, count(*)::int as files from files f
           left join payroll_providers p on f.payroll_provider in (p.name_fr, p.name_nl)
           join mandates m on m.customer_id = f.customer_id and m.closed_on is null
                          and (m.iban = f.iban or m.payroll_provider_code = p.code)
          group by m.id`,
      );
      return new Map(rows.map(({ id, files }: { id: string; files: number }) => [id, files]));
    },
  };
}

async function deliveriesOf(demo: { knex: Knex; storage: TestStorage }) {
  const deliveries = await createDeliveries({ ...demo, days, now: () => demo.storage.clock.now });
  onTestFinished(() => deliveries.close());
  return deliveries;
}

describe('demo: deliveries', () => {
  test('D-28 files are delivered under the mandates that are active, and under no others', async () => {
    const demo = await freshDemo();
    // A few mandates of each product are enough.
    const { rows } = await demo.knex.raw(
      `select id from (select id, row_number() over (partition by product order by id) as place
                         from mandates where status = 'finished') m where place > 3`,
    );
    const ids = rows.map(({ id }: { id: string }) => id);
    await demo.knex('mandates').whereIn('id', ids).update({ status: 'expired', valid_until: null });
    const { deliverAll } = await deliveriesOf(demo);
    await deliverAll();
    const active = (await demo.mandates()).filter(({ status }) => status === 'finished');
    const listed = await demo.listed();
    expect([...listed.keys()].sort()).toEqual(active.map(({ id }) => id).sort());
    for (const { id, product } of active) {
      if (product === 'CODB') expect(listed.get(id)).toBe(12);
      else expect(listed.get(id)).toBeGreaterThan(0);
    }
    const sources = await demo.knex('uploads').distinct('source').orderBy('source').pluck('source');
    expect(sources).toEqual(['bank', 'payrollProvider']);
    expect(await demo.knex('uploads').whereNot('status', 'processed')).toEqual([]);

    // A later start goes on where this one ended; a day brings one statement for an account.
    const later = await deliveriesOf(demo);
    await later.deliverAll();
    expect(await demo.listed()).toEqual(listed);
    later.passDay();
    await later.deliverAll();
    const grown = [...(await demo.listed())].filter(([id, files]) => files !== listed.get(id));
    expect(grown.length).toBeGreaterThan(1);
    for (const [id, files] of grown) expect(files).toBe((listed.get(id) ?? 0) + 1);
  });

  test('§3 a mandate that waits gets its first file when it is asked for, and is finished', async () => {
    const demo = await freshDemo();
    const { deliver } = await deliveriesOf(demo);
    const mandates = await demo.mandates();
    const waiting = mandates.find(({ status }) => status === 'confirmedByBank') ?? expect.fail();
    expect(await deliver(waiting)).toBe(true);
    expect([...(await demo.listed()).keys()]).toEqual([waiting.id]);
    const after = await demo.mandates();
    expect(after.find(({ id }) => id === waiting.id)?.status).toBe('finished');
    // What was delivered is not delivered twice.
    expect(await deliver(waiting)).toBe(false);
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
    await vi.waitUntil(async () => (await demo.knex('files')).length > 4, { timeout: 240_000 });
    await running.stop();
    const stopped = await demo.knex('files').count();
    await running.stop();
    expect(await demo.knex('files').count()).toEqual(stopped);
  });
});
