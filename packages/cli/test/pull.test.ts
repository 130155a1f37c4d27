import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listedFiles, unprint } from '../../server/test/support/files.js';
import { createFirm, type Firm, sha256, startFirm } from './support/firm.js';
import { filesIn, folderOfTest } from './support/folders.js';
import { adxJson, expectFailure, runAdx } from './support/run-adx.js';

let service: Firm['service'];
let firm: Firm;
let folder: string;
beforeAll(async () => {
  ({ service } = await startFirm());
});
afterAll(() => service.close());

beforeEach(async () => {
  firm = await createFirm(service);
  folder = await folderOfTest();
});

const pull = (...options: string[]) =>
  adxJson<{ written: string[] }>(['pull', folder, ...options], firm);

test('D-51 pull writes each file, and acknowledges it', async () => {
  const [coda, codb] = [await firm.addCoda(), await firm.addCodb()];
  expect(await pull()).toEqual({
    written: [coda.fileName, codb.fileName],
    acknowledged: 2,
    failed: [],
  });
  expect(await readFile(join(folder, coda.fileName), 'utf8')).toBe(coda.content);
  expect(await readFile(join(folder, codb.fileName), 'utf8')).toBe(codb.content);
  expect(await firm.countPending()).toBe(0);
  expect(await readdir(join(folder, '.adx/incoming'))).toEqual([]);
  const ledger = (await readFile(join(folder, '.adx/ledger.jsonl'), 'utf8')).split('\n');
  expect(JSON.parse(ledger[0] ?? '')).toMatchObject({
    ...{ id: coda.id, product: 'CODA', part: 'file', path: coda.fileName },
    ...{ size: coda.content.length, sha256: sha256(coda.content) },
  });
});

test('D-51 pull says in plain words what it wrote', async () => {
  const { fileName } = await firm.addCoda();
  const { stdout, stderr } = await runAdx(['pull', folder], firm);
  expect(stdout).toBe(`${fileName}\n1 written, 1 acknowledged, 0 failed\n`);
  expect(stderr).toBe('');
});

test('D-51 pull shows its progress on a terminal alone, and not with --json', async () => {
  await firm.addCoda();
  const { env } = firm;
  expect((await runAdx(['pull', folder], { env, isTTY: true })).stderr).toContain('1/1');
  await firm.addCoda();
  expect((await runAdx(['pull', folder, '--json'], { env, isTTY: true })).stderr).toBe('');
});

test('D-51 --product leaves files of the other product where they are', async () => {
  await firm.addCoda();
  const { fileName } = await firm.addCodb();
  expect(await pull('--product', 'codb')).toMatchObject({ written: [fileName] });
  expect(await firm.countPending()).toBe(1);
});

test('D-51 --pdf writes the PDFs beside the files', async () => {
  const { fileName, content } = await firm.addCoda();
  const pdf = fileName.replace('.cod', '.pdf');
  expect(await pull('--pdf')).toMatchObject({ written: [fileName, pdf], acknowledged: 1 });
  expect(await readFile(join(folder, pdf), 'utf8')).toBe(`%PDF of ${content}`);
});

test('D-51 a file without a PDF is acknowledged, also with --pdf', async () => {
  const { id, fileName } = await firm.addCoda();
  await unprint(service.knex, id, { status: 'failed' });
  expect(await pull('--pdf')).toMatchObject({ written: [fileName], acknowledged: 1 });
});

test('D-51 the layout tree sorts by customer, year, and account or payroll provider', async () => {
  const [coda, codb] = [await firm.addCoda(), await firm.addCodb()];
  expect((await pull('--layout', 'tree')).written).toEqual([
    `K-0042/2026/BE71096123456769/${coda.fileName}`,
    `K-0042/2026/SD Worx/${codb.fileName}`,
  ]);
});

test('D-51 the layout winbooks has the three folders of WinBooks for each customer', async () => {
  const [coda, codb] = [await firm.addCoda(), await firm.addCodb()];
  expect((await pull('--layout', 'winbooks', '--pdf')).written).toEqual([
    `K-0042/CODA à encoder/${coda.fileName}`,
    `K-0042/CODA format PDF/${coda.fileName.replace('.cod', '.pdf')}`,
    `K-0042/2026/SD Worx/${codb.fileName}`,
    `K-0042/2026/SD Worx/${codb.fileName.replace('.xml', '.pdf')}`,
  ]);
  expect(await readdir(join(folder, 'K-0042'))).toContain('CODA traités');
});

