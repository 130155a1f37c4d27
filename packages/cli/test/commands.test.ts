import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Mandate } from '@adx/client';
import { expect, test } from 'vitest';
import { leadMandate } from '../../../test/support/lead-mandate.js';
import { newEnterpriseNumber, newIban } from '../../../test/support/numbers.js';
import { changed, codaFile, codbFile } from '../../server/test/uploads/sample-files.js';
import { createCustomer, newCustomerOptions } from './support/create-customer.js';
import { expectFailure, runAdx, startAdx } from './support/run-adx.js';
import { useFirm } from './support/use-firm.js';

const { firm, adx, path } = useFirm({ settings: { JOBS_CONCURRENCY: '2' } });

test('§4.5 customers create, list and show', async () => {
  const [number, iban] = [newEnterpriseNumber(), newIban()];
  const created = await createCustomer(firm(), number, iban);
  expect(created).toMatchObject({ enterpriseNumber: number, bankAccounts: [{ iban }] });
  expect(await adx('customers', 'list', '--iban', iban)).toEqual([created]);
  expect(await adx('customers', 'show', created.id)).toEqual(created);
  expect(await adx('customers', 'show', number)).toEqual(created);
  const { stdout } = await runAdx(['customers', 'show', number], firm());
  expect(stdout).toMatch(/^address +Markt 1, 9000 Gent, België$/m);
  expect(stdout).toMatch(/^contact +An Peeters <an@peeters\.example>, Zaakvoerder, nl$/m);
  expect(stdout).toMatch(/^number .*\n.*\nreference .*K-77$/m);
  expect(stdout).toMatch(/^payroll +sdworx$/m);
  const { stdout: table } = await runAdx(['customers', 'list', '--search', 'peeters'], firm());
  expect(table).toContain(`${created.id}  ${number}  K-77       Slagerij Peeters`);
});

test('§4.5 customers create names everything that is missing or wrong', async () => {
  const wrong = ['--enterprise-number', '0123456789', '--bank-accounts', 'BE00'];
  const { exitCode, stderr } = await runAdx(['customers', 'create', ...wrong], firm());
  expect(exitCode).toBe(2);
  const said = ['--name', '--contact-email', 'check digits are wrong', 'BE00 is not an IBAN'];
  for (const part of said) expect(stderr).toContain(part);
});

test('§4.5 a number that the firm has is an error that says what to do', async () => {
  const number = newEnterpriseNumber();
  const { id } = await createCustomer(firm(), number, newIban());
  await expect(createCustomer(firm(), number, newIban())).rejects.toThrow(
    /^Exit code 2: .*"code":"customerExists"/,
  );
  await expect(createCustomer(firm(), number, newIban())).rejects.toThrow(
    `adx customers show ${id}`,
  );
});

test('D-51 an error has its code, the id of the request and the address of its page', async () => {
  const parameters = ['mandates', 'show', '0123456789abcdef01234567'];
  const page = firm().env['ADX_URL']?.replace(/v1$/, 'docs/errors/notFound.html');
  const { exitCode, stderr } = await runAdx(parameters, firm());
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/^error: .*\[notFound, request [\da-f-]{36}\]\n {7}http/),
  ]);
  expect(stderr).toContain(`       ${page}\n`);
  const json = await runAdx([...parameters, '--json'], firm());
  expect(JSON.parse(json.stderr)).toEqual({
    ...{ code: 'notFound', status: 404, documentation: page },
    ...{ message: expect.any(String), requestId: expect.any(String) },
  });
  const nonsense = ['call', 'getMandate', '--mandate-id', 'nonsense'];
  const invalid = await runAdx([...nonsense, '--json'], firm());
  expect(JSON.parse(invalid.stderr)).toMatchObject({
    ...{
      code: 'validationFailed',
      status: 400,
      message: expect.stringMatching(/: --mandate-id must .*\.$/),
    },
    details: [{ path: 'mandateId', option: '--mandate-id' }],
  });
});

test('§4.15 mandates list, show and request', async () => {
  const number = newEnterpriseNumber();
  const { id: customer } = await createCustomer(firm(), number, newIban());
  const mandates = await adx<Mandate[]>('mandates', 'list', '--customer', customer);
  expect(mandates).toHaveLength(2);
  const { id } = mandates[0] ?? expect.fail();
  await expect(adx('mandates', 'request', id)).rejects.toThrow('adx mandates show');
  await leadMandate(firm().service, id, 'expired');
  expect(await adx('mandates', 'list', '--number', number, '--status', 'expired')).toHaveLength(1);
  expect(await adx('mandates', 'request', id)).toMatchObject({ id, status: 'created' });
  await leadMandate(firm().service, id, 'finished');
  expect(await adx('mandates', 'show', id)).toMatchObject({ id, status: 'finished' });
  expect((await runAdx(['mandates', 'show', id], firm())).stdout).toContain('status    finished\n');
  const all = await adx<Mandate[]>('mandates', 'list');
  expect(all.map((each) => each.id)).not.toContain(id);
  for (const asked of [['--active'], ['--status', 'finished']]) {
    const active = await adx<Mandate[]>('mandates', 'list', ...asked);
    expect(active.map((each) => each.id)).toContain(id);
  }
  const digits = number.replaceAll('.', '');
  for (const of of [
    ['--customer', customer],
    ['--number', digits],
  ]) {
    expect(await adx('mandates', 'list', ...of), 'one that is active does not vanish').toHaveLength(
      2,
    );
  }
  expect(
    await adx('mandates', 'list', '--customer', customer, '--status', 'finished'),
  ).toMatchObject([{ id }]);
});

