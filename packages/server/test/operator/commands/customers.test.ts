import { once } from 'node:events';
import { expect, test } from 'vitest';
import { countUnsigned, defaultUnsignedLinks } from '../../../src/mandates/unsigned-links.js';
import { waitUntilBlocked } from '../../mandates/wait-until-blocked.js';
import { insertCustomer, insertFirm } from '../../support/rows.js';
import { runAdxServer, startAdxServer } from '../adx-server.js';
import { failure, operatorForFile } from '../operator-for-file.js';
import { createCustomerWithMandates } from './mandates/mandates-of-a-customer.js';

const { knex, settings, run, json } = await operatorForFile();

test('operator: customer list shows the customers of all firms or of one, with the ids for other commands', async () => {
  const first = await createCustomerWithMandates(knex);
  const other = await createCustomerWithMandates(knex);
  const row = ({ firm, customer }: typeof first) => ({
    id: customer.id,
    firmId: firm.id,
    enterpriseNumber: customer.enterpriseNumber,
    name: 'Bakkerij De Gouden Korst',
    isConfidential: false,
    archivedOn: null,
  });
  expect(await json('customer', 'list')).toEqual(expect.arrayContaining([row(first), row(other)]));
  await run('customer', 'confidential', other.customer.id, 'on');
  expect(await json('customer', 'list', '--firm', other.firm.id)).toEqual([
    { ...row(other), isConfidential: true },
  ]);
  const number = other.customer.enterpriseNumber;
  for (const written of [number, `BE ${number.replaceAll('.', ' ')}`, number.replaceAll('.', '')]) {
    expect(await json('customer', 'list', '--number', written)).toEqual([
      { ...row(other), isConfidential: true },
    ]);
  }
  const { stdout } = await run('customer', 'list', '--firm', first.firm.id);
  expect(stdout).toMatch(/^ID +FIRM +ENTERPRISE NUMBER +NAME +CONFIDENTIAL +ARCHIVED\n/);
  expect(stdout).toContain(
    `${first.customer.id}  ${first.firm.id}  ${first.customer.enterpriseNumber}`,
  );
});

test('§5 rule 5: customer confidential on and off; updatedOn changes only with the customer', async () => {
  const id = await insertCustomer(knex, await insertFirm(knex));
  const stored = () => knex('customers').where({ id }).first('is_confidential', 'updated_on');
  const set = async (value: string) => await json('customer', 'confidential', id, value);
  const before = await stored();
  expect(await set('on')).toEqual({ id, isConfidential: true });
  const after = await stored();
  expect(after.is_confidential).toBe(true);
  expect(after.updated_on.getTime()).toBeGreaterThan(before.updated_on.getTime());
  await set('on');
  expect(await stored()).toEqual(after);
  await set('off');
  expect((await stored()).is_confidential).toBe(false);
});

test('§4.8 customer confidential: an archived customer is not found', async () => {
  const id = await insertCustomer(knex, await insertFirm(knex), { archived_on: new Date() });
  expect(await run('customer', 'confidential', id, 'on')).toEqual(
    failure(`There is no customer with the id ${id}.`),
  );
  expect(await knex('customers').where({ id })).toMatchObject([{ is_confidential: false }]);
});

test('D-48 customer confidential: the files of a customer that was transferred can be made confidential', async () => {
  const firmId = await insertFirm(knex);
  const transferred = {
    ...{ archived_on: new Date(), transfer_agreed_by: 'Jan Peeters' },
    transferred_to: await insertCustomer(knex, firmId),
  };
  const id = await insertCustomer(knex, firmId, transferred);
  expect(await json('customer', 'confidential', id, 'on')).toEqual({
    ...{ id, isConfidential: true },
  });
  expect(await knex('customers').where({ id })).toMatchObject([{ is_confidential: true }]);
});

