import { writeFile } from 'node:fs/promises';
import type { CreateCustomerRequest, Customer } from '@adx/client';
import { spec } from '@adx/contract/spec';
import { expect, onTestFinished, test } from 'vitest';
import { readCodeBlocks } from '../../../test/partners/code-blocks.js';
import { everyField, newCustomer } from '../../../test/support/new-customer.js';
import { newEnterpriseNumber, newIban } from '../../../test/support/numbers.js';
import { failure, TestService } from '../../client/test/support/test-service.js';
import { createCustomer } from './support/create-customer.js';
import { cellsOf, customerCsv } from './support/customer-csv.js';
import { expectFailure, runAdx } from './support/run-adx.js';
import { useFirm } from './support/use-firm.js';

const { firm, adx, path } = useFirm();

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

test('§4.5 customers import takes the file of the README', async () => {
  const files = readCodeBlocks('packages/cli/README.md').filter(({ source }) =>
    source.startsWith('enterpriseNumber'),
  );
  await writeFile(path('example.csv'), files[0]?.source ?? '');
  const plan = await adx('customers', 'import', path('example.csv'));
  expect(plan).toMatchObject([{ name: 'Bakkerij De Gouden Korst', problems: [] }]);
});

test('§4.5 customers import and create take every field of the spec, and show has it', async () => {
  const made = (): CreateCustomerRequest =>
    everyField({ bankAccounts: [{ iban: newIban() }], payrollProviders: [{ code: 'sdworx' }] });
  const [imported, created] = [made(), made()];
  const cells = Object.entries(cellsOf(imported));
  const lines = [cells.map(([column]) => column), cells.map(([, value]) => value)];
  await writeFile(path('every.csv'), lines.map((line) => line.join(';')).join('\n'));
  await adx('customers', 'import', path('every.csv'), '--create');
  const options = Object.entries(cellsOf(created)).flatMap(([column, value]) => [
    `--${column.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`,
    value,
  ]);
  await adx('customers', 'create', ...options);
  for (const customer of [imported, created]) {
    const { enterpriseNumber } = customer;
    expect(await adx('customers', 'show', enterpriseNumber)).toMatchObject(customer);
    const { stdout } = await runAdx(['customers', 'show', enterpriseNumber], firm());
    for (const value of Object.values(cellsOf(customer))) expect(stdout).toContain(value);
  }
});

test('§4.5 customers import reports errors by line, and goes on with the others', async () => {
  const [number, taken] = [newEnterpriseNumber(), newIban()];
  await createCustomer(firm(), newEnterpriseNumber(), taken);
  const text = customerCsv([
    ['0123.456.789', 'Wrong number', ''],
    [newEnterpriseNumber(), 'Account of another', taken],
    [number, 'Good', ''],
    [number, 'Twice', ''],
    [newEnterpriseNumber(), 'Frites; Léon', ''],
  ]);
  await writeFile(path('errors.csv'), `\uFEFF${text}`);
  const parameters = ['customers', 'import', path('errors.csv'), '--create', '--json'];
  const { exitCode, stdout } = await runAdx(parameters, firm());
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
  const { stderr } = await runAdx(['customers', 'import', path('columns.csv')], firm());
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
  const { stdout } = await runAdx(['customers', 'import', path('sep.csv')], firm());
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
    await expectFailure(runAdx(parameters, firm()), 2, 'Line 3 of ');
  }
  expect(await adx('customers', 'list', '--search', 'Soci')).toEqual([]);
});

test('§4.5 the dry run of customers import refuses what --create would', async () => {
  const [taken, twice, number] = [newIban(), newIban(), newEnterpriseNumber()];
  await createCustomer(firm(), number, taken);
  const row = (name: string, accounts = '', more: Readonly<Record<string, string>> = {}) => ({
    ...cellsOf(newCustomer({ name })),
    ...{ bankAccounts: accounts, ...more },
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
    const { exitCode, stdout } = await runAdx(parameters, firm());
    expect(exitCode).toBe(2);
    return JSON.parse(stdout) as Outcomes;
  };
  const planned = await run();
  expect(planned.map(({ name, problems }) => [name.slice(0, 9), problems.join()])).toEqual([
    ['Good', ''],
    ['x'.repeat(9), expect.stringContaining('name ')],
    ['Back\u202eward'.slice(0, 9), expect.stringContaining('name ')],
    ['E-mail', expect.stringContaining('contactEmail ')],
    ['Zip', expect.stringContaining('zipCode ')],
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

/** Starts a service without customers and payroll providers. */
async function startEmptyService() {
  const service = await TestService.start();
  onTestFinished(() => service.stop());
  const page = { records: [], recordsTotal: 0, recordsFiltered: 0 };
  for (const list of ['customers', 'payroll-providers']) {
    service.on(`POST /${list}`, () => ({ json: page }));
  }
  return { service, env: { ...firm().env, ADX_URL: service.baseUrl } };
}

test('§4.5 the dry run of customers import creates nothing in a service that takes everything', async () => {
  const { service, env } = await startEmptyService();
  service.on('POST /customers/create', () => ({ status: 201, json: { id: 'made' } }));
  await writeFile(path('dry.csv'), customerCsv([[newEnterpriseNumber(), 'Frituur', '']]));
  await runAdx(['customers', 'import', path('dry.csv')], { env });
  const changing = service.received.filter(({ body }) => JSON.stringify(body)?.includes('Frituur'));
  expect(changing.map(({ route }) => route)).toEqual(['PATCH /customers/000000000000000000000000']);
});

test('§4.5 customers import stops at the limit of calls, and says how many lines it has tried', async () => {
  const { service, env } = await startEmptyService();
  // Longer than the client waits.
  const headers = { 'retry-after': '61' };
  service.on('POST /customers/create', () => ({ ...failure(429, 'tooManyRequests'), headers }));
  const rows = ['First', 'Second'].map((name) => [newEnterpriseNumber(), name, ''] as const);
  await writeFile(path('limit.csv'), customerCsv(rows));
  const running = runAdx(['customers', 'import', path('limit.csv'), '--create'], { env });
  await expectFailure(running, 1, '0 of 2 lines were tried. Run it again to go on');
  expect(service.count('POST /customers/create')).toBe(1);
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
