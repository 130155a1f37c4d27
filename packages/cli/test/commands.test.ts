import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Customer, Mandate } from '@adx/client';
import { spec } from '@adx/contract/spec';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { leadMandate } from '../../../test/support/lead-mandate.js';
import { newEnterpriseNumber, newIban } from '../../../test/support/numbers.js';
import { TestService } from '../../client/test/support/test-service.js';
import { changed, codaFile, codbFile } from '../../server/test/uploads/sample-files.js';
import { customerCsv } from './support/customer-csv.js';
import { type Firm, startFirm } from './support/firm.js';
import { newFolder } from './support/folders.js';
import { adxJson, expectFailure, runAdx, startAdx } from './support/run-adx.js';

let firm: Firm;
let folder: string;
beforeAll(async () => {
  firm = await startFirm({ settings: { JOBS_CONCURRENCY: '2' } });
  folder = await newFolder();
});
afterAll(async () => {
  await firm.service.close();
  await rm(folder, { recursive: true });
});

const adx = <Output = unknown>(...parameters: string[]) => adxJson<Output>(parameters, firm);
const path = (name: string) => join(folder, name);

function create(number: string, iban: string) {
  return adx<Customer>(
    ...['customers', 'create', '--enterprise-number', number, '--name', 'Slagerij Peeters'],
    ...['--accounting-ref', 'K-77', '--street', 'Markt 1', '--zip-code', '9000'],
    ...['--municipality', 'Gent', '--country', 'België', '--contact-name', 'An Peeters'],
    ...['--contact-function', 'Zaakvoerder', '--contact-email', 'an@peeters.example'],
    ...['--contact-language', 'nl', '--bank-accounts', iban, '--payroll-providers', 'sdworx'],
  );
}

test('§4.5 customers create, list and show', async () => {
  const [number, iban] = [newEnterpriseNumber(), newIban()];
  const created = await create(number, iban);
  expect(created).toMatchObject({ enterpriseNumber: number, bankAccounts: [{ iban }] });
  expect(await adx('customers', 'list', '--iban', iban)).toEqual([created]);
  expect(await adx('customers', 'show', created.id)).toEqual(created);
  expect(await adx('customers', 'show', number)).toEqual(created);
  const { stdout } = await runAdx(['customers', 'show', number], firm);
  expect(stdout).toContain('An Peeters <an@peeters.example>');
  const { stdout: table } = await runAdx(['customers', 'list', '--search', 'peeters'], firm);
  expect(table).toContain(`${created.id}  ${number}  K-77       Slagerij Peeters`);
});

test('§4.5 customers create names everything that is missing or wrong', async () => {
  const wrong = ['--enterprise-number', '0123456789', '--bank-accounts', 'BE00'];
  const { exitCode, stderr } = await runAdx(['customers', 'create', ...wrong], firm);
  expect(exitCode).toBe(2);
  const said = ['--name', '--contact-email', 'check digits are wrong', 'BE00 is not an IBAN'];
  for (const part of said) expect(stderr).toContain(part);
});

test('§4.5 a number that the firm has is an error that says what to do', async () => {
  const number = newEnterpriseNumber();
  const { id } = await create(number, newIban());
  await expect(create(number, newIban())).rejects.toThrow(
    /^Exit code 2: .*"code":"customerExists"/,
  );
  await expect(create(number, newIban())).rejects.toThrow(`adx customers show ${id}`);
});

test('D-51 an error has its code, the id of the request and the address of its page', async () => {
  const parameters = ['mandates', 'show', '0123456789abcdef01234567'];
  const page = firm.env['ADX_URL']?.replace(/v1$/, 'docs/errors/notFound.html');
  const { exitCode, stderr } = await runAdx(parameters, firm);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/^error: .*\[notFound, request [\da-f-]{36}\]\n {7}http/),
  ]);
  expect(stderr).toContain(`       ${page}\n`);
  const json = await runAdx([...parameters, '--json'], firm);
  expect(JSON.parse(json.stderr)).toEqual({
    ...{ code: 'notFound', documentation: page },
    ...{ message: expect.any(String), requestId: expect.any(String) },
  });
  const invalid = await runAdx(['mandates', 'show', 'nonsense', '--json'], firm);
  expect(JSON.parse(invalid.stderr)).toMatchObject({
    ...{ code: 'validationFailed', details: [{ path: 'mandateId' }] },
  });
});

