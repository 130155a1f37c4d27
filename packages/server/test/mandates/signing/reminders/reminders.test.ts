import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../../../test/support/eventually.js';
import { MailRejected } from '../../../../src/mail/message.js';
import { viewSignatureRequest } from '../../../../src/mandates/signing/answer-signature-request.js';
import { remindContacts } from '../../../../src/mandates/signing/due-mails.js';
import { endSigningPeriod } from '../../../../src/mandates/tasks.js';
import { answerAsShown } from '../../answer-as-shown.js';
import { declined, type MandateSetUp, setUpMandates, signed } from '../../set-up-mandates.js';
import { generous, remind } from './remind.js';

/** Returns the days of 30 on whose start a contact is reminded, to whichever address. */
async function remindedDays(work: MandateSetUp, before = async (_day: number) => {}) {
  const days: number[] = [];
  for (let day = 1; day <= 30; day += 1) {
    work.passDays(1);
    await before(day);
    if ((await remind(work)).length > 0) days.push(day);
  }
  return days;
}

const reminded = (work: MandateSetUp) =>
  work.knex('mandate_history').where({ trigger: 'reminded' }).orderBy('id');

/** Asks a contact, and enqueues the reminder that is due after 7 days. */
async function dueReminder() {
  const work = await setUpMandates();
  const { customerId, requestId } = await work.ask();
  work.passDays(7);
  await remindContacts(work.knex, generous, () => work.clock);
  return { work, customerId, reminder: `${requestId}.1.reminder.1` };
}

