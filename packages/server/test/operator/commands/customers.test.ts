import { once } from 'node:events';
import { expect, test } from 'vitest';
import { formatEnterpriseNumber } from '../../../src/identifiers/enterprise-number.js';
import { countUnsigned, defaultUnsignedLinks } from '../../../src/mandates/unsigned-links.js';
import { waitUntilBlocked } from '../../mandates/wait-until-blocked.js';
import { insertCustomer, insertFirm } from '../../support/rows.js';
import { enterpriseNumber } from '../../uploads/sample-files.js';
import { runAdxServer, startAdxServer } from '../adx-server.js';
import { operatorForFile } from '../operator-with-storage.js';
import { createCustomerWithMandates } from './mandates/mandates-of-a-customer.js';

const operator = await operatorForFile();

test('operator: customer list shows the customers of all firms or of one, with the ids for other commands', async () => {
  const first = await createCustomerWithMandates(operator.knex, {
    enterpriseNumber: '0161.864.987',
    ibans: [],
  });
  const other = await createCustomerWithMandates(operator.knex, {
    enterpriseNumber: '0174.892.879',
    ibans: [],
  });
  const row = ({ firm, customer }: typeof first) => ({
    id: customer.id,
    firmId: firm.id,
    enterpriseNumber: customer.enterpriseNumber,
    name: 'Bakkerij De Gouden Korst',
    isConfidential: false,
    archivedOn: null,
  });
  expect((await operator.json('customer', 'list')).printed).toEqual(
    expect.arrayContaining([row(first), row(other)]),
  );
  await operator.run('customer', 'confidential', other.customer.id, 'on');
  expect((await operator.json('customer', 'list', '--firm', other.firm.id)).printed).toEqual([
    { ...row(other), isConfidential: true },
  ]);
  for (const number of ['0174.892.879', 'BE 0174 892 879', '0174892879']) {
    expect((await operator.json('customer', 'list', '--number', number)).printed).toEqual([
      { ...row(other), isConfidential: true },
    ]);
  }
  const { stdout } = await operator.run('customer', 'list', '--firm', first.firm.id);
  expect(stdout).toMatch(/^ID +FIRM +ENTERPRISE NUMBER +NAME +CONFIDENTIAL +ARCHIVED\n/);
  expect(stdout).toContain(`${first.customer.id}  ${first.firm.id}  0161.864.987`);
});

test('§5 rule 5: customer confidential on and off; updatedOn changes only with the customer', async () => {
  const { knex } = operator;
  const id = await insertCustomer(knex, await insertFirm(knex));
  const stored = () => knex('customers').where({ id }).first('is_confidential', 'updated_on');
  const set = async (value: string) =>
    (await operator.json('customer', 'confidential', id, value)).printed;
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
  const { knex } = operator;
  const id = await insertCustomer(knex, await insertFirm(knex), { archived_on: new Date() });
  expect(await operator.run('customer', 'confidential', id, 'on')).toEqual({
    ...{ exitCode: 1, stdout: '' },
    stderr: `error: There is no customer with the id ${id}.\n`,
  });
  expect(await knex('customers').where({ id })).toMatchObject([{ is_confidential: false }]);
});

test('D-48 customer confidential: the files of a customer that was transferred can be made confidential', async () => {
  const { knex } = operator;
  const firmId = await insertFirm(knex);
  const transferred = {
    ...{ archived_on: new Date(), transfer_agreed_by: 'Jan Peeters' },
    transferred_to: await insertCustomer(knex, firmId),
  };
  const id = await insertCustomer(knex, firmId, transferred);
  expect((await operator.json('customer', 'confidential', id, 'on')).printed).toEqual({
    ...{ id, isConfidential: true },
  });
  expect(await knex('customers').where({ id })).toMatchObject([{ is_confidential: true }]);
});

test('D-33 operator: customer list --archived shows the customers that were archived, and not those that were transferred', async () => {
  const { knex } = operator;
  const firmId = await insertFirm(knex);
  await insertCustomer(knex, firmId);
  const archivedOn = '2026-11-20T08:00:00.000Z';
  const id = await insertCustomer(knex, firmId, { archived_on: archivedOn });
  const transferred = { transferred_to: id, transfer_agreed_by: 'Jan Peeters' };
  await insertCustomer(knex, firmId, { archived_on: archivedOn, ...transferred });
  const list = ['customer', 'list', '--firm', firmId, '--archived'];
  expect((await operator.json(...list)).printed).toEqual([
    expect.objectContaining({ id, firmId, archivedOn }),
  ]);
  expect((await operator.run(...list)).stdout).toMatch(new RegExp(`^${id} .* ${archivedOn}$`, 'm'));
});

/** A customer to transfer, and the command that does it. */
async function toTransfer() {
  const customerOfNewFirm = () =>
    createCustomerWithMandates(operator.knex, {
      enterpriseNumber: formatEnterpriseNumber(enterpriseNumber()),
      ibans: [],
    });
  const [left, joined] = [await customerOfNewFirm(), await customerOfNewFirm()];
  const { id, enterpriseNumber: number } = left.customer;
  return {
    ...{ id, number, from: left.firm.id, to: joined.firm.id },
    command: ['customer', 'transfer', id, '--to', joined.firm.id, '--agreed-by', 'Jan Peeters'],
  };
}