test('§4.5 customers import shows first, creates then, and creates nothing twice', async () => {
  const [first, second] = [newEnterpriseNumber(), newEnterpriseNumber()];
  const text = customerCsv([
    [first, 'Café Élan', `${newIban()}, ${newIban()}`],
    // The number has neither dots nor the 0 that spreadsheets take away.
    [second.replaceAll('.', '').slice(1), '"Frites; ""Chez Léon"""', ''],
  ]);
  await writeFile(path('customers.csv'), Buffer.from(text, 'latin1'));
  const plan = await adx<{ line: number; outcome: string }[]>(
    ...['customers', 'import', path('customers.csv')],
  );
  expect(plan.map(({ line, outcome }) => [line, outcome])).toEqual([
    [2, 'new'],
    [3, 'new'],
  ]);
  expect(await adx('customers', 'list', '--number', first)).toEqual([]);
  await adx('customers', 'import', path('customers.csv'), '--create');
  const [created] = await adx<Customer[]>('customers', 'list', '--number', second);
  expect(created).toMatchObject({ name: 'Frites; "Chez Léon"', contact: { name: 'Zoë' } });
  const again = await adx('customers', 'import', path('customers.csv'), '--create');
  expect(again).toMatchObject([{ outcome: 'exists' }, { outcome: 'exists' }]);
  expect(await adx('customers', 'import', path('customers.csv'))).toEqual(again);
  await writeFile(path('customers.csv'), Buffer.from(`\uFEFF${text}`, 'utf16le'));
  expect(await adx('customers', 'import', path('customers.csv'))).toEqual(again);
});

test('§4.5 customers import reports errors by line, and goes on with the others', async () => {
  const [number, taken] = [newEnterpriseNumber(), newIban()];
  await create(newEnterpriseNumber(), taken);
  const text = customerCsv([
    ['0123.456.789', 'Wrong number', ''],
    [newEnterpriseNumber(), 'Account of another', taken],
    [number, 'Good', ''],
    [number, 'Twice', ''],
    [newEnterpriseNumber(), 'Frites; Léon', ''],
  ]);
  await writeFile(path('errors.csv'), `\uFEFF${text}`);
  const parameters = ['customers', 'import', path('errors.csv'), '--create', '--json'];
  const { exitCode, stdout } = await runAdx(parameters, firm);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject([
    { line: 2, outcome: 'error', problems: [expect.stringContaining('check digits are wrong')] },
    { line: 3, outcome: 'error', problems: [expect.stringContaining('is an account of customer')] },
    { line: 4, outcome: 'created' },
    { line: 5, outcome: 'error', problems: ['the same number as in line 4'] },
    {
      line: 6,
      outcome: 'error',
      problems: [expect.stringContaining('has 13 cells for 12 columns')],
    },
  ]);
  await writeFile(path('columns.csv'), 'name;colour\nx;y\n');
  const { stderr } = await runAdx(['customers', 'import', path('columns.csv')], firm);
  expect(stderr).toMatch(/lacks the columns .*enterpriseNumber.*unknown columns colour/);
});

