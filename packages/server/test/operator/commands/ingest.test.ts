import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { createProcessContext } from '../../../src/operator/operator-context.js';
import { runProgram } from '../../../src/operator/program.js';
import { openDeliveryFolder } from '../../../src/uploads/deliveries/delivery-folder.js';
import { ingestFile } from '../../../src/uploads/deliveries/ingest-folder.js';
import { findSender } from '../../../src/uploads/deliveries/sender.js';
import { createLinkedCustomer, newPrincipal } from '../../mandates/linked-customer.js';
import { completeRows } from '../../support/rows.js';
import { changed, codaFile, codbFile, enterpriseNumber } from '../../uploads/sample-files.js';
import { runAdxServer } from '../adx-server.js';
import { failure, operatorForFile } from '../operator-for-file.js';

const operator = await operatorForFile();
const { knex } = operator;
const from = ['--from', 'GKCCBEBB'];

/** Ingests a folder in which a file remains, and returns what is printed. */
async function ingestAsJson(folder: string) {
  const { exitCode, stdout } = await operator.run('ingest', folder, ...from, '--json');
  expect(exitCode).toBe(1);
  return JSON.parse(stdout);
}

test('operator: ingest lists the files of a folder for all firms and moves them, except those it cannot read', async () => {
  const folder = operator.newFolder();
  const [one, other] = [await newPrincipal(knex), await newPrincipal(knex)];
  const [iban, number] = [newIban(), enterpriseNumber()];
  const first = await createLinkedCustomer(knex, one, { ibans: [iban] });
  const second = await createLinkedCustomer(knex, other, { providers: ['sdworx'] });
  await knex('customers').where({ id: second }).update({ enterprise_number: number });
  await completeRows(knex);
  await knex('mandates').where({ customer_id: first }).update({ status: 'waitingForBank' });
  await knex('mandates')
    .where({ customer_id: second })
    .update({ status: 'waitingForPayrollProvider' });
  const nobodys = newIban();
  const files = {
    '1.cod': codaFile({ iban, number: 1 }),
    '3.cod': codaFile({ iban: nobodys }, { iban, number: 2 }),
    '4.txt': Buffer.from('Dear operator'),
    '.5.cod.part': codaFile({ iban, number: 9 }),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);

  const ingest = ['ingest', folder, ...from];
  const { exitCode, stdout, stderr } = await runAdxServer(ingest, operator.settings);
  expect(stdout.split('\n')).toEqual([
    '1/3  1.cod: 1 listed',
    '2/3  3.cod: 1 listed, 1 held',
    '3/3  4.txt: 0 listed, not moved',
    '  error: The file is neither CODA nor CODB',
    '',
  ]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`error: 1 of 3 files remains in ${folder}.\n`);
  expect(readdirSync(folder).sort()).toEqual(['.5.cod.part', '4.txt', 'done']);
  const payroll = operator.newFolder();
  writeFileSync(join(payroll, '2'), codbFile({ enterpriseNumber: number }));
  const ofProvider = await operator.run('ingest', payroll, '--from', 'SDWorx');
  expect(ofProvider.stdout).toBe('1/1  2: 1 listed\n');
  expect(readdirSync(join(folder, 'done')).sort()).toEqual(['1.cod', '3.cod']);
  expect(await knex('files').whereIn('customer_id', [first, second])).toHaveLength(3);
  expect(await knex('mandates').where({ customer_id: first })).toMatchObject([
    { status: 'finished' },
  ]);

  // Again: a file that was read before, a new one of the same name as another, and a corrupt one.
  writeFileSync(join(folder, '1.cod'), files['1.cod']);
  writeFileSync(join(folder, '3.cod'), changed(files['1.cod'], '000000012500', '000000012501'));
  rmSync(join(folder, '4.txt'));
  expect(await ingestAsJson(folder)).toMatchObject([
    { name: '1.cod', product: 'CODA', isDone: true, listed: 0, repeated: 1 },
    { name: '3.cod', isDone: false, listed: 0 },
  ]);
  expect(await knex('files').whereIn('customer_id', [first, second])).toHaveLength(3);
  expect(readdirSync(join(folder, 'done'))).toHaveLength(3);

  const uploads = await operator.run('upload', 'list');
  expect(uploads.stdout).toMatch(/ GKCCBEBB +1\.cod$/m);
  expect(uploads.stdout).toMatch(/ sdworx +2$/m);
  const [refused] = await operator.json('upload', 'list', '--status', 'rejected');
  expect((await operator.run('upload', 'show', refused.id)).stdout).toMatch(
    /^delivered by +GKCCBEBB$/m,
  );
  expect(refused).toMatchObject({ source: 'bank', sender: 'GKCCBEBB', grant: null, key: '3.cod' });
  const retried = await operator.run('upload', 'retry', refused.id);
  expect(retried.stderr).toContain('run `adx-server ingest` on that folder again');
});