test('D-33 operator: customer list --archived shows the customers that were archived, and not those that were transferred', async () => {
  const firmId = await insertFirm(knex);
  await insertCustomer(knex, firmId);
  const archivedOn = '2026-11-20T08:00:00.000Z';
  const id = await insertCustomer(knex, firmId, { archived_on: archivedOn });
  const transferred = { transferred_to: id, transfer_agreed_by: 'Jan Peeters' };
  await insertCustomer(knex, firmId, { archived_on: archivedOn, ...transferred });
  const list = ['customer', 'list', '--firm', firmId, '--archived'];
  expect(await json(...list)).toEqual([expect.objectContaining({ id, firmId, archivedOn })]);
  expect((await run(...list)).stdout).toMatch(new RegExp(`^${id} .* ${archivedOn}$`, 'm'));
});

async function toTransfer() {
  const left = await createCustomerWithMandates(knex);
  const joined = await createCustomerWithMandates(knex);
  const { id, enterpriseNumber: number } = left.customer;
  return {
    ...{ id, number, from: left.firm.id, to: joined.firm.id },
    command: ['customer', 'transfer', id, '--to', joined.firm.id, '--agreed-by', 'Jan Peeters'],
  };
}

test('D-33, D-48 operator: customer transfer prints what is recorded, also when it is repeated, and so does customer list', async () => {
  const { id, number, from, to, command } = await toTransfer();
  const printed = await json(...command);
  expect(printed).toEqual({
    ...{ id, firmId: from, enterpriseNumber: number, name: 'Bakkerij De Gouden Korst' },
    isConfidential: false,
    transferredTo: { id: expect.stringMatching(/^[0-9a-f]{24}$/), firmId: to },
    transferredOn: expect.stringMatching(/^2.*Z$/),
    agreedBy: 'Jan Peeters',
  });
  expect(await json(...command)).toEqual(printed);
  const list = ['customer', 'list', '--firm', from];
  expect(await json(...list)).toEqual([]);
  expect(await json(...list, '--transferred')).toEqual([printed]);
  const ofNumber = ['customer', 'list', '--number', number];
  expect(await json(...ofNumber, '--transferred')).toEqual([printed]);
  expect(await json(...ofNumber)).toMatchObject([{ firmId: to }]);
  expect(await json('customer', 'list', '--transferred')).toContainEqual(printed);
  const { stdout } = await run(...list, '--transferred');
  expect(stdout).toMatch(
    /^ID +FIRM +ENTERPRISE NUMBER +NAME +TRANSFERRED ON +TO FIRM +NEW ID +AGREED BY\n/,
  );
  expect(stdout).toMatch(new RegExp(`^${id} .* ${to}  [0-9a-f]{24}  Jan Peeters$`, 'm'));
  expect((await run(...command)).stdout).toMatch(
    new RegExp(`^id +${id}\nfirm +${from}\n(.*\n)+transferred to +${to}\nnew id +\\w+\n`),
  );
});

const countNow = () => countUnsigned(knex, defaultUnsignedLinks, new Date());