test('§4.5 customers import reads what spreadsheets write: sep=, blanks that do not break, empty columns', async () => {
  const [number, other, iban] = [newEnterpriseNumber(), newEnterpriseNumber(), newIban()];
  const spaced = iban.replaceAll(/(.{4})(?=.)/g, '$1\u00a0');
  const rows = customerCsv([
    [number.replaceAll('.', '\u202f'), 'Café', `${spaced},${newIban()}`],
    [`BE\u00a0${other}`, 'Brood', ''],
  ]);
  const [first = ''] = rows.split('\r\n');
  const text = rows.replace(first, `${first};;`).replaceAll(/(?<!;)\r\n/g, ';;\r\n');
  const outcomes = [
    { line: 3, enterpriseNumber: number, outcome: 'new', name: 'Café', problems: [] },
    { line: 4, enterpriseNumber: other, outcome: 'new', name: 'Brood', problems: [] },
  ];
  for (const start of ['sep=;\r\n', '"sep=;"\n', 'sep=;;;\n']) {
    await writeFile(path('sep.csv'), `\uFEFF${start}${text}`);
    expect(await adx('customers', 'import', path('sep.csv'))).toEqual(outcomes);
  }
  await writeFile(path('sep.csv'), `sep=|\n${rows.replaceAll(';', '|')}`);
  expect(await adx('customers', 'import', path('sep.csv'))).toEqual(outcomes);
  const { stdout } = await runAdx(['customers', 'import', path('sep.csv')], firm);
  expect(stdout).toContain(`3     ${number}  new      Café`);
});

test('§4.5 customers import reads French capitals with apostrophes in windows-1252', async () => {
  const names = [`CAF\xc9\x92S`, `L\xc0\x91PIN\xd9\x94`, 'Soci\xe9t\xe9', 'S\xc3O JO\xc3O'];
  const text = customerCsv(names.map((name) => [newEnterpriseNumber(), name, '']));
  await writeFile(path('capitals.csv'), Buffer.from(text, 'latin1'));
  const outcomes = await adx<{ name: string }[]>('customers', 'import', path('capitals.csv'));
  expect(outcomes.map(({ name }) => name)).toEqual(['CAFÉ’S', 'LÀ‘PINÙ”', 'Société', 'SÃO JOÃO']);
});

test('§4.5 customers import refuses UTF-8 with a damaged character, and names its line', async () => {
  const rows = customerCsv([
    [newEnterpriseNumber(), 'Société', ''],
    [newEnterpriseNumber(), 'Café', ''],
  ]);
  const parameters = ['customers', 'import', path('damaged.csv'), '--create'];
  for (const [from, to] of [
    ['Café', 'Caf\xe9'],
    ['Café', 'Caf\xc3'],
    ['Brux', 'Bru\x81'],
  ] as const) {
    const bytes = Buffer.from(rows).toString('latin1').split('\r\n');
    const damaged = Buffer.from(from).toString('latin1');
    const text = [...bytes.slice(0, 2), bytes[2]?.replace(damaged, to), ''].join('\r\n');
    await writeFile(path('damaged.csv'), Buffer.from(text, 'latin1'));
    await expectFailure(runAdx(parameters, firm), 2, 'Line 3 of ');
  }
  expect(await adx('customers', 'list', '--search', 'Soci')).toEqual([]);
});