async function belfius() {
  return (await findSender(knex, 'GKCCBEBB')) ?? expect.fail('no such bank');
}

test.each([
  ['KREDBEBC', /The sender 'KREDBEBC' is unknown: give the BIC of a bank, .*, groups, /],
  ['GKCCBEBBABC', /is unknown/],
  ['***other***', /is unknown/],
  ['', /is unknown/],
])('D-66 operator: ingest from %j is wrong use', async (sender, message) => {
  const wrong = await operator.run('ingest', operator.newFolder(), '--from', sender);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(message) });
});

test('operator: ingest draws its progress on the standard error of its context alone', async () => {
  const folder = operator.newFolder();
  writeFileSync(join(folder, '1.txt'), 'Dear operator');
  const drawn: string[] = [];
  const context = createProcessContext({
    ...{ env: operator.settings, stdin: process.stdin, stdout: { write() {} } },
    stderr: { isTTY: true, write: (text) => drawn.push(text) },
  });
  expect(await runProgram(['ingest', folder, ...from], context)).toBe(1);
  expect(drawn[0]).toContain('0/1');
});

test('operator: ingest reports a file that has disappeared, and continues', async () => {
  const folder = await openDeliveryFolder(operator.folder);
  const file = await ingestFile(
    operator.dependencies,
    await belfius(),
    folder,
    Buffer.from('gone.cod'),
  );
  await folder.close();
  expect(file).toMatchObject({ isDone: false, findings: [{ code: 'inaccessible' }] });
});

test('operator: ingest of a missing folder fails with one sentence', async () => {
  const folder = join(operator.folder, 'nowhere');
  expect(await operator.run('ingest', folder, ...from)).toEqual(
    failure(`The folder ${folder} cannot be read: it does not exist (ENOENT).`),
  );
});

test('operator: object storage that cannot be reached is named as the reason', async () => {
  const folder = operator.newFolder();
  const iban = newIban();
  await createLinkedCustomer(knex, await newPrincipal(knex), { ibans: [iban] });
  writeFileSync(join(folder, '1.cod'), codaFile({ iban }));
  // Port 9 (discard) has no listener on any machine that runs tests. `localhost` may have two
  // addresses, so the error may be an AggregateError.
  const settings = { ...operator.settings, S3_ENDPOINT: 'http://localhost:9' };
  const { exitCode, stderr } = await runAdxServer(['ingest', folder, ...from], settings);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('error: The object storage cannot be reached (ECONNREFUSED).\n');
  expect(readdirSync(folder)).toEqual(['1.cod']);
});

function newFolders() {
  const [folder, outside] = [operator.newFolder(), operator.newFolder()];
  writeFileSync(join(outside, 'secret.cod'), codaFile({ iban: newIban() }));
  return { folder, outside };
}

test('D-66 operator: ingest follows no link and waits for no pipe in the folder, which itself may be a link', async () => {
  const { folder, outside } = newFolders();
  symlinkSync(join(outside, 'secret.cod'), join(folder, '1.cod'));
  symlinkSync('nowhere', join(folder, '2.cod'));
  execFileSync('mkfifo', [join(folder, '3.cod')]);
  symlinkSync(outside, join(folder, '4'));
  writeFileSync(join(folder, '5.cod'), codaFile({ iban: newIban() }));
  mkdirSync(join(folder, 'folder'));
  const link = join(operator.folder, 'link');
  symlinkSync(folder, link);
  const special = { isDone: false, listed: 0, held: 0, findings: [{ code: 'specialFile' }] };
  expect(await ingestAsJson(link)).toMatchObject([
    special,
    special,
    special,
    special,
    { isDone: true, held: 1 },
  ]);
  expect(readdirSync(folder).sort()).toEqual(['1.cod', '2.cod', '3.cod', '4', 'done', 'folder']);
  expect(readdirSync(outside)).toEqual(['secret.cod']);
});

