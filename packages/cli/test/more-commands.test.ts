import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Customer, UploadRecord } from '@adx/client';
import { operations } from '@adx/contract';
import { expect, test } from 'vitest';
import { newEnterpriseNumber, newIban } from '../../../test/support/numbers.js';
import { changed, codaFile } from '../../server/test/uploads/sample-files.js';
import { createCustomer } from './support/create-customer.js';
import { folderOfTest } from './support/folders.js';
import { expectFailure, runAdx } from './support/run-adx.js';
import { useFirm } from './support/use-firm.js';

const { firm, adx, refused, path } = useFirm({ settings: { JOBS_CONCURRENCY: '2' } });
const nobody = '000000000000000000000000';

test('§4.7 customers update changes what the options name, and nothing else', async () => {
  const number = newEnterpriseNumber();
  const before = await createCustomer(firm(), number, newIban());
  const changes = ['--name', 'Slagerij An', '--zip-code', '9050', '--contact-language', 'fr'];
  const after = await adx<Customer>(
    'customers',
    'update',
    number,
    ...changes,
    '--street2',
    'bus 3',
  );
  expect(after).toEqual({
    ...{ ...before, name: 'Slagerij An', updatedOn: expect.any(String) },
    address: { ...before.address, zipCode: '9050', street2: 'bus 3' },
    contact: { ...before.contact, language: 'fr' },
  });
  const { address } = await adx<Customer>('customers', 'update', before.id, '--street2', '');
  expect(address).not.toHaveProperty('street2');
  await refused('No option says what to change.', 'customers', 'update', number);
  const wrong = ['--contact-email', 'an@peeters'];
  await refused(': --contact-email must match', 'customers', 'update', number, ...wrong);
});

test('§4.8 customers archive, by id or number', async () => {
  const number = newEnterpriseNumber();
  await createCustomer(firm(), number, newIban());
  expect(await runAdx(['customers', 'archive', number], firm())).toEqual({
    ...{ exitCode: 0, stdout: 'The customer is archived.\n', stderr: '' },
  });
  const again = runAdx(['customers', 'archive', number], firm());
  await expectFailure(again, 2, `error: There is no customer with number ${number}.\n`);
  await refused('[notFound, request', 'customers', 'archive', nobody);
});

test('§4.9 §4.10 accounts add and disable', async () => {
  const [number, iban] = [newEnterpriseNumber(), newIban()];
  const { id } = await createCustomer(firm(), number, newIban());
  const { stdout } = await runAdx(['accounts', 'add', number, iban.toLowerCase()], firm());
  expect(stdout).toMatch(new RegExp(`^iban +${iban}\\ncurrency +EUR\\n`));
  // A bank that delivers nothing is known from the mandate alone.
  expect(stdout).toContain(`\`adx mandates list --iban ${iban}\` says whether`);
  expect((await adx<Customer>('customers', 'show', id)).bankAccounts).toHaveLength(2);
  expect(await adx('accounts', 'disable', id, iban)).toEqual({
    message: 'The bank account is disabled.',
  });
  expect((await adx<Customer>('customers', 'show', id)).bankAccounts).toHaveLength(1);
  const wrong = runAdx(['accounts', 'add', number, 'BE71096123456768'], firm());
  await expectFailure(wrong, 2, '<iban> cannot be "BE71096123456768". BE71096123456768 is not an');
  const absent = runAdx(['accounts', 'disable', nobody, iban], firm());
  await expectFailure(absent, 2, 'There is no such resource');
});

test('§4.13 §4.14 banks and payroll-providers list all of them', async () => {
  const banks = await runAdx(['banks'], firm());
  expect(banks.stdout).toMatch(/^BIC +CODA +NAME\n/);
  expect(banks.stdout).toMatch(/^GKCC BE BB +yes +BELFIUS BANK$/m);
  expect(await adx('payroll-providers')).toContainEqual(
    expect.objectContaining({ code: 'sdworx' }),
  );
  await refused('for banks: 1 instead of 0.', 'banks', 'BELFIUS');
  await refused('no option --code', 'payroll-providers', '--code', 'x');
});