test('§4.5 the dry run of customers import refuses what --create would', async () => {
  const [taken, twice, number] = [newIban(), newIban(), newEnterpriseNumber()];
  await create(number, taken);
  const row = (name: string, accounts = '', more: Readonly<Record<string, string>> = {}) => ({
    ...{ enterpriseNumber: newEnterpriseNumber(), name, accountingRef: 'K-1', street: 'Markt 1' },
    ...{ zipCode: '9000', municipality: 'Gent', country: 'België', contactName: 'An' },
    ...{
      contactFunction: 'Zaakvoerder',
      contactEmail: 'an@peeters.example',
      contactLanguage: 'nl',
    },
    ...{ bankAccounts: accounts, payrollProviders: '', ...more },
  });
  const rows = [
    row('Good', twice),
    row('x'.repeat(201)),
    row('Back\u202eward'),
    row('E-mail', '', { contactEmail: 'an@peeters..example' }),
    row('Zip', '', { zipCode: '9'.repeat(21) }),
    row('Taken', taken),
    row('Twice', twice),
    row('Provider', '', { payrollProviders: 'sdworx,nobody' }),
    row('Accounts', Array(101).fill(newIban()).join()),
    row('Providers', '', { payrollProviders: Array(101).fill('sdworx').join() }),
  ];
  const columns = Object.keys(rows[0] ?? {});
  const text = [columns, ...rows.map(Object.values)].map((cells) => cells.join('\t')).join('\n');
  await writeFile(path('refused.csv'), text);
  const before = await adx('customers', 'list');
  type Outcomes = { outcome: string; name: string; problems: string[] }[];
  const run = async (...options: string[]) => {
    const parameters = ['customers', 'import', path('refused.csv'), '--json', ...options];
    const { exitCode, stdout } = await runAdx(parameters, firm);
    expect(exitCode).toBe(2);
    return JSON.parse(stdout) as Outcomes;
  };
  const planned = await run();
  expect(planned.map(({ name, problems }) => [name.slice(0, 9), problems.join()])).toEqual([
    ['Good', ''],
    ['x'.repeat(9), expect.stringContaining('name ')],
    ['Back\u202eward'.slice(0, 9), expect.stringContaining('name ')],
    ['E-mail', expect.stringContaining('contact.email ')],
    ['Zip', expect.stringContaining('address.zipCode ')],
    ['Taken', `${taken} is an account of customer ${number}`],
    ['Twice', `the same account ${twice} as in line 2`],
    ['Provider', 'there is no payroll provider nobody'],
    ['Accounts', 'bankAccounts has more than 100 entries'],
    ['Providers', 'payrollProviders has more than 100 entries'],
  ]);
  expect(await adx('customers', 'list')).toEqual(before);
  const created = await run('--create');
  const outcomesOf = (outcomes: Outcomes) => outcomes.map(({ outcome }) => outcome);
  expect(outcomesOf(created)).toEqual(
    outcomesOf(planned).map((it) => it.replace('new', 'created')),
  );
});

test('§4.5 the dry run of customers import creates nothing in a service that takes everything', async () => {
  const service = await TestService.start();
  onTestFinished(() => service.stop());
  const page = { records: [], recordsTotal: 0, recordsFiltered: 0 };
  for (const list of ['customers', 'payroll-providers']) {
    service.on(`POST /${list}`, () => ({ json: page }));
  }
  service.on('POST /customers/create', () => ({ status: 201, json: { id: 'made' } }));
  await writeFile(path('dry.csv'), customerCsv([[newEnterpriseNumber(), 'Frituur', '']]));
  const env = { ...firm.env, ADX_URL: service.baseUrl };
  await runAdx(['customers', 'import', path('dry.csv')], { env });
  const changing = service.received.filter(({ body }) => JSON.stringify(body)?.includes('Frituur'));
  expect(changing.map(({ route }) => route)).toEqual(['PATCH /customers/000000000000000000000000']);
});

test.each([
  ['CreateCustomerRequest', 'UpdateCustomerRequest'],
  ['NewAddress', 'AddressChange'],
  ['NewContact', 'ContactChange'],
])(
  '§4.5 the fields of %s have the limits of %s, with which the dry run checks them',
  (one, other) => {
    const limitsOf = (name: string) => {
      const properties = Object.entries(spec.components.schemas[name]?.properties ?? {});
      return properties.map(([field, { description, examples, $ref, ...limits }]) => [
        field,
        limits,
      ]);
    };
    expect(limitsOf(other).length).toBeGreaterThan(3);
    expect(limitsOf(one)).toEqual(expect.arrayContaining(limitsOf(other)));
  },
);

