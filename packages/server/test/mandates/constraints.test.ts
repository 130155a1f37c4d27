import { beforeAll, expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertBankAccount, insertPayrollProvider, refusal } from '../support/rows.js';
import {
  createLinkedCustomer,
  mandatesOf,
  newConnectedIban,
  newPrincipal,
  serveByConnector,
} from './linked-customer.js';

const knex = await knexForFile();

let ids: { readonly coda: string; readonly consent: string; readonly codb: string };
let foreign: { readonly bank_account_id: string; readonly payroll_link_id: string };
let foreignRequestId: string;

beforeAll(async () => {
  await serveByConnector(knex);
  const principal = await newPrincipal(knex);
  const links = { ibans: [newIban(), newConnectedIban()], providers: ['sdworx'] };
  const customerId = await createLinkedCustomer(knex, principal, links);
  const [coda, consent, codb] = (await mandatesOf(knex, customerId)).map(({ id }) => id);
  ids = { coda: coda ?? '', consent: consent ?? '', codb: codb ?? '' };
  const other = await createLinkedCustomer(knex, principal, { ibans: [newIban()] });
  foreignRequestId = (await mandatesOf(knex, other))[0]?.signature_request_id ?? '';
  foreign = {
    bank_account_id: await insertBankAccount(knex, other, { iban: newIban() }),
    payroll_link_id: await insertPayrollProvider(knex, other, { code: 'sdworx' }),
  };
});

const refusalOf = (id: string, change: object) =>
  refusal(knex('mandates').where({ id }).update(change));

test('D-24 a mandate is for an account or a provider of its own customer', async () => {
  const { bank_account_id, payroll_link_id } = foreign;
  expect(await refusalOf(ids.coda, { bank_account_id })).toBe(
    'mandates_bank_account_id_customer_id_firm_id_fkey',
  );
  expect(await refusalOf(ids.codb, { payroll_link_id })).toBe(
    'mandates_payroll_link_id_customer_id_firm_id_fkey',
  );
});

test('D-24 the signature request of a mandate is to its own customer', async () => {
  expect(await refusalOf(ids.coda, { signature_request_id: foreignRequestId })).toBe(
    'mandates_signature_request_id_customer_id_firm_id_fkey',
  );
});

test('§3 only consents have to be renewed, and signed ones have a last day', async () => {
  const valid_until = '2026-12-31';
  const refused = /^mandates_check\d*$/;
  expect(await refusalOf(ids.coda, { status: 'renewalRequired' })).toMatch(refused);
  expect(await refusalOf(ids.consent, { status: 'finished' })).toMatch(refused);
  expect(await refusalOf(ids.codb, { connector_id: 7 })).toMatch(refused);
  expect(await refusalOf(ids.consent, { status: 'finished', valid_until })).toBe('none');
  expect(await refusalOf(ids.consent, { status: 'renewalRequired', valid_until })).toBe('none');
  expect(await refusalOf(ids.coda, { status: 'finished' })).toBe('none');
});

test('D-24 an error has one of the known codes', async () => {
  const error = { status: 'error', error_message: '-' };
  expect(await refusalOf(ids.coda, { ...error, error_code: 'other' })).toBe(
    'mandates_error_code_check',
  );
  for (const error_code of ['recipientRefused', 'deliveryFailed']) {
    expect(await refusalOf(ids.coda, { ...error, error_code })).toBe('none');
  }
});
