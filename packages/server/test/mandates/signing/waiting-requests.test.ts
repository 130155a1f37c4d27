import { expect, onTestFinished, test } from 'vitest';
import { newObjectId } from '../../../src/identifiers/object-id.js';
import { releaseRequests } from '../../../src/mandates/signing/due-mails.js';
import { setUpMandates } from '../set-up-mandates.js';

test('D-36 at most 50 waiting requests of a firm are released at once, the oldest first in the queue', async () => {
  const work = await setUpMandates();
  const { knex, clock } = work;
  const waiting = () => knex('outgoing_mails').whereNotNull('waits_for').pluck('request_id');
  const first = await work.requestOf(await work.create());
  work.clock = new Date(clock.getTime() + 1000);
  const second = await work.requestOf(await work.create());
  await knex('outgoing_mails').update({ waits_for: 'firm' });
  await knex('graphile_worker._private_jobs').delete();
  const { customer_id, firm_id } = await knex('signature_requests').first();
  // Requests without mandates, which are released without a message.
  const others = Array.from({ length: 49 }, (_, place) => ({
    ...{ id: newObjectId(), customer_id, firm_id },
    created_on: new Date(clock.getTime() + 2000 + place),
  }));
  await knex('signature_requests').insert(others);
  await knex('outgoing_mails').insert(
    others.map(({ id }) => ({
      ...{
        id: `${id}.1`,
        kind: 'request',
        request_id: id,
        customer_id,
        firm_id,
        waits_for: 'firm',
      },
    })),
  );
  const budgets = { customer: 10, firm: 100, address: 100 };
  await releaseRequests(knex, budgets, () => work.clock);
  expect(await waiting()).toEqual([others[48]?.id]);
  const jobs = await knex('graphile_worker.jobs').orderBy('priority').select('key', 'priority');
  expect(jobs).toEqual([
    { key: `sendMail:${first}.1`, priority: 0 },
    { key: `sendMail:${second}.1`, priority: 1 },
  ]);
});

test('D-36 a waiting request that cannot be released does not delay the later ones of its firm, and the operator sees why', async () => {
  const work = await setUpMandates();
  const { knex, clock } = work;
  const customerIds: string[] = [];
  for (const seconds of [1, 2, 3]) {
    work.clock = new Date(clock.getTime() + seconds * 1000);
    customerIds.push(await work.create({ providers: ['sdworx'] }));
  }
  const [failing = '', ...others] = await Promise.all(customerIds.map(work.requestOf));
  await knex('outgoing_mails').update({ waits_for: 'firm' });
  await knex('graphile_worker._private_jobs').delete();
  await knex.raw(
    `alter table outgoing_mails add constraint unacceptable
       check (request_id <> '${failing}' or allowed_on is null)`,
  );
  onTestFinished(() => knex.raw('alter table outgoing_mails drop constraint unacceptable'));
  const budgets = { customer: 10, firm: 100, address: 100 };
  const release = releaseRequests(knex, budgets, () => work.clock);
  await expect(release).rejects.toThrow(`customer ${customerIds[0]}`);
  expect((await work.queued()).map(({ key }) => key).sort()).toEqual(
    [failing, ...others].map((id) => `sendMail:${id}.1`),
  );
  const sent = knex('outgoing_mails').orderBy('request_id');
  expect(await sent.select('waits_for', 'last_failure')).toEqual([
    { waits_for: null, last_failure: expect.stringContaining('unacceptable') },
    { waits_for: null, last_failure: null },
    { waits_for: null, last_failure: null },
  ]);
});

test('D-60 a request of a disabled firm waits, also one that was counted but not sent, and is sent once the firm is enabled', async () => {
  const work = await setUpMandates();
  const { knex } = work;
  const sent = () => work.mailServer.delivered.length;
  const release = () =>
    releaseRequests(knex, { customer: 10, firm: 100, address: 100 }, () => work.clock);
  const [counted, fresh] = [
    await work.requestOf(await work.create()),
    await work.requestOf(await work.create()),
  ];
  const failure = { mailer: { send: () => Promise.reject(new Error('no')), close: () => {} } };
  await expect(work.deliver(counted, failure)).rejects.toThrow('no');
  await knex('firms').update({ disabled_on: work.clock });
  for (const requestId of [counted, fresh]) await work.deliver(requestId);
  await release();
  expect(sent()).toBe(0);
  expect(await knex('outgoing_mails').pluck('waits_for')).toEqual(['firm', 'firm']);
  await knex('firms').update({ disabled_on: null });
  await knex('graphile_worker._private_jobs').delete();
  await release();
  expect(await knex('outgoing_mails').pluck('waits_for')).toEqual([null, null]);
  expect((await work.queued('request')).map(({ key }) => key).sort()).toEqual(
    [counted, fresh].map((id) => `sendMail:${id}.1`).sort(),
  );
  for (const requestId of [counted, fresh]) await work.deliver(requestId);
  expect(sent()).toBe(2);
});
