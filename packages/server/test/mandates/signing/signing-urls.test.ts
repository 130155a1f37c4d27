import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { createSigningUrls } from '../../../src/mandates/signing/signing-urls.js';
import { setUpMandates } from '../set-up-mandates.js';

const all = (status: string) => (statuses: readonly string[]) =>
  statuses.every((each) => each === status);

describe('D-25 signing URLs', () => {
  it('are the same in every process with the same secret, and differ with another secret', async () => {
    const work = await setUpMandates();
    const requestId = await work.requestOf(await work.create());
    const { firmId } = work.principal;
    const create = (secret: string, delivery = 1) =>
      createSigningUrls('https://adx.example', secret).create(work.knex, {
        ...{ requestId, firmId, delivery },
      });
    const [one, two] = ['one secret of a deployment, kept safe', 'another secret, kept safe too'];
    const link = await create(one);
    expect(link).toMatch(/^https:\/\/adx\.example\/sign\/[\w-]{43}$/);
    expect(await create(one)).toBe(link);
    expect(await create(two)).not.toBe(link);
    expect(await create(one, 2)).not.toBe(link);
  });

  it('D-20 are not in the database', async () => {
    const work = await setUpMandates();
    await work.startWorkers();
    const customerId = await work.create();
    await eventually(() => work.statuses(customerId), all('waitingForSigner'));
    const token = work.token();
    const { rows } = await work.knex.raw<{ rows: { name: string }[] }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
         from information_schema.tables
        where table_schema in ('public', 'graphile_worker')`,
    );
    for (const { name } of rows) {
      const found = await work.knex.raw(
        `select 1 from ${name} as r where position(? in r::text) > 0`,
        [token],
      );
      expect(found.rows, name).toEqual([]);
    }
  });
});
