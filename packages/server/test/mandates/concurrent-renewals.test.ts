import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { rounds } from '../../../../test/support/rounds.js';
import { transferCustomer } from '../../src/customers/transfer-customer.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { remindContacts } from '../../src/mandates/signing/due-mails.js';
import { endValidity } from '../../src/mandates/tasks.js';
import { asAuthor } from '../support/as-author.js';
import { answerAsShown } from './answer-as-shown.js';
import { newPrincipal } from './linked-customer.js';
import { asked, ends, offer } from './offered-renewals.js';
import { declined, setUpMandates, signed } from './set-up-mandates.js';

const count = rounds({ short: 2, proof: 100 });

// In some rounds the customer moves to another firm.
test(`D-24 ${count} renewals survive answers, reminders, address changes, requests and their end at the same time`, async () => {
  const work = await setUpMandates();
  const { firmId: toFirmId } = await newPrincipal(work.knex);
  const follower = createCustomerMandates(() => work.clock);
  const budgets = { customer: 100, firm: 100, address: 100 };
  for (let round = 0; round < count; round += 1) {
    const { customerId, requestId, id } = await asked(work);
    const token = work.token();
    work.clock = new Date('2026-08-30T10:00:00.000Z');
    const store = createMandateStore(work.knex, () => work.clock);
    const { bank_account_id } = await work.knex('mandates').where({ id }).first();
    const disable = (trx: Knex.Transaction) =>
      follower.unlinked(trx, {
        ...{ customerId, principal: work.principal },
        ...{ bankAccountIds: [bank_account_id], payrollLinkIds: [] },
      });
    await Promise.all([
      answerAsShown(work.knex, token, signed, work.clock),
      answerAsShown(work.knex, token, declined, work.clock),
      remindContacts(work.knex, budgets, () => work.clock),
      work.send(`${requestId}.1.reminder.1`),
      work.deliver(requestId),
      work.moveContact(customerId, `bo${round}@bakkerij.example`),
      offer(work),
      store.request(asAuthor(work.principal), id),
      round % 2 === 0
        ? endValidity(work.knex, { firmId: work.principal.firmId, mandateId: id }, new Date(ends))
        : undefined,
      round % 4 === 1 ? work.knex.transaction(disable) : undefined,
      round % 3 === 1
        ? transferCustomer(work.knex, operatorScope(), follower, {
            customerId,
            toFirmId,
            agreedBy: 'Jan Peeters',
          })
        : undefined,
    ]);
    const history = await work
      .knex('mandate_history')
      .where({ mandate_id: id })
      .whereNot({ trigger: 'reminded' })
      .orderBy('id');
    for (const [place, { from_status }] of history.entries()) {
      expect(from_status).toBe(history[place - 1]?.to_status ?? null);
    }
    const mandate = await work.knex('mandates').where({ id }).first();
    const last = history.at(-1);
    const status = mandate.status === 'finished' ? mandate.renewal_status : null;
    expect(last.to_status).toBe(mandate.closed_on === null ? (status ?? mandate.status) : null);
    const request = await work.knex('signature_requests').where({ id: requestId }).first();
    const answers = history.filter(({ actor_id }) => actor_id === requestId);
    expect(answers).toHaveLength(request.answer === null ? 0 : 1);
    const isRenewed = request.answer === 'signed' && mandate.status === 'finished';
    if (isRenewed) expect(mandate.valid_until).toBe('2027-02-26');
  }
});