test('§4.15 mandates list, show and request', async () => {
  const number = newEnterpriseNumber();
  const { id: customer } = await create(number, newIban());
  const mandates = await adx<Mandate[]>('mandates', 'list', '--customer', customer);
  expect(mandates).toHaveLength(2);
  const { id } = mandates[0] ?? expect.fail();
  await expect(adx('mandates', 'request', id)).rejects.toThrow('adx mandates show');
  await leadMandate(firm.service, id, 'expired');
  expect(await adx('mandates', 'list', '--number', number, '--status', 'expired')).toHaveLength(1);
  expect(await adx('mandates', 'request', id)).toMatchObject({ id, status: 'created' });
  await leadMandate(firm.service, id, 'finished');
  expect(await adx('mandates', 'show', id)).toMatchObject({ id, status: 'finished' });
  expect((await runAdx(['mandates', 'show', id], firm)).stdout).toContain('status    finished\n');
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

test('D-51 a value that the service refuses is exit code 2', async () => {
  await expectFailure(
    runAdx(['mandates', 'list', '--customer', 'nonsense'], firm),
    2,
    'customerId',
  );
  await expectFailure(
    runAdx(['mandates', 'list', '--status', 'signed'], firm),
    2,
    'waitingForSigner',
  );
  await expectFailure(
    runAdx(['customers', 'show', '0123456789'], firm),
    2,
    'check digits are wrong',
  );
  expect(await runAdx(['customers', 'show', 'bakkerij'], firm)).toMatchObject({
    exitCode: 2,
    stderr: 'error: bakkerij is neither an id nor an enterprise number.\n',
  });
});

test('§4.15 mandates watch prints each change on a line', async () => {
  const { id: customer } = await create(newEnterpriseNumber(), newIban());
  const since = ['--since', '2026-01-01T00:00:00Z', '--customer', customer, '--product', 'codb'];
  const child = startAdx(['mandates', 'watch', '--json', ...since], firm.env);
  const [line] = await once(child.stdout ?? expect.fail(), 'data');
  expect(JSON.parse(String(line))).toMatchObject({ customerId: customer, product: 'CODB' });
  child.kill();
  await once(child, 'close');
});

test('§4.15 mandates watch begins now by the clock of the service, even if that of the machine is ahead', async () => {
  const fastClock = new URL('support/fast-clock.mjs', import.meta.url).href;
  const child = startAdx(['mandates', 'watch'], firm.env, ['--import', fastClock]);
  await once(child.stderr ?? expect.fail(), 'data');
  const printed = once(child.stdout ?? expect.fail(), 'data');
  const { name } = await create(newEnterpriseNumber(), newIban());
  expect(String((await printed)[0])).toContain(`  created  `);
  expect(String((await printed)[0])).toContain(name);
  child.kill();
  await once(child, 'close');
});

test('§4.20 push waits for the verdict, and prints the findings', async () => {
  const [number, iban] = [newEnterpriseNumber(), newIban()];
  await create(number, iban);
  const good = codaFile({ iban, number: 14 });
  await writeFile(path('good.cod'), good);
  await writeFile(path('bad.cod'), changed(codaFile({ iban, number: 15 }), 'EUR', 'EU1'));
  const payroll = codbFile({ enterpriseNumber: number.replaceAll('.', '') });
  await writeFile(path('payroll.xml'), payroll);
  const { exitCode, stdout, stderr } = await runAdx(
    ['push', ...['absent.cod', 'good.cod', 'bad.cod', 'payroll.xml'].map(path)],
    firm,
  );
  expect([exitCode, stderr]).toEqual([2, 'error: Not accepted: 2 of 4 files.\n']);
  expect(stdout).toMatch(/absent.cod cannot be read or written: it does not exist \(ENOENT\).\n/);
  expect((await runAdx(['push', folder], firm)).stdout).toContain(`${folder} cannot be read`);
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
  await create(number, iban);
  const ofDay = (day: number) => ({ iban, number: day + 230, date: `2026-02-0${day}` });
  const statements = [ofDay(2), ofDay(5), { ...ofDay(6), oldBalance: 5_000n }];
  await writeFile(path('missing.cod'), codaFile(...statements));
  await adx('push', path('missing.cod'));
  const { stdout } = await runAdx(['missing', '--iban', iban], firm);
  expect(stdout).toMatch(/ gap +233-234 +2026-02-02 +2026-02-05 /);
  expect(stdout).toMatch(/ balanceBreak +after 235 +2026-02-05 +2026-02-06 /);
});

test('§5 without the scope the command says what to ask for', async () => {
  const { key } = await firm.service.issueApiKey(['files:read']);
  const env = { ...firm.env, ADX_API_KEY: key };
  await expectFailure(runAdx(['customers', 'list'], { env }), 3, 'adx doctor');
});
