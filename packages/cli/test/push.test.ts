import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newEnterpriseNumber, newIban } from '../../../test/support/numbers.js';
import { codaFile } from '../../server/test/uploads/sample-files.js';
import { createCustomer } from './support/create-customer.js';
import { folderOfTest } from './support/folders.js';
import { expectFailure, runAdx } from './support/run-adx.js';
import { useFirm } from './support/use-firm.js';

const { firm, adx } = useFirm({ settings: { JOBS_CONCURRENCY: '2' } });

/** Files that are neither CODA nor CODB, and what is said about them. */
const neither: readonly (readonly [name: string, content: string | Uint8Array, said: string])[] = [
  ['empty.cod', '\r\n', 'is empty. Get it again'],
  ['a.pdf', '%PDF-1.7\n%\xe2', 'looks like a PDF. Get the CODA file'],
  [
    'b.xlsx',
    Buffer.from('PK\x03\x04rest', 'latin1'),
    'looks like a ZIP archive or a workbook. Extract',
  ],
  ['c.cod.gz', gzipSync('0000'), 'looks like an archive. Extract'],
  [
    'd.xml',
    '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">',
    'looks like CAMT. Get the same statement as CODA',
  ],
  [
    'p.xml',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03">',
    'ISO 20022, not a',
  ],
  ['e.sta', ':20:STARTUM\r\n:25:BE71', 'looks like MT940'],
  ['m.sta', '{1:F01GKCCBEBB}{2:I940GKCCBEBBN}{4:\r\n:20:STARTUM\r\n', 'looks like MT940'],
  ['f.html', '\ufeff<!DOCTYPE html><html>', 'looks like a web page'],
  ['g.json', '{"statements":[]}', 'looks like JSON'],
  ['h.csv', 'date;amount;name\n2026-03-02;12,50;Jan', 'looks like CSV. Get the CODA or CODB file'],
  ['i.txt', 'Dear bank', 'looks like neither CODA nor CODB'],
  ['j.png', Buffer.from('\x89PNG\r\n\x1a\n;,;,', 'latin1'), 'looks like neither CODA nor CODB'],
];

test('D-51 push does not upload what is neither CODA nor CODB, and says what it looks like', async () => {
  const folder = await folderOfTest();
  const paths = neither.map(([name]) => join(folder, name));
  for (const [name, content] of neither) await writeFile(join(folder, name), content);
  const { exitCode, stdout, stderr } = await runAdx(['push', ...paths], firm());
  expect([exitCode, stderr]).toEqual([2, 'error: Not accepted: 13 of 13 files.\n']);
  for (const [name, , said] of neither) expect(stdout).toMatch(new RegExp(`${name} .*${said}`));
  expect(await adx('uploads')).toEqual([]);
});

test('D-51 push --product uploads a file whatever it looks like, and shows the findings of the service', async () => {
  const path = join(await folderOfTest(), 'letter.txt');
  await writeFile(path, 'Dear bank');
  const { exitCode, stdout } = await runAdx(['push', path, '--product', 'coda'], firm());
  expect([exitCode, stdout]).toEqual([2, expect.stringContaining(`${path}: rejected`)]);
});

test('D-51 push says of each file how to sign in again', async () => {
  const path = join(await folderOfTest(), 'a.cod');
  await writeFile(path, codaFile({ iban: newIban(), number: 1 }));
  const env = { ...firm().env, ADX_PASSWORD: 'wrong' };
  const { exitCode, stdout } = await runAdx(['push', path], { env });
  const advice =
    ' refused: Authentication failed. Check the username, and the password in ADX_PASS';
  expect([exitCode, stdout]).toEqual([
    3,
    expect.stringContaining(`${path}: The sign-in was${advice}`),
  ]);
});

test('D-51 push expands patterns as the shells of Windows leave them, unless a file has the name', async () => {
  const folder = await folderOfTest();
  const iban = newIban();
  await createCustomer(firm(), newEnterpriseNumber(), iban);
  const statement = (number: number) => codaFile({ iban, number });
  await writeFile(join(folder, 'b1.cod'), statement(2));
  // The service warns of the blank line.
  await writeFile(join(folder, 'a1.cod'), Buffer.concat([Buffer.from('\r\n'), statement(1)]));
  await writeFile(join(folder, '.c.cod'), 'hidden');
  await writeFile(join(folder, 'a1.codx'), 'other');
  const pushed = await adx<{ file: string }[]>('push', join(folder, '*.cod'));
  expect(pushed.map(({ file }) => file)).toEqual(['a1.cod', 'b1.cod'].map((n) => join(folder, n)));
  expect(await adx('push', join(folder, '?1.cod'))).toHaveLength(2);
  await writeFile(join(folder, '*.cod'), statement(3));
  expect(await adx('push', join(folder, '*.cod'))).toMatchObject([
    { file: join(folder, '*.cod'), upload: { status: 'processed' } },
  ]);
  for (const pattern of ['*.cda', 'absent/*.cod']) {
    const said = `No file matches ${join(folder, pattern)}.`;
    await expectFailure(runAdx(['push', join(folder, pattern)], firm()), 2, said);
  }
});
