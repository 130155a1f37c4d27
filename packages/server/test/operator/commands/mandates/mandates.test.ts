import { expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import { createCustomerLinkStore } from '../../../../src/customers/customer-link-store.js';
import { DAY } from '../../../../src/dates/brussels-day.js';
import { formatIban, parseIban } from '../../../../src/identifiers/iban.js';
import { createCustomerMandates } from '../../../../src/mandates/customer-mandates.js';
import { asAuthor } from '../../../support/as-author.js';
import { setConnector } from '../../../support/rows.js';
import { runAdxServer } from '../../adx-server.js';
import { failure, operatorForFile } from '../../operator-for-file.js';
import { answerLatest, createCustomerWithMandates } from './mandates-of-a-customer.js';

const belfius = 'BE68068000010434';
const triodos = 'BE32523000021802';

const { knex, run, settings, json } = await operatorForFile();
await setConnector(knex, 'TRIOBEBB', 7);

test('§3 operator: list, show and step follow a mandate from its request to its first file', async () => {
  const { customer, firm, username } = await createCustomerWithMandates(knex, [belfius, triodos]);
  const listed = await json('mandate', 'list', '--firm', firm.id);
  expect(listed).toHaveLength(3);
  const [coda, consent, codb] = listed;
  expect(coda).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    firmId: firm.id,
    customerId: customer.id,
    customerName: 'Bakkerij De Gouden Korst',
    enterpriseNumber: customer.enterpriseNumber,
    product: 'CODA',
    status: 'created',
    iban: belfius,
    bankName: 'BELFIUS BANK',
  });
  expect(coda).not.toHaveProperty('connectorId');
  expect(consent).toMatchObject({ product: 'CODA', iban: triodos, connectorId: 7 });
  expect(codb).toMatchObject({ product: 'CODB', payrollProviderCode: 'sdworx' });

  expect(await json('mandate', 'list', '--iban', formatIban(belfius))).toEqual([
    expect.objectContaining({ id: coda.id }),
  ]);

  await answerLatest(knex, customer.id);
  expect(await json('mandate', 'list', '--status', 'waitingForBank, finished')).toEqual([
    expect.objectContaining({ id: coda.id, status: 'waitingForBank' }),
    expect.objectContaining({ id: consent.id, status: 'finished' }),
  ]);

  expect(await json('mandate', 'step', coda.id.toUpperCase(), 'bankConfirmed')).toEqual({
    trigger: 'bankConfirmed',
    changes: [{ id: coda.id, from: 'waitingForBank', to: 'confirmedByBank' }],
  });
  const shown = await json('mandate', 'show', coda.id);
  expect(shown).toMatchObject({
    id: coda.id,
    status: 'confirmedByBank',
    contact: { name: 'An Peeters', email: 'an@gouden-korst.example' },
    steps: ['fileReceived'],
  });
  expect(shown.signatureRequests).toEqual([
    expect.objectContaining({
      answer: 'signed',
      answeredOn: expect.any(String),
      isAnswered: true,
      signerName: 'An Peeters',
      signerAddress: '203.0.113.7',
      signerUserAgent: 'Mozilla/5.0',
    }),
  ]);
  const arrows = shown.history.map((entry: Record<string, string | null>) =>
    ['from', 'to', 'trigger', 'by', 'name'].map((name) => entry[name]).join(' '),
  );
  expect(arrows).toEqual([
    ` created linked user ${username}`,
    'created waitingForSigner requestSent service ',
    'waitingForSigner waitingForBank signed signer An Peeters',
    'waitingForBank confirmedByBank bankConfirmed operator ',
  ]);

  const step = await runAdxServer(['mandate', 'step', coda.id, 'fileReceived'], settings);
  expect(step).toEqual({
    exitCode: 0,
    stdout: `Mandate ${coda.id}: confirmedByBank → finished\n`,
    stderr: '',
  });
  const { stdout } = await run('mandate', 'show', coda.id);
  expect(stdout).toMatch(/^status +finished$/m);
  expect(stdout).toMatch(/^contact +An Peeters <an@gouden-korst.example>$/m);
  expect(stdout).toMatch(/^ {2}answer +signed on 20\d\d-.*Z$/m);
  expect(stdout).toMatch(/^ {2}address +203\.0\.113\.7$/m);
  expect(stdout).toMatch(/^20\S+ +confirmedByBank +finished +fileReceived +operator$/m);
  expect(stdout).not.toContain('to report');
});