test('D-31 uploads lists the findings of each upload, the latest first', async () => {
  const [number, iban] = [newEnterpriseNumber(), newIban()];
  await createCustomer(firm(), number, iban);
  await writeFile(path('good.cod'), codaFile({ iban, number: 1 }));
  await writeFile(path('bad.cod'), changed(codaFile({ iban, number: 2 }), 'EUR', 'EU1'));
  await runAdx(['push', path('good.cod'), path('bad.cod')], firm());
  const all = await adx<UploadRecord[]>('uploads');
  expect(all.map(({ status }) => status).sort()).toEqual(['processed', 'rejected']);
  const rejected = ['uploads', 'list', '--status', 'rejected', '--product', 'coda'];
  const { stdout } = await runAdx([...rejected, '--since', '2026-01-01T00:00:00+01:00'], firm());
  expect(stdout).toMatch(
    /^\S+Z {2}[\da-f]{24} {2}\S+bad\.cod: rejected, new files: 0\n {2}error in/,
  );
  const id = all.find(({ status }) => status === 'rejected')?.id ?? '';
  expect((await runAdx(['uploads', 'show', id], firm())).stdout).toBe(stdout);
  expect((await runAdx(['uploads', '--product', 'codb'], firm())).stdout).toBe('None.\n');
  await refused('Give one of received,', 'uploads', '--status', 'lost');
  await refused('[notFound, request', 'uploads', 'show', nobody);
});

test('D-51 call calls any operation, and prints its answer', async () => {
  const [number, iban] = [newEnterpriseNumber(), newIban()];
  const { id } = await createCustomer(firm(), number, iban);
  const of = ['--customer-id', id];
  expect(await adx('call', 'getCustomer', ...of)).toMatchObject({ id, enterpriseNumber: number });
  const body = JSON.stringify({ enterpriseNumber: number, limit: 1 });
  const file = join(await folderOfTest(), 'body.json');
  await writeFile(file, body);
  for (const given of [body, file]) {
    expect(await adx('call', 'searchCustomers', '--body', given)).toMatchObject({
      ...{ records: [{ id }], recordsFiltered: 1 },
    });
  }
  expect(await adx('call', 'searchCustomers')).toHaveProperty('recordsTotal');
  const other = newIban();
  expect(await adx('call', 'addBankAccount', ...of, '--iban', other)).toMatchObject({
    iban: other,
  });
  const { stdout } = await runAdx(['call', 'helloWorld'], firm());
  expect(JSON.parse(stdout)).toHaveProperty('message');
});

test('D-51 call sends a header that is given, and tells errors by options', async () => {
  const newCustomer = { name: 'x', enterpriseNumber: newEnterpriseNumber() };
  const create = ['call', 'createCustomer', '--body', JSON.stringify(newCustomer)];
  await refused('--idempotency-key must', ...create, '--idempotency-key', 'é');
  await refused('contact is required', ...create);
  await refused('option --customer-id is missing', 'call', 'getCustomer');
  const malformed = ['call', 'getCustomer', '--customer-id', 'x'];
  await refused(': --customer-id must match', ...malformed);
  const list = ['call', 'listBanks', '--body'];
  await refused('--body is not JSON: ', ...list, '{"limit":');
  await refused('not know: limt.', ...list, '{"limt":1}');
  for (const other of ['[]', '"x"', 'null']) {
    await writeFile(path('other.json'), other);
    const given = [...list, path('other.json')];
    await refused('--body is not a JSON object.', ...given);
  }
  await refused('it does not exist (ENOENT).', ...list, '/absent.json');
  const unknown = ['call', 'listBank'];
  await refused('no command listBank. Did you mean listBanks?', ...unknown);
});

test('D-51 call has all operations of the spec, each with its method and path in the help', async () => {
  const { stdout } = await runAdx(['call', '--help']);
  for (const { operationId, method, path: place } of Object.values(operations)) {
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${method.toUpperCase()} ${place}`);
    expect(stdout).toMatch(new RegExp(`^  ${operationId} `, 'm'));
  }
});

test('D-51 logout removes the profile, and nothing else', async () => {
  const profileFolder = await folderOfTest();
  for (const name of ['default', 'other']) {
    await runAdx(['login', '--profile', name], { env: firm().env, profileFolder });
  }
  const { exitCode, stdout } = await runAdx(['logout'], { profileFolder });
  expect([exitCode, stdout]).toEqual([0, `Removed ${join(profileFolder, 'default.json')}.\n`]);
  await expectFailure(runAdx(['hello'], { profileFolder }), 2, 'Run `adx login`');
  const other = ['hello', '--profile', 'other'];
  expect(await runAdx(other, { profileFolder })).toMatchObject({ exitCode: 0 });
  // Also one that cannot be read.
  await writeFile(join(profileFolder, 'other.json'), '');
  const again = ['logout', '--profile', 'other'];
  expect(await runAdx(again, { profileFolder })).toMatchObject({ exitCode: 0 });
  await expectFailure(runAdx(again, { profileFolder }), 2, 'error: There is no profile "other".\n');
});
