import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { writeCoda } from '../../src/index.js';
import { sample } from '../coda/sample-statement.js';
import { payrollFile } from '../codb/payroll-file.js';
import { camt053Faults } from '../convert/camt053-schema.js';
import { good, gross, useFiles } from './command-files.js';

const { path, run } = useFiles();

describe('D-46 adx-statements convert', () => {
  test('to JSON', async () => {
    const { code, output } = await run('convert --to json @good.cod @payroll.xml');
    expect(code).toBe(0);
    const [statement, booking] = JSON.parse(output);
    expect(statement.oldBalance.amount).toMatch(/^-?\d+\.\d{3}$/);
    expect(booking.lines[0]).toMatchObject({ account: '61800', debit: '1234.560' });
  });

  test('to CSV as Belgian spreadsheets open it, with the same columns in each row', async () => {
    const { output } = await run('convert --to csv @good.cod');
    expect(output).toMatch(/^\uFEFFaccount;currency;/);
    const [columns = '', ...rows] = output.trimEnd().split('\r\n');
    expect(columns.split(';')).toHaveLength(19);
    expect(rows).toHaveLength(5);
    for (const row of rows) {
      expect(row.replace(/"(?:[^"]|"")*"/g, '').split(';')).toHaveLength(19);
    }
    expect(rows[0]).toContain(
      ';2026;14;1;0;2026-02-03;2026-02-03;125,50;0-01-50-000;Transfer in your favour;Jan;',
    );
    expect(rows[0]).toContain(';***090/9337/55493***;');
    const payroll = await run('convert --to csv @payroll.xml');
    expect(payroll.output.split('\r\n')[1]).toBe(
      'BE0403019261;Groep S – Sociaal Secretariaat;7;202401;202401;Atelier;61800;Rémunérations brutes & primes;1234,56;0,00',
    );
  });

  test('one file of JSON, whatever the texts have in them', async () => {
    const text = 'lines\u2028and\u2029ends';
    const file = payrollFile().replace('Rémunérations', text);
    const { output } = await run('convert --to json - @payroll.xml', Buffer.from(file));
    expect(JSON.parse(output)).toMatchObject([
      { lines: [{ label: `${text} brutes & primes` }, {}] },
      { lines: [{}, {}] },
    ]);
  });

  test('to CAMT.053, into a file; a statement that is in two files is there twice, and named', async () => {
    const parameters = 'convert --to camt053 --out @out.xml @good.cod @good.cod';
    const { code, output, errors } = await run(parameters);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain('This statement, or an earlier version of it, was there before: 14');
    const xml = await readFile(path('out.xml'), 'utf8');
    expect(camt053Faults(xml)).toEqual([]);
    expect(xml.match(/<Stmt>/g)).toHaveLength(2);
  });

  test.each([
    ['02', '02'],
    ['04', '04'],
    ['053.001.02', '02'],
    ['camt.053.001.04', '04'],
    ['8', '08'],
  ] as const)('to CAMT.053 of version %s', async (given, version) => {
    const { code, output } = await run(`convert --to camt053 --version ${given} @good.cod`);
    expect([code, camt053Faults(output, version)]).toEqual([0, []]);
  });

  test('details that do not add up are converted, named on standard error, and exit code 1', async () => {
    for (const to of ['json', 'csv', 'camt053']) {
      const { code, output, errors } = await run(`convert --to ${to} -`, gross);
      expect([to, code]).toEqual([to, 1]);
      expect(errors).toContain('The details do not add up to their total: 800.200 instead of');
      expect(output).toMatch(/799[.,]20/);
    }
  });

  test('an R-transaction is shown with its kind and reason', async () => {
    const [movement = expect.fail()] = sample.movements ?? [];
    const movements = [{ ...movement, rTransaction: 2, reason: 'AM04' }];
    const returned = writeCoda([{ ...sample, movements }]);
    expect((await run('show -', returned)).output).toContain('return: insufficient funds (AM04)');
  });

  test('to CSV with a row of what details lack', async () => {
    const { output } = await run('convert --to csv -', gross);
    const rows = output.trimEnd().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(';').slice(5, 10))).toMatchObject([
      ['1', '0', expect.anything(), expect.anything(), '799,20'],
      ['1', '2', '2026-02-03', '', '800,20'],
      ['1', '', '', '', '-1,00'],
    ]);
    expect(rows[2]).toContain(';Difference between the total and its details;');
  });

  test('what is accepted is converted, what is refused is named on standard error', async () => {
    const { code, output, errors } = await run('convert --to json @bad.cod @good.cod');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toHaveLength(1);
    expect(errors).toMatch(/bad\.cod: refused/);
    expect(errors).not.toMatch(/good\.cod/);
  });

  test('nothing is written if all is refused', async () => {
    expect(await run('convert --to camt053 --out @none.xml @bad.cod')).toMatchObject({
      code: 1,
      output: '',
    });
    await expect(readFile(path('none.xml'))).rejects.toThrow('ENOENT');
  });
});

