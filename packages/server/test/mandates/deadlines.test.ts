import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { endSigningPeriod, endValidity } from '../../src/mandates/tasks.js';
import { asAuthor } from '../support/as-author.js';
import { answerAsShown } from './answer-as-shown.js';
import { newConnectedIban } from './linked-customer.js';
import {
  declined,
  type MandateSetUp,
  type QueuedJob,
  setUpMandates,
  signed,
} from './set-up-mandates.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

const later = (instant: Date, ms: number) => new Date(instant.getTime() + ms);

/** Creates a customer whose contact has received a signature request. */
async function asked(work: MandateSetUp, links?: Parameters<MandateSetUp['create']>[0]) {
  const { customerId, requestId } = await work.ask(links);
  await work.knex.raw(
    `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
      where task_identifier = 'sendMail'`,
  );
  return { customerId, requestId };
}

/** Creates a consent that was signed at an instant, and returns it with its last day. */
async function consent(work: MandateSetUp, signedOn: string) {
  work.clock = new Date(signedOn);
  const { customerId } = await asked(work, { ibans: [newConnectedIban()] });
  await answerAsShown(work.knex, work.token(), signed, work.clock);
  const [mandate] = await work.mandates(customerId);
  return { customerId, id: mandate?.id ?? '', validUntil: mandate?.valid_until };
}

/** Runs the scheduled job once, before it is due, and returns the jobs in the queue after that. */
async function runEarly(work: MandateSetUp, task: string): Promise<readonly QueuedJob[]> {
  await work.knex.raw(
    `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now() - interval '1 s')
       from graphile_worker.jobs where task_identifier = ?`,
    [task],
  );
  return eventually(
    () => work.queued(task),
    (jobs) => jobs.length === 1 && Number(jobs[0]?.run_at) > Date.now() && jobs[0]?.attempts === 0,
  );
}

describe('D-24 the signing period', () => {
  it('is 30 days, to the millisecond', async () => {
    const work = await setUpMandates();
    const { customerId, requestId } = await asked(work);
    const end = later(work.clock, 30 * DAY);
    await endSigningPeriod(work.knex, { firmId: work.principal.firmId, requestId }, later(end, -1));
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
    await endSigningPeriod(work.knex, { firmId: work.principal.firmId, requestId }, end);
    expect(await work.statuses(customerId)).toEqual(['expired', 'expired']);
  });

  it('is ended by its job; a job that runs early runs again when it is due', async () => {
    const work = await setUpMandates();
    const { customerId } = await asked(work);
    const end = later(work.clock, 30 * DAY);
    work.clock = later(end, -MINUTE);
    await work.startWorkers();
    const [job] = await runEarly(work, 'endSigningPeriod');
    expect(Number(job?.run_at) - Date.now()).toBeGreaterThan(0);
    expect(Number(job?.run_at) - Date.now()).toBeLessThanOrEqual(MINUTE + 1000);
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
    work.clock = end;
    await work.hurry(
      () => work.statuses(customerId),
      (statuses) => statuses.every((status) => status === 'expired'),
    );
    expect(
      await eventually(
        () => work.queued(),
        ({ length }) => length === 0,
      ),
    ).toEqual([]);
  });

  it('does not block a queue whose clock is far ahead', async () => {
    const work = await setUpMandates();
    work.clock = new Date('2020-01-01T00:00:00.000Z');
    const { customerId } = await asked(work);
    await work.startWorkers();
    const other = await work.create();
    await eventually(
      () => work.statuses(other),
      (all) => all[0] === 'waitingForSigner',
    );
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
  });

  it.each([signed, declined])('does nothing to what was $answer', async (answer) => {
    const work = await setUpMandates();
    const { customerId, requestId } = await asked(work);
    await answerAsShown(work.knex, work.token(), answer, work.clock);
    const before = await work.mandates(customerId);
    await endSigningPeriod(
      work.knex,
      { firmId: work.principal.firmId, requestId },
      later(work.clock, 31 * DAY),
    );
    expect(await work.mandates(customerId)).toEqual(before);
  });

  it('starts again with a new request', async () => {
    const work = await setUpMandates();
    const { customerId, requestId } = await asked(work);
    const end = later(work.clock, 30 * DAY);
    await endSigningPeriod(work.knex, { firmId: work.principal.firmId, requestId }, end);
    const [mandate] = await work.mandates(customerId);
    work.clock = end;
    const store = createMandateStore(work.knex, () => work.clock);
    await store.request(asAuthor(work.principal), mandate?.id ?? '');
    const request = await work.knex('signature_requests').whereNot({ id: requestId }).first();
    await work.deliver(request.id);
    await endSigningPeriod(
      work.knex,
      { firmId: work.principal.firmId, requestId },
      later(end, DAY),
    );
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'expired']);
    await endSigningPeriod(
      work.knex,
      { firmId: work.principal.firmId, requestId: request.id },
      later(end, 30 * DAY),
    );
    expect(await work.statuses(customerId)).toEqual(['expired', 'expired']);
  });

  it('ends once, even with four workers', async () => {
    const work = await setUpMandates();
    const { customerId, requestId } = await asked(work);
    const end = later(work.clock, 30 * DAY);
    await Promise.all(
      Array.from({ length: 4 }, () =>
        endSigningPeriod(work.knex, { firmId: work.principal.firmId, requestId }, end),
      ),
    );
    const steps = await work.knex('mandate_history').where({ trigger: 'signingPeriodEnded' });
    expect(steps).toHaveLength(2);
    expect(await work.statuses(customerId)).toEqual(['expired', 'expired']);
  });
});

