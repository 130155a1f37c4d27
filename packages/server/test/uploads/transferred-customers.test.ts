import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { transferCustomer } from '../../src/customers/transfer-customer.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { reportStep } from '../../src/mandates/report-step.js';
import { releaseDelivery } from '../../src/uploads/deliveries/release-delivery.js';
import { createLinkedCustomer, mandatesOf, newPrincipal } from '../mandates/linked-customer.js';
import { codaFile } from './sample-files.js';
import { runReleaseJobs, setUpUploads, sign, withStore } from './set-up-uploads.js';

test('D-28, D-31, D-48, D-66 files that arrive before, during and after a transfer', async () => {
  const work = await setUpUploads();
  const { knex, principal: former } = work;
  const next = await newPrincipal(knex);
  const iban = newIban();
  const id = await createLinkedCustomer(knex, former, { ibans: [iban] });
  await work.deliver(codaFile({ iban, number: 1 }));
  const [held = expect.fail()] = await knex('held_deliveries');
  await work.setStatus(id, 'finished');
  await work.deliver(codaFile({ iban, number: 2 }));

  const transfer = () =>
    transferCustomer(knex, operatorScope(), createCustomerMandates(), {
      ...{ customerId: id, toFirmId: next.firmId, agreedBy: 'Jan Peeters' },
    });
  /** Transfers the customer when the first object is stored. */
  const { storage } = withStore(work, {
    async put(...parameters) {
      await transfer();
      return work.storage.store.put(...parameters);
    },
  });
  await work.upload('CODA', 'former.cod', codaFile({ iban, number: 3 }));
  await work.readAll({ storage });
  expect(await work.uploads()).toMatchObject([
    { status: 'processed' },
    { status: 'processed' },
    { status: 'rejected', findings: [{ code: 'unknownAccount' }] },
  ]);
  const { transferred_to: newId } = await knex('customers').where({ id }).first();

  // The new firm may upload for it, the former one may not.
  const prefix = await work.grant('CODA', next);
  await work.upload('CODA', `${prefix}/next.cod`, codaFile({ iban, number: 4 }));
  await work.upload('CODA', 'again.cod', codaFile({ iban, number: 4 }));
  await work.readAll();

  await work.deliver(codaFile({ iban, number: 5 }));
  const [mandate = expect.fail()] = await mandatesOf(knex, newId);
  await sign(work, mandate.id);
  await runReleaseJobs(work);
  expect((await work.files()).map(({ statement_number }) => statement_number)).not.toContain(5);
  await reportStep(knex, {
    ...{ mandateId: mandate.id, trigger: 'bankConfirmed', actor: { kind: 'operator' } },
    now: new Date(),
  });
  await runReleaseJobs(work);
  const numbers = async (customerId: string) => {
    const files = await work.files();
    return files
      .filter((file) => file.customer_id === customerId)
      .map(({ firm_id, statement_number }) => [firm_id, statement_number]);
  };
  expect(await numbers(id)).toEqual([[former.firmId, 2]]);
  expect(await numbers(newId)).toEqual([
    [next.firmId, 4],
    [next.firmId, 5],
  ]);

  // The first one arrived for the account of the former firm: only the operator can release it.
  expect(await releaseDelivery(work, held.id, held.bank_account_id)).toBe('notCovered');
  const { id: newLink } = await knex('bank_accounts').where({ customer_id: newId }).first();
  expect(await releaseDelivery(work, held.id, newLink)).toBe('listed');
  expect((await numbers(newId)).at(-1)).toEqual([next.firmId, 1]);
  expect(await numbers(id)).toEqual([[former.firmId, 2]]);
});

test('D-28, D-48 a delivery is held for the new account if its customer is transferred while its objects are stored', async () => {
  const work = await setUpUploads();
  const { knex, principal: former } = work;
  const { firmId: toFirmId } = await newPrincipal(knex);
  const iban = newIban();
  const id = await createLinkedCustomer(knex, former, { ibans: [iban] });
  await work.setStatus(id, 'finished');
  const transfer = { customerId: id, toFirmId, agreedBy: 'Jan Peeters' };
  const { storage } = withStore(work, {
    async put(...parameters) {
      await transferCustomer(knex, operatorScope(), createCustomerMandates(), transfer);
      return work.storage.store.put(...parameters);
    },
  });
  expect(await work.deliver(codaFile({ iban }), { storage })).toMatchObject({ listed: 0, held: 1 });
  expect(await work.files()).toEqual([]);
  const { transferred_to: newId } = await knex('customers').where({ id }).first();
  const { id: link } = await knex('bank_accounts').where({ customer_id: newId }).first();
  expect(await knex('held_deliveries')).toMatchObject([{ bank_account_id: link }]);
});