describe('D-46 adx-statements convert --out', () => {
  test('never overwrites a file that it reads, whatever its name', async () => {
    await writeFile(path('only.cod'), good);
    await symlink(path('only.cod'), path('link.cod'));
    await link(path('only.cod'), path('hard.cod'));
    for (const [out, from] of [
      ['only.cod', 'only.cod'],
      ['./no/../only.cod', 'only.cod'],
      ['link.cod', 'only.cod'],
      ['only.cod', 'link.cod'],
      ['hard.cod', 'only.cod'],
    ]) {
      await mkdir(path('no'), { recursive: true });
      const { code, errors } = await run(`convert --to json --out @${out} @good.cod @${from}`);
      expect([out, code]).toEqual([out, 2]);
      expect(errors).toContain('would be overwritten, but it is read too');
    }
    await rm(path('no'), { recursive: true });
    expect(await readFile(path('only.cod'))).toEqual(Buffer.from(good));
  });

  test('leaves what was there if anything fails, and nothing else', async () => {
    await writeFile(path('kept.json'), 'before');
    const files = await readdir(path(''));
    const fault = (function* () {
      yield good;
      yield good;
      throw new Error('the line is dead');
    })();
    const lost = await run('convert --to json --out @kept.json -', fault);
    expect(lost).toMatchObject({ code: 2, errors: expect.stringContaining('the line is dead') });
    const mixed = await run('convert --to csv --out @kept.json @good.cod @payroll.xml');
    expect(mixed.code).toBe(2);
    expect((await run('convert --to json --out @kept.json @bad.cod @no.cod')).code).toBe(2);
    expect(await readFile(path('kept.json'), 'utf8')).toBe('before');
    expect(await readdir(path(''))).toEqual(files);
  });

  test.each(['json', 'csv', 'camt053'])(
    'to %s removes what was there if all is refused, so that nobody takes it for the new file',
    async (to) => {
      const files = await readdir(path(''));
      await writeFile(path(`old.${to}`), 'before');
      const { code } = await run(`convert --to ${to} --out @old.${to} @bad.cod @empty.cod`);
      expect(code).toBe(1);
      expect(await readdir(path(''))).toEqual(files);
    },
  );

  test('removes what a link leads to if all is refused, and writes there the next time', async () => {
    await mkdir(path('shared'));
    await writeFile(path('shared/today.json'), 'before');
    await symlink('shared/today.json', path('inner-link.json'));
    await symlink(path('inner-link.json'), path('outer-link.json'));
    expect((await run('convert --to json --out @outer-link.json @bad.cod')).code).toBe(1);
    expect(await readdir(path('shared'))).toEqual([]);
    expect((await run('convert --to json --out @outer-link.json @good.cod')).code).toBe(0);
    expect(JSON.parse(await readFile(path('shared/today.json'), 'utf8'))).toHaveLength(1);
    expect(await readdir(path('shared'))).toEqual(['today.json']);
  });

  test('replaces what a link leads to, and keeps who may read it', async () => {
    await writeFile(path('secret.json'), 'before');
    await chmod(path('secret.json'), 0o600);
    await symlink(path('secret.json'), path('secret-link.json'));
    expect((await run('convert --to json --out @secret-link.json @good.cod')).code).toBe(0);
    expect(JSON.parse(await readFile(path('secret.json'), 'utf8'))).toHaveLength(1);
    expect((await stat(path('secret.json'))).mode & 0o777).toBe(0o600);
  });

  test('- is standard output', async () => {
    const { output } = await run('convert --to json --out - @good.cod');
    expect(JSON.parse(output)).toHaveLength(1);
  });
});
