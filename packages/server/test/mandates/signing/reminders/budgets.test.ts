import { describe, expect, it } from 'vitest';
import { setUpMandates } from '../../set-up-mandates.js';
import { remind } from './remind.js';

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