describe('D-25 reminders', () => {
  it('are sent 7, 14 and 25 days after the request, with the same link, and are in the history', async () => {
    const work = await setUpMandates();
    const { customerId, requestId } = await work.ask();
    const before = await work.mandates(customerId);
    const token = work.token();
    expect(await remindedDays(work)).toEqual([7, 14, 25]);
    const mails = work.mailServer.delivered.map(({ mail }) => mail);
    expect(mails.map(({ messageId }) => messageId?.replace(/@.*/, ''))).toEqual([
      `<${requestId}.1`,
      ...[1, 2, 3].map((number) => `<${requestId}.1.reminder.${number}`),
    ]);
    for (const place of [1, 2, 3]) expect(work.token(place)).toBe(token);
    expect(mails[3]?.subject).toMatch(/^(Reminder|Herinnering|Rappel|Erinnerung)/);
    // A reminder changes nothing that the interface shows.
    expect(await work.mandates(customerId)).toEqual(before);
    const history = await reminded(work);
    expect(history).toHaveLength(2 * 3);
    for (const entry of history) {
      expect(entry).toMatchObject({
        ...{ from_status: 'waitingForSigner', to_status: 'waitingForSigner', actor: 'service' },
      });
    }
  });

  it.each([
    [
      'an answer',
      (work: MandateSetUp) => answerAsShown(work.knex, work.token(), signed, work.clock),
    ],
    [
      'a refusal',
      (work: MandateSetUp) => answerAsShown(work.knex, work.token(), declined, work.clock),
    ],
    [
      'disabling the firm',
      (work: MandateSetUp) => work.knex('firms').update({ disabled_on: work.clock }),
    ],
    ['closing', (work: MandateSetUp) => work.knex('mandates').update({ closed_on: work.clock })],
    [
      'an error',
      (work: MandateSetUp) =>
        work
          .knex('mandates')
          .update({ status: 'error', error_code: 'deliveryFailed', error_message: '-' }),
    ],
  ])('are stopped by %s', async (_name, stop) => {
    const work = await setUpMandates();
    await work.ask();
    const days = await remindedDays(work, async (day) => {
      if (day === 10) await stop(work);
    });
    expect(days).toEqual([7]);
  });

  it('D-60 wait for a disabled firm; the latest one is sent once it is enabled, but none that was enqueued before', async () => {
    const work = await setUpMandates();
    const { requestId } = await work.ask();
    const firms = work.knex('firms');
    const days = await remindedDays(work, async (day) => {
      if (day === 5) await firms.clone().update({ disabled_on: work.clock });
      if (day === 20) await firms.clone().update({ disabled_on: null });
    });
    expect(days).toEqual([20, 25]);
    await work.knex('outgoing_mails').where({ reminder: 3 }).update({ sent_on: null });
    await firms.clone().update({ disabled_on: work.clock });
    const sent = work.mailServer.delivered.length;
    work.passDays(-1);
    await work.send(`${requestId}.1.reminder.3`);
    expect(work.mailServer.delivered).toHaveLength(sent);
  });

  it('end with the signing period', async () => {
    const work = await setUpMandates();
    const { requestId } = await work.ask();
    work.passDays(30);
    await endSigningPeriod(work.knex, { firmId: work.principal.firmId, requestId }, work.clock);
    expect(await remind(work)).toEqual([]);
  });

  it('name only the mandates that still wait', async () => {
    const work = await setUpMandates();
    const { customerId } = await work.ask();
    const [account] = await work.mandates(customerId);
    await work.knex('mandates').where({ id: account?.id }).update({ closed_on: work.clock });
    work.passDays(7);
    await remind(work);
    expect(work.mailServer.delivered.at(-1)?.mail.text).not.toContain(account?.iban?.slice(0, 4));
    expect(await reminded(work)).toHaveLength(1);
  });

  it('that were missed are not made up for', async () => {
    const work = await setUpMandates();
    await work.ask();
    work.passDays(20);
    expect(await remind(work)).toEqual(['1.2']);
    expect(await remind(work)).toEqual([]);
  });

  it('are counted for each address from its message, and go to no earlier one', async () => {
    const work = await setUpMandates();
    const { customerId, requestId } = await work.ask();
    const first = 'an@bakkerij.example';
    const days = await remindedDays(work, async (day) => {
      if (day === 10) {
        await work.moveContact(customerId, 'bo@bakkerij.example');
        await work.deliver(requestId, { delivery: 2 });
      }
      if (day === 20) await work.moveContact(customerId, first);
    });
    // 7 for the first address, 17 for the second, and 25 for the first one, which the contact has
    // again.
    expect(days).toEqual([7, 17, 25]);
    const to = work.mailServer.delivered.map(({ envelopeTo }) => envelopeTo[0]);
    expect(to).toEqual([first, first, 'bo@bakkerij.example', 'bo@bakkerij.example', first]);
  });

  it('are not sent if the answer comes between the look and the sending', async () => {
    const { work, reminder } = await dueReminder();
    await answerAsShown(work.knex, work.token(), signed, work.clock);
    await work.send(reminder);
    expect(work.mailServer.delivered).toHaveLength(1);
    expect(await reminded(work)).toEqual([]);
  });

  it('are repeated with the same Message-ID if the worker is killed, and not after they are recorded', async () => {
    const { work, reminder } = await dueReminder();
    const ids: (string | undefined)[] = [];
    const killed = {
      async send({ id }: { readonly id?: string }) {
        ids.push(id);
        throw new Error('killed');
      },
      close() {},
    };
    await expect(work.send(reminder, { mailer: killed })).rejects.toThrow('killed');
    await work.send(reminder);
    await work.send(reminder);
    expect(work.mailServer.delivered).toHaveLength(2);
    expect(work.mailServer.delivered[1]?.mail.messageId).toContain(String(ids[0]));
  });

  it('are sent once by four workers that look at the same time', async () => {
    const work = await setUpMandates();
    await work.ask();
    work.passDays(7);
    await work.startWorkers(4);
    await Promise.all(
      Array.from({ length: 4 }, () => remindContacts(work.knex, generous, () => work.clock)),
    );
    await eventually(
      () => work.queued('reminder'),
      (jobs) => jobs.length === 0,
    );
    expect(work.mailServer.delivered).toHaveLength(2);
    expect(await reminded(work)).toHaveLength(2);
  });

  it.each([
    new MailRejected('The mail server rejected the recipient (550 5.1.1)'),
    new Error('The mail server did not accept the message (554 5.7.1)'),
  ])('that cannot be sent end nothing, and the link still works: %s', async (error) => {
    const { work, customerId, reminder } = await dueReminder();
    const mailer = { send: () => Promise.reject(error), close() {} };
    const attempt = { isLast: true };
    await work.send(reminder, { mailer, attempt });
    expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
    expect(await reminded(work)).toEqual([]);
    const view = await viewSignatureRequest(work.knex, work.token(), work.clock);
    expect(view?.state).toBe('pending');
  });
});

