import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../src/command/run-command.js';
import { writeCoda } from '../../src/index.js';
import { sample } from '../coda/sample-statement.js';
import { payrollFile } from '../codb/payroll-file.js';
import { party } from '../communications.js';
import { good, gross, useFiles } from './command-files.js';

const { path, run } = useFiles();

describe('D-46 adx-statements check', () => {
  test('accepts good files, from a path and from standard input', async () => {
    const { code, output, errors } = await run('check @good.cod @payroll.xml -', good);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/good\.cod: accepted, statement BE\d+ EUR/);
    expect(output).toContain(
      'payroll.xml: accepted, payroll Groep S – Sociaal Secretariaat 202401',
    );
    expect(output).toMatch(/^-: accepted, statement/m);
  });

  test.each([
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16LE', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16BE', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('sees that a file in %s is a payroll file', async (_, encode) => {
    const text = payrollFile()
      .toString()
      .replace(/^<\?xml.*?\?>/, '');
    const { output } = await run('check -', encode(text));
    expect(output).toContain('payroll');
    expect(output).not.toContain('CODA');
  });

  test('keeps control characters of a file from the terminal', async () => {
    const source = 'Groep\u009B31m';
    const file = payrollFile()
      .toString()
      .replace(/<Source>[^<]*/, `<Source>${source}`);
    const { output } = await run('check -', Buffer.from(file));
    expect(output).toContain('accepted, payroll Groep 31m');
  });

  test('takes a file that cannot be read for wrong use, not for a refused one', async () => {
    const { code, errors } = await run('check @good.cod/part');
    expect(code).toBe(2);
    expect(errors).toContain('good.cod/part: this file cannot be read: ENOTDIR');
  });

  test.each([
    ['fr', 'Le total des crédits'],
    ['nl', 'Het credittotaal'],
    ['de', 'Die Habensumme'],
  ])('--language %s translates the findings', async (language, text) => {
    const { output } = await run(`check @bad.cod --language ${language}`);
    expect(output).toContain(text);
    expect(output).not.toMatch(/refused|error|nothing/);
    expect((await run(`check @bad.cod --json --language ${language}`)).output).toContain(text);
    expect((await run(`show @bad.cod --language ${language}`)).errors).toContain(text);
  });

  test('says what refuses a file, and where, and goes on with the next', async () => {
    const { code, output } = await run('check @bad.cod @good.cod @other.pdf @empty.cod');
    expect(code).toBe(1);
    expect(output).toMatch(
      /bad\.cod: refused.*\n(?: {2}.*\n)* {2}error in line \d+, position \d+: /,
    );
    expect(output).toMatch(/good\.cod: accepted/);
    expect(output).toMatch(/other\.pdf: refused/);
    expect(output).toMatch(/empty\.cod: refused/);
  });

  test('--strict exits with 1 also for details that do not add up, and for a statement twice', async () => {
    expect(await run('check -', gross)).toMatchObject({ code: 0, errors: '' });
    expect(await run('check --strict -', gross)).toMatchObject({ code: 1, errors: '' });
    expect((await run('check --strict @good.cod')).code).toBe(0);
    const twice = Buffer.concat([good, good]);
    expect((await run('check -', twice)).code).toBe(0);
    expect((await run('check --strict -', twice)).code).toBe(1);
  });

  test('--json has the same for programs', async () => {
    const { code, output } = await run('check --json @bad.cod @payroll.xml');
    expect(code).toBe(1);
    const [first, second] = JSON.parse(output);
    expect(first).toMatchObject({ file: path('bad.cod'), format: 'CODA', accepted: false });
    expect(first.findings[0]).toMatchObject({ severity: 'error', code: expect.any(String) });
    expect(second).toMatchObject({ format: 'CODB', accepted: true, findings: [] });
  });

  test('no control character of a file reaches the terminal', async () => {
    const odd = Buffer.from(good).toString('latin1').replace(/^0{5}/m, '\u001B[2J0');
    const { output } = await run('check -', Buffer.from(odd, 'latin1'));
    expect(output).not.toContain('\u001B');
    const named = Buffer.from(good)
      .toString('latin1')
      .replace(/ACME NV {3}/g, 'AC\u001B[2JNV ');
    expect((await run('show -', Buffer.from(named, 'latin1'))).output).not.toContain('\u001B');
  });
});

describe('D-46 adx-statements show', () => {
  test('shows balances, movements and payroll lines', async () => {
    const { code, output } = await run('show @good.cod @payroll.xml');
    expect(code).toBe(0);
    expect(output).toMatch(/ old balance\n(?:.*\n)+.* new balance\n/);
    expect(output).toMatch(/1234\.560\s+0\.000\s+61800 Rémunérations brutes & primes/);
  });

  test('in the language that is asked for', async () => {
    const { output } = await run('show --language nl @good.cod @payroll.xml');
    expect(output).toContain('Overschrijving in uw voordeel');
    expect(output).toContain('vorig saldo');
    expect(output).toMatch(/ totaal\n/);
    expect(output).not.toMatch(/balance|Transfer/);
  });

  test('shows the communication, and a text that the bank wrapped as one', async () => {
    const [first, ...others] = sample.movements ?? [];
    const wrapped = 'x'.repeat(73);
    const information = [wrapped, 'end'].map((text) => ({
      communication: { kind: 'free', text } as const,
    }));
    const movements = [{ ...(first ?? expect.fail()), information }, ...others];
    const { output } = await run('show -', writeCoda([{ ...sample, movements }]));
    expect(output).toMatch(
      /125\.500 {2}Transfer in your favour \| Jan \| .*\*{3}090\/9337\/55493\*{3}.*\n {33}x{73}end\n/,
    );
  });

  test('shows all texts: of a total, structured information, references, messages of the bank', async () => {
    const [first = expect.fail(), ...others] = sample.movements ?? [];
    const information = [
      party('A long name of more than thirty-five letters', 'Kerkstraat 12', '9000 Gent'),
      { communication: { kind: 'free', text: 'Bank says' } } as const,
    ];
    const detail = { ...first, transactionCode: { ...first.transactionCode, type: 8 } };
    const total = { ...detail, transactionCode: { ...first.transactionCode, type: 3 } };
    const movements = [
      { ...total, customerReference: 'OUR-REF-7', information, details: [detail] },
      ...others,
    ];
    const cut = 'tarieven'.padStart(80, 'x');
    const freeCommunications = [{ lines: [cut, 'lijst op onze website'] }];
    const draft = { ...sample, movements, freeCommunications };
    const { output } = await run('show -', writeCoda([draft]));
    for (const text of [
      ...['OUR-REF-7', 'more than thirty-five letters', 'Kerkstraat 12', 'Bank says'],
      'tarievenlijst op onze website',
    ]) {
      expect(output).toContain(text);
    }
  });

  test('what is refused is named on standard error', async () => {
    const { code, output, errors } = await run('show @bad.cod');
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/bad\.cod: refused/);
  });
});

