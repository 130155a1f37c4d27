import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProcessContext } from '../../../src/operator/operator-context.js';
import { runProgram } from '../../../src/operator/program.js';
import { ingestFile } from '../../../src/uploads/deliveries/ingest-folder.js';
import { createLinkedCustomer, newPrincipal } from '../../mandates/linked-customer.js';
import { newIban } from '../../support/belgian-iban.js';
import { changed, codaFile, codbFile, enterpriseNumber } from '../../uploads/sample-files.js';
import { runAdxServer } from '../adx-server.js';
import { operatorForFile } from '../operator-with-storage.js';

const operator = await operatorForFile();
const { knex } = operator;

test('operator: ingest lists the files of a folder for all firms and moves them, except those it cannot read', async () => {
  const folder = operator.newFolder();
  const [one, other] = [await newPrincipal(knex), await newPrincipal(knex)];
  const [iban, number] = [newIban(), enterpriseNumber()];
  const first = await createLinkedCustomer(knex, one, { ibans: [iban] });
  const second = await createLinkedCustomer(knex, other, { providers: ['sdworx'] });
  await knex('customers').where({ id: second }).update({ enterprise_number: number });
  await knex('mandates').where({ customer_id: first }).update({ status: 'waitingForBank' });
  await knex('mandates')
    .where({ customer_id: second })
    .update({ status: 'waitingForPayrollProvider' });
  const nobodys = newIban();
  const files = {
    '1.cod': codaFile({ iban, number: 1 }),
    '2': codbFile({ enterpriseNumber: number }),
    '3.cod': codaFile({ iban: nobodys }, { iban, number: 2 }),
    '4.txt': Buffer.from('Dear operator'),
    '.5.cod.part': codaFile({ iban, number: 9 }),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);

  const { exitCode, stdout, stderr } = await runAdxServer(['ingest', folder], operator.settings);
  expect(stdout.split('\n')).toEqual([
    '1/4  1.cod: 1 listed',
    '2/4  2: 1 listed',
    '3/4  3.cod: 1 listed, 1 held',
    '4/4  4.txt: 0 listed, not moved',
    '  error: The file is neither CODA nor CODB',
    '',
  ]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`error: 1 of 4 files remains in ${folder}.\n`);
  expect(readdirSync(folder).sort()).toEqual(['.5.cod.part', '4.txt', 'done']);
  expect(readdirSync(join(folder, 'done')).sort()).toEqual(['1.cod', '2', '3.cod']);
  expect(await knex('files').whereIn('customer_id', [first, second])).toHaveLength(3);
  expect(await knex('mandates').where({ customer_id: first })).toMatchObject([
    { status: 'finished' },
  ]);

  // Again: a file that was read before, a new one of the same name as another, and a corrupt one.
  writeFileSync(join(folder, '1.cod'), files['1.cod']);
  writeFileSync(join(folder, '2'), codbFile({ enterpriseNumber: number, number: 8 }));
  writeFileSync(join(folder, '3.cod'), changed(files['1.cod'], '000000012500', '000000012501'));
  rmSync(join(folder, '4.txt'));
  const again = await operator.json('ingest', folder);
  expect(again.printed).toMatchObject([
    { name: '1.cod', product: 'CODA', isDone: true, listed: 0, repeated: 1 },
    { name: '2', product: 'CODB', isDone: true, listed: 1, repeated: 0 },
    { name: '3.cod', isDone: false, listed: 0 },
  ]);
  expect(await knex('files').whereIn('customer_id', [first, second])).toHaveLength(4);
  expect(readdirSync(join(folder, 'done'))).toHaveLength(5);

  const uploads = await operator.run('upload', 'list');
  expect(uploads.stdout).toMatch(/ a bank +1\.cod$/m);
  expect(uploads.stdout).toMatch(/ a payroll provider +2$/m);
  const rejected = await operator.json<{ id: string }[]>('upload', 'list', '--status', 'rejected');
  const [refused = expect.fail()] = rejected.printed;
  expect((await operator.run('upload', 'show', refused.id)).stdout).toMatch(
    /^delivered by +a bank$/m,
  );
  expect(refused).toMatchObject({ source: 'bank', grant: null, key: '3.cod' });
  const retried = await operator.run('upload', 'retry', refused.id);
  expect(retried.stderr).toContain('run `adx-server ingest` on that folder again');
});

test('operator: ingest draws its progress on the standard error of its context alone', async () => {
  const folder = operator.newFolder();
  writeFileSync(join(folder, '1.txt'), 'Dear operator');
  const drawn: string[] = [];
  const context = createProcessContext({
    ...{ env: operator.settings, stdin: process.stdin, stdout: { write() {} } },
    stderr: { isTTY: true, write: (text) => drawn.push(text) },
  });
  expect(await runProgram(['ingest', folder], context)).toBe(1);
  expect(drawn[0]).toContain('0/1');
});

test('operator: ingest continues if a file cannot be moved', async () => {
  const folder = operator.newFolder();
  writeFileSync(join(folder, '1.cod'), codaFile({ iban: newIban() }));
  writeFileSync(join(folder, '2.txt'), 'Dear operator');
  writeFileSync(join(folder, 'done'), 'a file in the place of the folder');
  const { exitCode, stdout } = await operator.run('ingest', folder);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '1/3  1.cod: 0 listed, 1 held, not moved',
    expect.stringMatching(
      /^ {2}error: All documents of the file are listed or held, but it cannot be moved: /,
    ),
    '2/3  2.txt: 0 listed, not moved',
  ]);
  expect(exitCode).toBe(1);
});

test('operator: ingest reports a file that has disappeared, and continues', async () => {
  const file = await ingestFile(operator.dependencies, operator.folder, 'gone.cod');
  expect(file).toMatchObject({ isDone: false, findings: [{ code: 'inaccessible' }] });
});

test('operator: ingest of a missing folder fails with one sentence', async () => {
  const folder = join(operator.folder, 'nowhere');
  expect(await operator.run('ingest', folder)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: The folder ${folder} cannot be read: it does not exist (ENOENT).\n`,
  });
});

test('operator: object storage that cannot be reached is named as the reason', async () => {
  const folder = operator.newFolder();
  const iban = newIban();
  await createLinkedCustomer(knex, await newPrincipal(knex), { ibans: [iban] });
  writeFileSync(join(folder, '1.cod'), codaFile({ iban }));
  // Port 9 (discard) has no listener on any machine that runs tests. `localhost` may have two addresses,
  // so the error may be an AggregateError.
  const settings = { ...operator.settings, S3_ENDPOINT: 'http://localhost:9' };
  const { exitCode, stderr } = await runAdxServer(['ingest', folder], settings);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('error: The object storage cannot be reached (ECONNREFUSED).\n');
  expect(readdirSync(folder)).toEqual(['1.cod']);
});