test('D-33, D-48 operator: customer transfer prints what is recorded, also when it is repeated, and so does customer list', async () => {
  const { id, number, from, to, command } = await toTransfer();
  const { printed, ...outcome } = await operator.json(...command);
  expect(outcome).toEqual({ exitCode: 0, stderr: '' });
  expect(printed).toEqual({
    ...{ id, firmId: from, enterpriseNumber: number, name: 'Bakkerij De Gouden Korst' },
    isConfidential: false,
    transferredTo: { id: expect.stringMatching(/^[0-9a-f]{24}$/), firmId: to },
    transferredOn: expect.stringMatching(/^2.*Z$/),
    agreedBy: 'Jan Peeters',
  });
  expect((await operator.json(...command)).printed).toEqual(printed);
  const list = ['customer', 'list', '--firm', from];
  expect((await operator.json(...list)).printed).toEqual([]);
  expect((await operator.json(...list, '--transferred')).printed).toEqual([printed]);
  const ofNumber = ['customer', 'list', '--number', number];
  expect((await operator.json(...ofNumber, '--transferred')).printed).toEqual([printed]);
  expect((await operator.json(...ofNumber)).printed).toMatchObject([{ firmId: to }]);
  expect((await operator.json('customer', 'list', '--transferred')).printed).toContainEqual(
    printed,
  );
  const { stdout } = await operator.run(...list, '--transferred');
  expect(stdout).toMatch(
    /^ID +FIRM +ENTERPRISE NUMBER +NAME +TRANSFERRED ON +TO FIRM +NEW ID +AGREED BY\n/,
  );
  expect(stdout).toMatch(new RegExp(`^${id} .* ${to}  [0-9a-f]{24}  Jan Peeters$`, 'm'));
  expect((await operator.run(...command)).stdout).toMatch(
    new RegExp(`^id +${id}\nfirm +${from}\n(.*\n)+transferred to +${to}\nnew id +\\w+\n`),
  );
});

const countNow = () => countUnsigned(operator.knex, defaultUnsignedLinks, new Date());

test('D-66 operator: customer list --unsigned shows what the limit counts: links that nobody signed for, and customers without a signed one', async () => {
  const { knex } = operator;
  const { all } = await countNow();
  const { firm, customer } = await createCustomerWithMandates(knex, {
    enterpriseNumber: '0157.005.881',
    ibans: [],
  });
  const [firmId, id, number] = [firm.id, customer.id, customer.enterpriseNumber];
  const withoutLinks = await insertCustomer(knex, firmId);
  const archivedOn = '2026-11-20T08:00:00.000Z';
  const archived = await insertCustomer(knex, firmId, { archived_on: archivedOn });
  await insertCustomer(knex, firmId, { created_on: '2026-01-01' });
  expect(await countNow()).toMatchObject({ all: all + 3 });
  const list = ['customer', 'list', '--unsigned', '--firm', firmId];
  const { printed } = await operator.json(...list);
  expect(printed).toHaveLength(3);
  const row = { firmId, enterpriseNumber: number, unsignedLinks: 1, archivedOn: null };
  expect(printed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id, ...row }),
      expect.objectContaining({ id: withoutLinks, unsignedLinks: 0 }),
      expect.objectContaining({ id: archived, unsignedLinks: 0, archivedOn }),
    ]),
  );
  const { stdout } = await operator.run('customer', 'list', '--unsigned', '--number', number);
  expect(stdout).toMatch(/^ID +FIRM +ENTERPRISE NUMBER +NAME +UNSIGNED LINKS +SINCE +ARCHIVED\n/);
  expect(stdout).toMatch(new RegExp(`^${id} .* 1 +2.*Z$`, 'm'));
  const mandate = knex('mandates').where({ customer_id: id });
  await mandate.clone().update({ status: 'waitingForPayrollProvider' });
  expect((await operator.json(...list)).printed).toHaveLength(2);
  expect(await countNow()).toMatchObject({ all: all + 2 });
  await mandate.clone().update({ closed_on: archivedOn });
  expect((await operator.json(...list)).printed).toContainEqual(
    expect.objectContaining({ id, ...row }),
  );
  await mandate.clone().update({ created_on: '2026-01-01' });
  await knex('customers').where({ firm_id: firmId }).update({ created_on: '2026-01-01' });
  expect((await operator.json(...list)).printed).toEqual([]);
});

test('D-66 operator: mandate list --contested shows what waits for a confirmation after a transfer', async () => {
  const { from, to, command } = await toTransfer();
  await operator.run(...command);
  const contested = async (firm: string) =>
    (await operator.json('mandate', 'list', '--contested', '--firm', firm)).printed;
  expect(await contested(from)).toEqual([]);
  expect(await contested(to)).toMatchObject([{ product: 'CODB', isContested: true }]);
});

test('D-33, D-48 operator: customer transfer explains why a customer cannot be transferred', async () => {
  const { id, from, to, command } = await toTransfer();
  const nothing = '7'.repeat(24);
  const transfer = async (customerId: string, firmId: string) => {
    const { exitCode, stdout, stderr } = await operator.run(
      ...['customer', 'transfer', customerId, '--to', firmId, '--agreed-by', 'Jan Peeters'],
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    return stderr;
  };
  expect(await transfer(nothing, to)).toBe(
    `error: There is no customer with the id ${nothing}, or it is archived.\n`,
  );
  expect(await transfer(id, nothing)).toBe(`error: There is no firm with the id ${nothing}.\n`);
  expect(await transfer(id, from)).toBe(`error: Customer ${id} belongs to firm ${from} already.\n`);
  expect((await operator.run(...command)).exitCode).toBe(0);
  expect(await transfer(id, from)).toBe(
    `error: Customer ${id} was transferred to another firm already.\n`,
  );
});

test('D-48 operator: a transfer that is killed moves nothing, and can be repeated', async () => {
  const { knex, settings } = operator;
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