test.each([
  'check',
  'check --json',
  'show',
  'convert --to json',
  'convert --to csv',
  'convert --to camt053',
])('D-46 adx-statements %s - holds one statement at a time', async (action) => {
  const years = ['2020', '2021', '2022', '2023'];
  const statements = years.map((year) =>
    writeCoda([
      {
        ...sample,
        header: { ...sample.header, creationDate: `${year}-02-04` },
        oldBalance: { ...sample.oldBalance, date: `${year}-02-02` },
        newBalance: { date: `${year}-02-03` },
      },
    ]),
  );
  let output = '';
  const outputWhenRead: string[] = [];
  await runCommand([...action.split(' '), '-'], {
    input: (async function* () {
      for (const statement of statements) {
        outputWhenRead.push(output);
        yield statement;
      }
    })(),
    write: async (text) => {
      output += text;
    },
    warn: async () => {},
  });
  // A statement ends where the next one begins.
  expect(years.map((year) => outputWhenRead.findIndex((text) => text.includes(year)))).toEqual([
    2, 3, -1, -1,
  ]);
  expect(output).toContain('2023');
});

test.each([
  ['', /an action is missing/],
  ['print @good.cod', /there is no action "print"/],
  ['toString @good.cod', /there is no action "toString"/],
  ['check', /a file is missing/],
  ['check --to json @good.cod', /check has no option --to/],
  ['show --json @good.cod', /show has no option --json/],
  ['check --wrong @good.cod', /--wrong/],
  ['convert @good.cod', /--to has to be one of json, csv, camt053/],
  ['convert --to xml @good.cod', /--to has to be one of/],
  ['check --language it @good.cod', /--language has to be one of en, fr, nl, de/],
  ['check - -', /standard input can be read only once/],
  ['check @good.cod @nothing.cod', /nothing\.cod: there is no such file/],
  ['check @', /this is a folder, not a file/],
  ['convert --to json --out @ @good.cod', /is not a file/],
  ['convert --to camt053 @payroll.xml', /a payroll file cannot be converted to CAMT\.053/],
  ['convert --to csv --out @no/file @good.cod', /cannot be written: there is no folder .*no$/m],
  ['convert --to csv --out @good.cod/file @good.cod', /cannot be written: there is no folder/],
  ['convert --to csv --out= @good.cod', /--out has to name a file/],
  ['convert --to camt053 --version 03 @good.cod', /--version has to be one of 02, 04, 08/],
  ['convert --to csv --version 02 @good.cod', /only CAMT\.053 has versions/],
  ['show --strict @good.cod', /show has no option --strict/],
])('D-46 adx-statements %s: wrong use, exit code 2', async (line, message) => {
  const { code, output, errors } = await run(line);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toMatch(/^error: /);
  expect(errors).toMatch(message);
});

test('D-46 adx-statements: a failure that is no wrong use has exit code 2 too', async () => {
  const warnings: string[] = [];
  const code = await runCommand(['--help'], {
    input: (async function* () {})(),
    write: () => Promise.reject(new Error('the terminal is gone')),
    warn: async (text) => void warnings.push(text),
  });
  expect(code).toBe(2);
  expect(warnings.join('')).toContain('the terminal is gone');
});

test('D-46 adx-statements --version prints the version of the package', async () => {
  const { version } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  for (const option of ['--version', '-V']) {
    expect(await run(option)).toEqual({ code: 0, output: `${version}\n`, errors: '' });
  }
});

test('D-46 adx-statements names an option that it does not have', async () => {
  const { code, errors } = await run('check --verison @good.cod');
  expect([code, errors.split('\n')[0]]).toEqual([2, "error: unknown option '--verison'"]);
});

test('D-46 adx-statements --help shows all options', async () => {
  const { code, output } = await run('--help');
  expect(await run('-h')).toMatchObject({ code, output });
  expect(code).toBe(0);
  for (const word of ['check', 'show', 'convert', '--json', '--to', '--out', 'Exit codes']) {
    expect(output).toContain(word);
  }
});