test.each([
  ['customer', 'the budget of mails of the customer', 'CUSTOMER'],
  ['firm', 'the budget of mails of the firm', 'FIRM'],
  ['address', 'the budget of mails to the address', 'ADDRESS'],
])(
  'D-36 operator: mandate show names the budget of the %s that a request waits for',
  async (owner, budget, setting) => {
    const { customer, firm } = await createCustomerWithMandates(knex);
    const [{ id }] = await json('mandate', 'list', '--firm', firm.id);
    expect((await run('mandate', 'show', id)).stdout).not.toMatch(/^ {2}waits/m);
    await knex('outgoing_mails').where({ customer_id: customer.id }).update({ waits_for: owner });
    expect(await json('mandate', 'show', id)).toMatchObject({
      status: 'created',
      signatureRequests: [{ waitsFor: owner, sentOn: null }],
    });
    const sentence = `${budget} is used up \\(MAILS_PER_${setting}_PER_DAY\\)`;
    const { stdout } = await run('mandate', 'show', id);
    expect(stdout).toMatch(new RegExp(`^ {2}waits +${sentence}(, or the firm is disabled)?$`, 'm'));
  },
);

test('D-33 operator: mandate list --unsigned-for shows what the contact was asked to sign so long ago, without an answer', async () => {
  const { customer, firm } = await createCustomerWithMandates(knex, [newIban()]);
  const request = knex('signature_requests').where({ customer_id: customer.id });
  const { id: requestId } = await request.clone().first();
  const asked = (days: number) =>
    request.clone().update({ created_on: new Date(Date.now() - days * DAY) });
  const list = ['mandate', 'list', '--firm', firm.id, '--unsigned-for', '14'];
  await asked(13.9);
  expect(await json(...list)).toEqual([]);
  await asked(14.1);
  expect(await json(...list)).toMatchObject(
    ['CODA', 'CODB'].map((product) => ({ product, signatureRequestId: requestId })),
  );
  expect((await run(...list)).stdout).toMatch(
    /^ID +FIRM +CUSTOMER +PRODUCT +FOR +STATUS +ASKED +UPDATED\n/,
  );
  const mandates = knex('mandates').where({ customer_id: customer.id });
  await mandates.clone().update({ status: 'expired' });
  expect(await json(...list)).toMatchObject([{ status: 'expired' }, { status: 'expired' }]);
  await mandates.clone().update({ status: 'created' });
  await answerLatest(knex, customer.id);
  expect(await json(...list)).toEqual([]);
});

test('§5 operator: a closed mandate is listed separately, shown with its date, and takes no step', async () => {
  const iban = newIban();
  const { customer, principal, firm } = await createCustomerWithMandates(knex, [iban]);
  const links = createCustomerLinkStore(knex, createCustomerMandates());
  const account = parseIban(iban) ?? expect.fail();
  await links.disableBankAccount(asAuthor(principal), customer.id, account);
  expect(await json('mandate', 'list', '--firm', firm.id)).toEqual([
    expect.objectContaining({ product: 'CODB' }),
  ]);
  const [closed] = await json('mandate', 'list', '--firm', firm.id, '--closed');
  expect(closed).toMatchObject({ iban, status: 'created', closedOn: expect.any(String) });
  expect(await json('mandate', 'show', closed.id)).toMatchObject({
    closedOn: closed.closedOn,
    steps: [],
    history: [{ to: 'created' }, { from: 'created', to: null, trigger: 'unlinked', by: 'user' }],
  });
  expect(await run('mandate', 'step', closed.id, 'deliveryFailed')).toEqual(
    failure(`Mandate ${closed.id} was closed on ${closed.closedOn}: no step is possible.`),
  );
});

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