test('D-51 a value that the service refuses is exit code 2, and is told by its option', async () => {
  await expectFailure(
    runAdx(['call', 'getCustomer', '--customer-id', 'nonsense'], firm()),
    2,
    'specification of this operation: --customer-id must match',
  );
  const wrong = ['--contact-email', 'an@peeters', '--zip-code', 'x'.repeat(300)];
  const { stderr } = await runAdx([...newCustomerOptions(), ...wrong, '--json'], firm());
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'wrongUse',
    message: expect.stringContaining('an@peeters is not an e-mail address'),
  });
  const long = ['--zip-code', 'x'.repeat(300), '--contact-function', 'x'.repeat(300)];
  const refused = await runAdx([...newCustomerOptions(), ...long, '--json'], firm());
  expect(JSON.parse(refused.stderr)).toMatchObject({
    ...{ code: 'validationFailed', status: 400 },
    message: expect.stringMatching(/: --zip-code must .*; --contact-function must .*\.$/),
    details: [
      { path: 'address.zipCode', option: '--zip-code' },
      { path: 'contact.function', option: '--contact-function' },
    ],
  });
});

test('§4.15 mandates watch prints each change on a line', async () => {
  const { id: customer } = await createCustomer(firm(), newEnterpriseNumber(), newIban());
  const since = ['--since', '2026-01-01T00:00:00Z', '--customer', customer, '--product', 'codb'];
  const child = startAdx(['mandates', 'watch', '--json', ...since], firm().env);
  const [line] = await once(child.stdout ?? expect.fail(), 'data');
  expect(JSON.parse(String(line))).toMatchObject({ customerId: customer, product: 'CODB' });
  child.kill();
  await once(child, 'close');
});

test('§4.15 mandates watch begins now by the clock of the service, even if that of the machine is ahead', async () => {
  const fastClock = new URL('support/fast-clock.mjs', import.meta.url).href;
  const child = startAdx(['mandates', 'watch'], firm().env, ['--import', fastClock]);
  await once(child.stderr ?? expect.fail(), 'data');
  // Changes of the second in which it began are printed too.
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += String(chunk);
  });
  const { name } = await createCustomer(firm(), newEnterpriseNumber(), newIban());
  await expect.poll(() => printed).toMatch(new RegExp(`  created  .*${name}`));
  child.kill();
  await once(child, 'close');
});

test('§4.20 push waits for the verdict, and prints the findings', async () => {
  const [number, iban] = [newEnterpriseNumber(), newIban()];
  await createCustomer(firm(), number, iban);
  const good = codaFile({ iban, number: 14 });
  await writeFile(path('good.cod'), good);
  await writeFile(path('bad.cod'), changed(codaFile({ iban, number: 15 }), 'EUR', 'EU1'));
  const payroll = codbFile({ enterpriseNumber: number.replaceAll('.', '') });
  await writeFile(path('payroll.xml'), payroll);
  const { exitCode, stdout, stderr } = await runAdx(
    ['push', ...['absent.cod', 'good.cod', 'bad.cod', 'payroll.xml'].map(path)],
    firm(),
  );
  expect([exitCode, stderr]).toEqual([2, 'error: Not accepted: 2 of 4 files.\n']);
  expect(stdout).toMatch(/absent.cod cannot be read or written: it does not exist \(ENOENT\).\n/);
  const folder = path('.');
  expect((await runAdx(['push', folder], firm())).stdout).toContain(`${folder} cannot be read`);
  expect(stdout).toMatch(new RegExp(`good.cod: processed, new files: 1\n {2}${iban}_EUR_2026_014`));
  expect(stdout).toMatch(/bad.cod: rejected, new files: 0\n {2}error in line \d+: .* \[\w+\]\n/);
  expect(stdout).toMatch(/payroll.xml: processed, new files: 1/);

  const listed = await adx('files', 'list', '--number', number);
  expect(listed).toMatchObject([
    { product: 'CODA', iban, statementNumber: 14 },
    { product: 'CODB', payrollProvider: 'SD Worx' },
  ]);
  expect(JSON.stringify(listed)).not.toContain('X-Amz');

  await writeFile(path('later.cod'), codaFile({ iban, number: 16 }));
  await adx('push', path('later.cod'));
  expect(await adx('missing', '--iban', iban)).toMatchObject([
    { kind: 'gap', fromNumber: 15, toNumber: 15, afterNumber: 14, beforeNumber: 16 },
  ]);
});

test('D-30 missing shows the numbers that are missing, or the number before a break', async () => {
  const [number, iban] = [newEnterpriseNumber(), newIban()];
  await createCustomer(firm(), number, iban);
  const ofDay = (day: number) => ({ iban, number: day + 230, date: `2026-02-0${day}` });
  const statements = [ofDay(2), ofDay(5), { ...ofDay(6), oldBalance: 5_000n }];
  await writeFile(path('missing.cod'), codaFile(...statements));
  await adx('push', path('missing.cod'));
  const { stdout } = await runAdx(['missing', '--iban', iban], firm());
  expect(stdout).toMatch(/ gap +233-234 +2026-02-02 +2026-02-05 /);
  expect(stdout).toMatch(/ balanceBreak +after 235 +2026-02-05 +2026-02-06 /);
});

test('§5 without the scope the command says what to ask for', async () => {
  const { key } = await firm().service.issueApiKey(['files:read']);
  const env = { ...firm().env, ADX_API_KEY: key };
  await expectFailure(runAdx(['customers', 'list'], { env }), 3, 'adx doctor');
});
