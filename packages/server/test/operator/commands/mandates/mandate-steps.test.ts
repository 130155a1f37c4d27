import { expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import { failure, operatorForFile } from '../../operator-for-file.js';
import { answerLatest, createCustomerWithMandates } from './mandates-of-a-customer.js';

const { knex, run, json } = await operatorForFile();

test('§3 operator: an impossible step changes nothing, and names the possible ones', async () => {
  const { customer } = await createCustomerWithMandates(knex, [newIban()]);
  await answerLatest(knex, customer.id);
  const [coda] = await knex('mandates').where({ customer_id: customer.id, product: 'CODA' });
  expect(await run('mandate', 'step', coda.id, 'providerRefused')).toEqual(
    failure(
      `Mandate ${coda.id} is waitingForBank: providerRefused cannot be reported, only bankConfirmed, bankRefused, fileReceived.`,
    ),
  );
  await run('mandate', 'step', coda.id, 'bankRefused');
  expect(await run('mandate', 'step', coda.id, 'bankConfirmed', '--json')).toEqual(
    failure(`Mandate ${coda.id} is rejectedByBank: no step can be reported.`),
  );
  expect(await knex('mandates').where({ id: coda.id }).first('status')).toEqual({
    status: 'rejectedByBank',
  });
});

test('D-33 operator: mandate step takes many mandates; a refused one does not affect the others', async () => {
  const { customer, firm } = await createCustomerWithMandates(knex, [newIban(), newIban()]);
  await answerLatest(knex, customer.id);
  const codas = await knex('mandates').where({ customer_id: customer.id, product: 'CODA' });
  const [one, other] = codas.map(({ id }) => id);
  const nobody = '0'.repeat(24);
  const ids = [one, nobody, other];
  const change = 'waitingForBank → confirmedByBank';
  expect(await run('mandate', 'step', ids.join(', '), 'bankConfirmed')).toEqual({
    ...failure(`There is no mandate with the id ${nobody}.`),
    stdout: `Mandate ${one}: ${change}\nMandate ${other}: ${change}\n`,
  });
  const entries = knex('audit_entries').where({ action: 'mandate step' }).whereIn('object_id', ids);
  const done = { firm_id: firm.id, customer_id: customer.id, outcome: 'done' };
  expect(
    await entries.orderBy('id').select('object_id', 'firm_id', 'customer_id', 'outcome'),
  ).toEqual([
    { object_id: one, ...done },
    { object_id: nobody, firm_id: '', customer_id: null, outcome: 'refused' },
    { object_id: other, ...done },
  ]);
});

test('§3 operator: returned mail fails every mandate of its request', async () => {
  const { customer } = await createCustomerWithMandates(knex, [newIban()]);
  const [coda, codb] = await knex('mandates').where({ customer_id: customer.id }).orderBy('id');
  const { changes } = await json('mandate', 'step', codb.id, 'deliveryFailed');
  expect(changes).toEqual([
    { id: codb.id, from: 'created', to: 'error' },
    { id: coda.id, from: 'created', to: 'error' },
  ]);
  expect(await json('mandate', 'show', coda.id)).toMatchObject({
    status: 'error',
    error: { code: 'deliveryFailed', message: expect.stringMatching(/./) },
    steps: [],
  });
  const { stdout } = await run('mandate', 'show', coda.id);
  expect(stdout).toMatch(/^error +deliveryFailed: .+$/m);
  const { id } = await knex('signature_requests').where({ customer_id: customer.id }).first('id');
  expect(stdout).toMatch(new RegExp(`^ {2}message id +${id}\\.1$`, 'm'));
  expect(stdout).toMatch(/^ {2}sent +not yet$/m);
  expect(stdout).not.toMatch(/failures/);
  await knex('outgoing_mails').where({ customer_id: customer.id }).update({
    failures: 3,
    last_failure: 'The mail server was not found',
    address: 'an@bakkerij.example',
  });
  const failed = await run('mandate', 'show', coda.id);
  expect(failed.stdout).toMatch(
    /^ {2}failures +3, the last to an@bakkerij\.example: The mail server was not found$/m,
  );
});