it('D-25 a reminder that two workers send at the same time is in the history once', async () => {
  const { work, reminder } = await dueReminder();
  let sending = 0;
  const mailer = {
    async send() {
      sending += 1;
      await eventually(
        async () => sending,
        (count) => count === 2,
      );
    },
    close() {},
  };
  const send = () => work.send(reminder, { mailer });
  await Promise.all([send(), send()]);
  // One for each of its mandates.
  expect(await reminded(work)).toHaveLength(2);
});

it('D-25 a reminder has all its attempts, however many the request needed', async () => {
  const work = await setUpMandates();
  const { customerId, requestId } = await work.ask();
  await work.knex('outgoing_mails').update({ failures: 2, last_failure: '451 later' });
  work.passDays(7);
  await remindContacts(work.knex, generous, () => work.clock);
  const mailer = { send: () => Promise.reject(new Error('451 busy')), close() {} };
  const send = () => work.send(`${requestId}.1.reminder.1`, { mailer });
  for (const _ of [1, 2]) await expect(send()).rejects.toThrow('451 busy');
  await send();
  expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
});

describe('D-36 reminders and the budgets of mails', () => {
  it('wait for their budget and go after every waiting request', async () => {
    const work = await setUpMandates();
    for (const _ of [1, 2, 3]) await work.ask();
    work.passDays(7);
    const mailBudgets = { customer: 10, firm: 2, address: 100 };
    expect(await remind(work, mailBudgets)).toEqual(['1.1', '1.1']);
    expect(await remind(work, mailBudgets)).toEqual([]);
    const waiting = await work.requestOf(await work.create());
    await work.deliver(waiting, { mailBudgets });
    work.passDays(1);
    // There is room again, but the request of today waits for it too.
    expect(await remind(work, mailBudgets)).toEqual([]);
    await work.knex('outgoing_mails').update({ waits_for: null });
    expect(await remind(work, mailBudgets)).toEqual(['1.1']);
  });

  it.each([
    ['customer', { customer: 1, firm: 100, address: 100 }],
    ['address', { customer: 10, firm: 100, address: 1 }],
  ])('the budget of the %s counts them, and others are not held up', async (_name, mailBudgets) => {
    const work = await setUpMandates();
    const { customerId, requestId } = await work.ask();
    await work.ask();
    const [other] = await work.knex('customers').whereNot({ id: customerId }).pluck('id');
    await work.moveContact(other, 'bo@bakkerij.example');
    await work
      .knex('outgoing_mails')
      .where({ customer_id: other })
      .update({ address: 'bo@bakkerij.example' });
    await work.knex('signature_requests').update({ delivery: 1 });
    work.passDays(7);
    const today = { allowed_on: work.clock };
    await work.knex('outgoing_mails').where({ request_id: requestId }).update(today);
    expect(await remind(work, mailBudgets)).toEqual(['1.1']);
    expect(work.mailServer.delivered.at(-1)?.envelopeTo).toEqual(['bo@bakkerij.example']);
    work.passDays(1);
    expect(await remind(work, mailBudgets)).toEqual(['1.1']);
    expect(work.mailServer.delivered.at(-1)?.envelopeTo).toEqual(['an@bakkerij.example']);
  });
});