test('D-51 customers with the same reference have different folders', async () => {
  const other = await firm.createCustomer();
  const { enterprise_number: number } = await service
    .knex('customers')
    .where({ id: other })
    .first('enterprise_number');
  const [first] = [await firm.addCoda()];
  await pull('--layout', 'tree');
  const second = await firm.addCoda({ customerId: other });
  const dotted = number.replace(/^(....)(...)(...)$/, '$1.$2.$3');
  expect((await pull('--layout', 'tree')).written).toEqual([
    `K-0042 ${dotted}/2026/BE71096123456769/${second.fileName}`,
  ]);
  expect(await filesIn(folder)).toContain(`K-0042/2026/BE71096123456769/${first?.fileName}`);
});

test('D-51 a file that was taken away is not written again, also with another key and after a move', async () => {
  const { fileName } = await firm.addCoda();
  await pull();
  await rm(join(folder, fileName));
  const moved = join(await folderOfTest(), 'moved');
  await rename(folder, moved);
  const { key } = await service.issueApiKey();
  const env = { ...firm.env, ADX_API_KEY: key };
  expect(await adxJson(['pull', moved], { env })).toEqual({
    ...{ written: [], acknowledged: 1, failed: [] },
  });
  expect(await filesIn(moved)).toEqual([]);
});

test('D-51 files of a folder that was lost are written again with --again, others never twice', async () => {
  const [first, second] = [await firm.addCoda(), await firm.addCoda()];
  await pull();
  await rm(folder, { recursive: true });
  const { fileName } = await firm.addCoda();
  const { stdout } = await runAdx(['pull', folder], firm);
  expect(stdout).toMatch(/^1 written, .*\n2 acknowledged before, .*--again\n$/m);
  expect(await pull()).toMatchObject({ written: [] });
  expect((await pull('--again')).written).toEqual([first.fileName, second.fileName]);
  await rm(join(folder, fileName));
  expect((await pull('--again')).written).toEqual([]);
  const pdfs = (await pull('--again', '--pdf')).written;
  expect(pdfs).toEqual(pdfs.filter((name) => name.endsWith('.pdf')));
  expect(pdfs).toHaveLength(3);
});

test('D-51 a file that fails does not count as acknowledged before', async () => {
  await firm.addCoda();
  await pull();
  await rm(folder, { recursive: true });
  const { id } = await firm.addCoda();
  const { object_key } = await listedFiles(service.knex).where({ id }).first('object_key');
  await service.storage.store.remove(service.storage.buckets.files, object_key);
  const { stdout } = await runAdx(['pull', folder], firm);
  expect(stdout).toMatch(/^0 written, 0 acknowledged, 1 failed\n1 acknowledged before, /m);
});

test('D-51 --number writes the files of one customer', async () => {
  await firm.addCoda();
  const customerId = await firm.createCustomer();
  const { fileName } = await firm.addCoda({ customerId });
  const { enterprise_number: number } = await service
    .knex('customers')
    .where({ id: customerId })
    .first('enterprise_number');
  expect(await pull('--number', number)).toMatchObject({ written: [fileName] });
  expect(await firm.countPending()).toBe(1);
});

test('D-51 a folder that cannot be created is an error', async () => {
  await expectFailure(runAdx(['pull', '/proc/adx/statements'], firm), 1, '/proc/adx');
});

test('D-51 a file of another firm with the same name does not overwrite the first', async () => {
  const first = await firm.addCoda({ fileName: 'alike.cod' });
  await pull();
  await rm(join(folder, first.fileName));
  firm = await createFirm(service);
  const second = await firm.addCoda({ fileName: 'Alike.cod' });
  const { written } = await pull();
  expect(written).toEqual([`Alike-${second.id}.cod`]);
});