describe('§3 the end of a consent', () => {
  it.each([
    // Signed on, last day, and the instant at which the next day begins in Belgium.
    ['2026-03-10T10:00:00.000Z', '2026-09-06', '2026-09-06T22:00:00.000Z'],
    ['2026-03-10T23:30:00.000Z', '2026-09-07', '2026-09-07T22:00:00.000Z'],
    ['2026-07-10T21:30:00.000Z', '2027-01-06', '2027-01-06T23:00:00.000Z'],
    ['2026-07-10T22:30:00.000Z', '2027-01-07', '2027-01-07T23:00:00.000Z'],
    // The clocks change on its last day.
    ['2026-09-29T10:00:00.000Z', '2027-03-28', '2027-03-28T22:00:00.000Z'],
    ['2026-04-28T10:00:00.000Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
    // The clocks change on the day before.
    ['2026-09-28T10:00:00.000Z', '2027-03-27', '2027-03-27T23:00:00.000Z'],
    ['2026-04-27T10:00:00.000Z', '2026-10-24', '2026-10-24T22:00:00.000Z'],
  ])('signed at %s it is valid until %s, Europe/Brussels', async (signedOn, lastDay, end) => {
    const work = await setUpMandates();
    const { customerId, id, validUntil } = await consent(work, signedOn);
    expect(validUntil).toBe(lastDay);
    expect(await work.queued('endValidity')).toMatchObject([
      { key: `endValidity:${id}`, run_at: new Date(end) },
    ]);
    await endValidity(
      work.knex,
      { firmId: work.principal.firmId, mandateId: id },
      later(new Date(end), -1),
    );
    expect(await work.statuses(customerId)).toEqual(['finished']);
    await endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, new Date(end));
    expect(await work.mandates(customerId)).toMatchObject([
      { status: 'renewalRequired', valid_until: lastDay },
    ]);
  });

  it('is applied by its job: once, even with four workers, and not early', async () => {
    const work = await setUpMandates();
    const { customerId } = await consent(work, '2026-03-10T10:00:00.000Z');
    await work.startWorkers(4);
    await runEarly(work, 'endValidity');
    expect(await work.statuses(customerId)).toEqual(['finished']);
    work.clock = new Date('2026-09-06T22:00:00.000Z');
    await work.hurry(
      () => work.statuses(customerId),
      ([status]) => status === 'renewalRequired',
    );
    const steps = await work.knex('mandate_history').where({ trigger: 'validityEnded' });
    expect(steps).toMatchObject([{ from_status: 'finished', actor: 'service' }]);
  });

  it('is 180 days later after a renewal', async () => {
    const work = await setUpMandates();
    const { customerId, id } = await consent(work, '2026-03-10T10:00:00.000Z');
    work.clock = new Date('2026-09-07T08:00:00.000Z');
    await endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, work.clock);
    const store = createMandateStore(work.knex, () => work.clock);
    expect(await store.request(asAuthor(work.principal), id)).not.toHaveProperty('validUntil');
    const requests = await work.knex('signature_requests').orderBy('id');
    await work.deliver(requests.at(-1).id);
    await answerAsShown(work.knex, work.token(), signed, work.clock);
    expect(await work.mandates(customerId)).toMatchObject([
      { status: 'finished', valid_until: '2027-03-06' },
    ]);
    expect(await work.queued('endValidity')).toMatchObject([
      { key: `endValidity:${id}`, run_at: new Date('2027-03-06T23:00:00.000Z') },
    ]);
    // The job of the first validity may run late.
    await endValidity(
      work.knex,
      { firmId: work.principal.firmId, mandateId: id },
      later(work.clock, DAY),
    );
    expect(await work.statuses(customerId)).toEqual(['finished']);
  });

  it('does not change a mandate that was closed', async () => {
    const work = await setUpMandates();
    const { customerId, id } = await consent(work, '2026-03-10T10:00:00.000Z');
    await work.knex('mandates').where({ id }).update({ closed_on: work.clock });
    const before = await work.mandates(customerId);
    await endValidity(
      work.knex,
      { firmId: work.principal.firmId, mandateId: id },
      new Date('2027-01-01T00:00:00.000Z'),
    );
    expect(await work.mandates(customerId)).toEqual(before);
  });
});
