import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { printResult } from '../../../../test/proofs/print-result.js';
import { eventually } from '../../../../test/support/eventually.js';
import { startMailServer } from '../mail/mail-server.js';
import { startAdxServer } from '../operator/adx-server.js';
import { processSettings } from '../support/process-settings.js';
import { answerAsShown } from './answer-as-shown.js';
import { newConnectedIban } from './linked-customer.js';
import { setUpMandates, signed } from './set-up-mandates.js';

const DAY = 86_400_000;
const CUSTOMERS = 150;
const KILLS = 20;
/** The mails that a worker sends at the same time. */
const CONCURRENT_MAILS = 2;

test('D-25 D-24 150 reminders and 150 renewals while the worker is killed 20 times: each once', async () => {
  const mailServer = await startMailServer({
    // Mails take a while, so that workers are killed between the sending and its record too.
    onMailFrom: (_address, _session, done) => void setTimeout(done, 20),
  });
  const work = await setUpMandates(mailServer);
  const settings = {
    ...(await processSettings(work.url)),
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAILS_PER_ADDRESS_PER_DAY: '100000',
  };
  const mailBudgets = { customer: 10, firm: 5000, address: 100_000 };
  const now = Date.now();
  const asked: string[] = [];
  for (let customer = 0; customer < CUSTOMERS; customer += 1) {
    work.clock = new Date(now - 8 * DAY);
    const requestId = await work.requestOf(await work.create());
    await work.deliver(requestId, { mailBudgets });
    asked.push(requestId);
    work.clock = new Date(now - 170 * DAY);
    const ofConsent = await work.requestOf(await work.create({ ibans: [newConnectedIban()] }));
    await work.deliver(ofConsent, { mailBudgets });
    await answerAsShown(work.knex, work.token(), signed, work.clock);
  }
  await work.knex.raw(
    `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
      where task_identifier = 'sendMail'`,
  );
  const first = mailServer.delivered.length;

  const reminders = () => work.knex('outgoing_mails').where({ reminder: 1 });
  const renewals = () => work.knex('signature_requests').whereNotNull('renews_until');
  const progress = async () =>
    (await reminders()).length + (await renewals()).length + mailServer.delivered.length - first;
  const countSent = async () =>
    (await reminders().whereNotNull('sent_on')).length +
    (await renewals().whereNotNull('sent_on')).length;
  const start = () => {
    const child = startAdxServer(['worker'], settings);
    child.stdout?.resume();
    child.stderr?.resume();
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const process = start();
    const closed = once(process, 'close');
    if (kill < KILLS) {
      const wanted = (4 * CUSTOMERS * (kill + Math.random())) / KILLS;
      await eventually(progress, (count) => count >= wanted);
      await pause(Math.random() * 100);
      process.kill('SIGKILL');
      await closed;
      await declareDead();
      continue;
    }
    await eventually(countSent, (count) => count === 2 * CUSTOMERS);
    process.kill('SIGTERM');
    await closed;
  }

  /**
   * Releases the jobs of killed workers at once, and makes those due that wait for another attempt.
   */
  async function declareDead() {
    await work.knex('job_workers').update({ beat_on: new Date(0) });
    await work.knex.raw(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
        where locked_at is null and task_identifier not in ('endValidity', 'endSigningPeriod')`,
    );
  }

  const mails = mailServer.delivered.slice(first).map(({ mail }) => ({
    id: mail.messageId?.replace(/^<|@.*$/g, '') ?? '',
    link: /\/sign\/([\w-]{43})/.exec(mail.text ?? '')?.[1],
  }));
  const ids = new Set(mails.map(({ id }) => id));
  const expected = [
    ...asked.map((id) => `${id}.1.reminder.1`),
    ...(await renewals()).map(({ id }) => `${id}.1`),
  ];
  expect([...ids].sort()).toEqual(expected.sort());
  for (const id of ids) {
    const links = mails.filter((mail) => mail.id === id).map(({ link }) => link);
    expect(new Set(links).size).toBe(1);
  }
  const repeated = mails.length - ids.size;
  printResult({ mails: mails.length, repeated });
  expect(repeated).toBeLessThanOrEqual(KILLS * CONCURRENT_MAILS);
  const entries = (trigger: string) =>
    work.knex('mandate_history').where({ trigger }).pluck<string[]>('mandate_id');
  const offered = await entries('renewalOffered');
  expect(new Set(offered).size).toBe(CUSTOMERS);
  expect(offered).toHaveLength(CUSTOMERS);
  const reminded = await entries('reminded');
  // An account and a payroll provider each.
  expect(new Set(reminded).size).toBe(2 * CUSTOMERS);
  expect(reminded).toHaveLength(2 * CUSTOMERS);
});