test('D-51 a file that somebody else put there is kept, and taken for ours if it is the same', async () => {
  const [same, other] = [await firm.addCoda(), await firm.addCoda()];
  await writeFile(join(folder, same.fileName), same.content);
  await writeFile(join(folder, other.fileName), 'mine');
  const name = other.fileName.replace('.cod', `-${other.id}.cod`);
  expect((await pull()).written).toEqual([same.fileName, name]);
  expect(await readFile(join(folder, other.fileName), 'utf8')).toBe('mine');
});

test('D-50 a name that no file may have is refused, and shown without its marks', async () => {
  await firm.addCoda({ fileName: '../../escape\u202e.cod' });
  const { exitCode, stderr } = await runAdx(['pull', folder, '--layout', 'tree'], firm);
  expect([exitCode, stderr]).toEqual([
    1,
    'error: listCodaFiles has a file named "../../escape\\u202e.cod", as no file may be.\n',
  ]);
  expect(await filesIn(folder)).toEqual([]);
});

test('D-51 a link that leads out of the folder is not followed', async () => {
  await firm.addCoda();
  const outside = await folderOfTest();
  await symlink(outside, join(folder, 'K-0042'));
  await expectFailure(runAdx(['pull', folder, '--layout', 'tree'], firm), 2, 'leads out of');
  expect(await readdir(outside)).toEqual([]);
  await rm(join(folder, '.adx'), { recursive: true });
  await symlink(outside, join(folder, '.adx'));
  await expectFailure(runAdx(['pull', folder], firm), 2, 'must be a folder, not a link');
  expect(await firm.countPending()).toBe(1);
});

test('D-51 a file that the storage does not have stops no other, and the exit code is 1', async () => {
  const lost = await firm.addCoda({ fileName: 'lost-file.cod' });
  const good = await firm.addCoda();
  const { object_key } = await listedFiles(service.knex).where({ id: lost.id }).first('object_key');
  const { store, buckets } = service.storage;
  await store.remove(buckets.files, object_key);
  const { exitCode, stdout } = await runAdx(['pull', folder, '--json'], firm);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ written: [good.fileName], acknowledged: 1 },
    failed: [{ fileName: lost.fileName }],
  });
});

test('D-51 wrong credentials are exit code 3, a wrong command line or setting 2', async () => {
  const env = { ...firm.env, ADX_PASSWORD: 'wrong' };
  const refused = { exitCode: 3, stderr: expect.stringContaining('The sign-in was refused') };
  expect(await runAdx(['pull', folder], { env })).toMatchObject(refused);
  expect(await runAdx(['pull', folder, '--watch'], { env })).toMatchObject(refused);
  const keyless = { ...firm.env, ADX_API_KEY: 'adx_wrong' };
  expect(await runAdx(['pull', folder], { env: keyless })).toMatchObject({ exitCode: 3 });
  expect(await runAdx(['pull'], firm)).toMatchObject({ exitCode: 2 });
  await expectFailure(runAdx(['pull', folder, '--every', '1h'], firm), 2, '--every is for --watch');
  expect(await runAdx(['pull', folder, '--layout', 'round'], firm)).toMatchObject({ exitCode: 2 });
  await expectFailure(runAdx(['pull', folder], {}), 2, 'adx login');
});

test('D-51 a line of the ledger that was cut off is removed, a damaged one stops the command', async () => {
  await firm.addCoda();
  await mkdir(join(folder, '.adx'));
  const line = '{"id":"a","path":"K-1/CODA à encoder/a.cod","sha256":"","enterpriseNumber":""}\n';
  await writeFile(join(folder, '.adx/ledger.jsonl'), `${line}{"id":"6741b2c3d4e5f6a7b8c9`);
  expect(await pull()).toMatchObject({ acknowledged: 1 });
  const [first, ...added] = (await readFile(join(folder, '.adx/ledger.jsonl'), 'utf8')).split('\n');
  expect(`${first}\n`).toBe(line);
  expect(added).toEqual([expect.stringMatching(/^\{"id".*\}$/), '']);
  await writeFile(join(folder, '.adx/ledger.jsonl'), 'damage\n');
  await expectFailure(runAdx(['pull', folder], firm), 2, 'Line 1 of');
});