test('D-66 operator: customer list --unsigned shows what the limit counts: links that nobody signed for, and customers without a signed one', async () => {
  const { all } = await countNow();
  const { firm, customer } = await createCustomerWithMandates(knex);
  const [firmId, id, number] = [firm.id, customer.id, customer.enterpriseNumber];
  const withoutLinks = await insertCustomer(knex, firmId);
  const archivedOn = '2026-11-20T08:00:00.000Z';
  const archived = await insertCustomer(knex, firmId, { archived_on: archivedOn });
  await insertCustomer(knex, firmId, { created_on: '2026-01-01' });
  expect(await countNow()).toMatchObject({ all: all + 3 });
  const list = ['customer', 'list', '--unsigned', '--firm', firmId];
  const printed = await json(...list);
  expect(printed).toHaveLength(3);
  const row = { firmId, enterpriseNumber: number, unsignedLinks: 1, archivedOn: null };
  expect(printed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id, ...row }),
      expect.objectContaining({ id: withoutLinks, unsignedLinks: 0 }),
      expect.objectContaining({ id: archived, unsignedLinks: 0, archivedOn }),
    ]),
  );
  const { stdout } = await run('customer', 'list', '--unsigned', '--number', number);
  expect(stdout).toMatch(/^ID +FIRM +ENTERPRISE NUMBER +NAME +UNSIGNED LINKS +SINCE +ARCHIVED\n/);
  expect(stdout).toMatch(new RegExp(`^${id} .* 1 +2.*Z$`, 'm'));
  const mandate = knex('mandates').where({ customer_id: id });
  await mandate.clone().update({ status: 'waitingForPayrollProvider' });
  expect(await json(...list)).toHaveLength(2);
  expect(await countNow()).toMatchObject({ all: all + 2 });
  await mandate.clone().update({ closed_on: archivedOn });
  expect(await json(...list)).toContainEqual(expect.objectContaining({ id, ...row }));
  await mandate.clone().update({ created_on: '2026-01-01' });
  await knex('customers').where({ firm_id: firmId }).update({ created_on: '2026-01-01' });
  expect(await json(...list)).toEqual([]);
});

test('D-66 operator: mandate list --contested shows what waits for a confirmation after a transfer', async () => {
  const { from, to, command } = await toTransfer();
  await run(...command);
  const contested = async (firm: string) =>
    await json('mandate', 'list', '--contested', '--firm', firm);
  expect(await contested(from)).toEqual([]);
  expect(await contested(to)).toMatchObject([{ product: 'CODB', isContested: true }]);
});

test('D-33, D-48 operator: customer transfer explains why a customer cannot be transferred', async () => {
  const { id, from, to, command } = await toTransfer();
  const nothing = '7'.repeat(24);
  const expectRefusal = async (customerId: string, firmId: string, sentence: string) =>
    expect(
      await run('customer', 'transfer', customerId, '--to', firmId, '--agreed-by', 'Jan Peeters'),
    ).toEqual(failure(sentence));
  const noCustomer = `There is no customer with the id ${nothing}, or it is archived.`;
  await expectRefusal(nothing, to, noCustomer);
  await expectRefusal(id, nothing, `There is no firm with the id ${nothing}.`);
  await expectRefusal(id, from, `Customer ${id} belongs to firm ${from} already.`);
  const archived = await insertCustomer(knex, from, { archived_on: new Date() });
  await expectRefusal(archived, to, noCustomer.replace(nothing, archived));
  await run('firm', 'disable', to);
  expect((await run(...command)).stderr).toMatch(/disabled/);
  await run('firm', 'enable', to);
  expect(await json('customer', 'list', '--firm', from)).toMatchObject([{ id }]);
  expect((await run(...command)).exitCode).toBe(0);
  await expectRefusal(id, from, `Customer ${id} was transferred to another firm already.`);
});

test('D-48 operator: a transfer that is killed moves nothing, and can be repeated', async () => {
  const { id, to, command } = await toTransfer();
  const before = await knex('customers').where({ id });
  // The clock of a firm is the last lock, so everything is done except the commit.
  const holder = await knex.transaction();
  await holder('mandate_clocks').where({ firm_id: to }).forUpdate().first();
  const killed = startAdxServer(command, settings);
  await waitUntilBlocked(knex);
  killed.kill('SIGKILL');
  await once(killed, 'close');
  await holder.commit();
  // Commander takes the last of repeated options.
  const repeated = await runAdxServer([...command, '--agreed-by', 'An Maes', '--json'], settings);
  expect(repeated).toMatchObject({ exitCode: 0, stderr: '' });
  const { transferredTo, agreedBy } = JSON.parse(repeated.stdout);
  expect(agreedBy).toBe('An Maes');
  const numbers = before.map(({ enterprise_number }) => enterprise_number);
  const rows = await knex('customers').whereIn('enterprise_number', numbers).orderBy('created_on');
  expect(rows.map((row) => row.id)).toEqual([id, transferredTo.id]);
});
