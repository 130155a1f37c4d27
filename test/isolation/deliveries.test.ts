import type { Client } from '@adx/client';
import type { CodaFile, Customer } from '@adx/contract';
import { expect, test } from 'vitest';
import { oneServer } from '../../packages/server/src/db/nodes.js';
import { createLogger } from '../../packages/server/src/logger.js';
import { createCoverage } from '../../packages/server/src/mandates/coverage.js';
import { createUploadTasks } from '../../packages/server/src/uploads/tasks.js';
import { deliverFile } from '../../packages/server/test/uploads/deliver-file.js';
import { codaFile, codbFile } from '../../packages/server/test/uploads/sample-files.js';
import { leadMandate } from '../support/lead-mandate.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { useTestService } from '../support/use-service.js';

const service = useTestService();

async function newFirm(): Promise<Client> {
  const firmId = await service.createFirm();
  return service.client(await service.createUser({ firmId }));
}

const parts = () => ({ ...service, coverage: createCoverage(), now: () => new Date() });

async function deliverPayroll(enterpriseNumber: string, number: number): Promise<number> {
  const compact = enterpriseNumber.replaceAll('.', '');
  return (await deliverFile(parts(), codbFile({ enterpriseNumber: compact, number }))).listed;
}

/** Delivers a statement as `adx-server ingest` does; returns the number of listed ones. */
async function deliver(iban: string, number: number): Promise<number> {
  return (await deliverFile(parts(), codaFile({ iban, number }))).listed;
}

async function mandateOf(client: Client, { id }: Customer): Promise<string> {
  const { records } = await client.mandates.search({ customerId: id });
  return records[0]?.id ?? expect.fail('the customer has no mandate');
}

async function filesOf(client: Client): Promise<CodaFile[]> {
  const groups = await client.codaFiles.list({ redownload: true });
  return groups.flatMap(({ ibans }) => ibans.flatMap(({ files }) => files));
}

async function releaseFor({ id }: Customer): Promise<void> {
  const account = await service.knex('bank_accounts').where({ customer_id: id }).first();
  const days = { heldDeliveryDays: 90, rejectedUploadDays: 90 };
  const options = { ...days, logger: createLogger('silent'), nodes: oneServer };
  const { tasks } = createUploadTasks({ ...parts(), ...options });
  await tasks.releaseDeliveries.run({ linkId: account.id, firmId: account.firm_id });
}

test('§5 rule 3, D-28, D-66 a firm that adds the account of another firm’s customer, with its own mailbox as contact, sees no statement until the bank confirms its mandate', async () => {
  const [first, second] = [await newFirm(), await newFirm()];
  const iban = newIban();
  const customer = await first.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  await leadMandate(service, await mandateOf(first, customer), 'confirmedByBank');
  expect(await deliver(iban, 1)).toBe(1);
  await first.customers.disableBankAccount(customer.id, iban);

  const taker = await second.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  const mandateId = await mandateOf(second, taker);
  expect(await deliver(iban, 2)).toBe(0);
  expect(await filesOf(second)).toEqual([]);
  await leadMandate(service, mandateId, 'rejectedBySigner');
  expect(await deliver(iban, 3)).toBe(0);
  expect(await filesOf(second)).toEqual([]);

  await leadMandate(service, mandateId, 'waitingForBank');
  await releaseFor(taker);
  expect(await deliver(iban, 4)).toBe(0);
  expect(await filesOf(second)).toEqual([]);
  expect(await second.mandates.get(mandateId)).toMatchObject({ status: 'waitingForBank' });

  await leadMandate(service, mandateId, 'confirmedByBank');
  await releaseFor(taker);
  expect((await filesOf(second)).map(({ statementNumber }) => statementNumber)).toEqual([2, 3, 4]);
  expect(await second.mandates.get(mandateId)).toMatchObject({ status: 'finished' });
  expect(await filesOf(first)).toMatchObject([{ statementNumber: 1, source: 'bank' }]);
});

test('D-66 a firm that links an account whose statements come already sees none until the bank confirms its mandate', async () => {
  const firm = await newFirm();
  const iban = newIban();
  expect(await deliver(iban, 1)).toBe(0);
  const customer = await firm.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  const mandateId = await mandateOf(firm, customer);
  await leadMandate(service, mandateId, 'waitingForBank');
  expect(await deliver(iban, 2)).toBe(0);
  expect(await filesOf(firm)).toEqual([]);
  await leadMandate(service, mandateId, 'confirmedByBank');
  expect(await deliver(iban, 3)).toBe(1);
});

test('D-66 statements that come while no firm has the account do not contest the one that had it alone', async () => {
  const firm = await newFirm();
  const iban = newIban();
  const customer = await firm.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  await firm.customers.disableBankAccount(customer.id, iban);
  expect(await deliver(iban, 1)).toBe(0);
  await firm.customers.addBankAccount(customer.id, iban);
  await leadMandate(service, await mandateOf(firm, customer), 'waitingForBank');
  expect(await deliver(iban, 2)).toBe(1);
});

test('D-66 a firm that adds a provider whose payroll files come already sees none until the provider confirms its mandate', async () => {
  const firm = await newFirm();
  const customer = await firm.customers.create(newCustomer());
  const { enterpriseNumber } = customer;
  expect(await deliverPayroll(enterpriseNumber, 1)).toBe(0);
  await firm.customers.addPayrollProvider(customer.id, 'sdworx');
  const mandateId = await mandateOf(firm, customer);
  await leadMandate(service, mandateId, 'waitingForPayrollProvider');
  expect(await deliverPayroll(enterpriseNumber, 2)).toBe(0);
  expect(await firm.mandates.get(mandateId)).toMatchObject({ status: 'waitingForPayrollProvider' });
  await leadMandate(service, mandateId, 'finished');
  expect(await deliverPayroll(enterpriseNumber, 3)).toBe(1);
});

test('D-66 payroll files that come while a firm does not have the provider do not contest the firm that had it alone', async () => {
  const firm = await newFirm();
  const payrollProviders = [{ code: 'sdworx' }];
  const customer = await firm.customers.create(newCustomer({ payrollProviders }));
  const { id, enterpriseNumber } = customer;
  await firm.customers.removePayrollProvider(id, 'sdworx');
  expect(await deliverPayroll(enterpriseNumber, 1)).toBe(0);
  await firm.customers.addPayrollProvider(id, 'sdworx');
  await leadMandate(service, await mandateOf(firm, customer), 'waitingForPayrollProvider');
  expect(await deliverPayroll(enterpriseNumber, 2)).toBe(1);
});
