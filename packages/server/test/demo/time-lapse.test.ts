import { expect, test } from 'vitest';
import { letTimePass } from '../../src/demo/time-lapse.js';
import { endSigningPeriod } from '../../src/mandates/deadlines.js';
import {
  createLinkedCustomer,
  mandatesOf,
  newIban,
  newPrincipal,
} from '../mandates/linked-customer.js';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile();

test('demo: time that passes neither waits for a change of the customer nor stands in its way', async () => {
  const links = { ibans: [newIban()] };
  const customerId = await createLinkedCustomer(knex, await newPrincipal(knex), links);
  const [mandate = expect.fail()] = await mandatesOf(knex, customerId);
  const { id, signature_request_id: requestId } = mandate;
  await knex('mandates').where({ id }).update({ status: 'waitingForSigner' });
  const times = { sent_on: new Date(), expires_on: new Date() };
  await knex('signature_requests').where({ id: requestId }).update(times);

  const changing = await knex.transaction();
  await changing('customers').where({ id: customerId }).forNoKeyUpdate();
  await knex.transaction(async (trx) => {
    await letTimePass(trx, [id], 31);
    await endSigningPeriod(trx, requestId ?? '', new Date());
  });
  await changing('mandates').where({ id }).forUpdate();
  await changing.commit();
  expect(await mandatesOf(knex, customerId)).toMatchObject([{ status: 'expired' }]);
});