test.each([
  ['a file', (done: string) => writeFileSync(done, 'a file')],
  ['a link', (done: string, outside: string) => symlinkSync(outside, done)],
])('D-66 operator: ingest moves nothing if done is %s, and continues', async (_, putInPlace) => {
  const { folder, outside } = newFolders();
  putInPlace(join(folder, 'done'), outside);
  writeFileSync(join(folder, '1.cod'), codaFile({ iban: newIban() }));
  writeFileSync(join(folder, '2.txt'), 'Dear operator');
  const { exitCode, stdout } = await operator.run('ingest', folder, ...from);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '1/3  1.cod: 0 listed, 1 held, not moved',
    expect.stringMatching(
      /^ {2}error: All documents of the file are listed or held, but it cannot be moved: /,
    ),
    '2/3  2.txt: 0 listed, not moved',
  ]);
  expect(exitCode).toBe(1);
  expect(readdirSync(folder).sort()).toEqual(['1.cod', '2.txt', 'done']);
  expect(readdirSync(outside)).toEqual(['secret.cod']);
});

test.each([
  ['replaced', (path: string) => renameSync(`${path}.new`, path)],
  ['replaced by a link', (path: string) => [rmSync(path), symlinkSync(`${path}.new`, path)]],
  ['written again', (path: string) => writeFileSync(path, readFileSync(`${path}.new`))],
  [
    'written again with as many bytes',
    (path: string) => [writeFileSync(path, codaFile({ iban: newIban() })), utimesSync(path, 1, 1)],
  ],
])(
  'D-66 operator: ingest does not move a file that was %s after it was read',
  async (_, change) => {
    const folder = operator.newFolder();
    const path = join(folder, '1.cod');
    writeFileSync(path, codaFile({ iban: newIban() }));
    writeFileSync(`${path}.new`, codaFile({ iban: newIban() }, { iban: newIban() }));
    const open = await openDeliveryFolder(folder);
    const { coverage } = operator.dependencies;
    const parts = {
      ...operator.dependencies,
      coverage: {
        ...coverage,
        async coveredLinks(...parameters: Parameters<typeof coverage.coveredLinks>) {
          if (existsSync(`${path}.new`) && !lstatSync(path).isSymbolicLink()) change(path);
          return coverage.coveredLinks(...parameters);
        },
      },
    };
    const outcome = await ingestFile(parts, await belfius(), open, Buffer.from('1.cod'));
    expect(outcome).toMatchObject({ isDone: false, held: 1 });
    expect(outcome.findings.at(-1)?.code).toBe('notMoved');
    await open.close();
    expect(readdirSync(folder)).toContain('1.cod');
    expect(existsSync(join(folder, 'done', '1.cod'))).toBe(false);
  },
);

test('operator: ingest replaces nothing in done', async () => {
  const folder = operator.newFolder();
  const contents = new Set<string>();
  for (const number of [1, 1, 2, 1]) {
    const bytes = codaFile({ iban: 'BE71096123456769', number });
    contents.add(String(bytes));
    writeFileSync(join(folder, '1.cod'), bytes);
    await operator.run('ingest', folder, ...from);
    const [, taken = ''] = readdirSync(join(folder, 'done')).sort();
    if (taken !== '') writeFileSync(join(folder, 'done', taken), `kept ${number}`);
  }
  expect(readdirSync(join(folder, 'done'))).toHaveLength(4);
  expect(readdirSync(folder)).toEqual(['done']);
});

// Other systems refuse such a name, and have the folder under its own path.
describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('operator: ingest reads and moves files whose names are not UTF-8', async () => {
    const folder = operator.newFolder();
    for (const name of ['1\xe9.cod', '1\xe8.cod', '2.cod']) {
      const path = Buffer.from(`${folder}/${name}`, 'latin1');
      writeFileSync(path, codaFile({ iban: newIban() }));
    }
    const printed = await operator.json('ingest', folder, ...from);
    const done = { isDone: true, held: 1 };
    expect(printed).toMatchObject([
      { name: '1\ufffd.cod', ...done },
      { name: '1\ufffd.cod', ...done },
      { name: '2.cod', ...done },
    ]);
    expect(readdirSync(join(folder, 'done'), 'latin1').sort()).toEqual([
      ...['1\xe8.cod', '1\xe9.cod', '2.cod'],
    ]);
  });
});
