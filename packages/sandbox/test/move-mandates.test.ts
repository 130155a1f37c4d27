import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSignatureMails } from '../src/demo/contacts.js';
import { demoFirms } from '../src/demo/firms.js';
import { movableOf } from '../src/demo/move-mandates.js';
import type { ListedMandate } from '../src/operator.js';

const mandateOf = (enterpriseNumber: string, status: string) =>
  ({ id: 'a', enterpriseNumber, status, product: 'CODA' }) as ListedMandate;
const movable = (enterpriseNumber: string, held = 'b') =>
  [
    ...['created', 'waitingForSigner', 'rejectedBySigner', 'expired', 'error', 'renewalRequired'],
    ...['waitingForBank', 'confirmedByBank', 'waitingForPayrollProvider', 'finished'],
  ].filter((status) => {
    const mandate = mandateOf(enterpriseNumber, status);
    return movableOf([mandate], (id) => id === held).length > 0;
  });

test('sandbox: for the customers of visitors only banks and payroll providers act', () => {
  expect(movable('0123.456.749')).toEqual([
    ...['waitingForBank', 'confirmedByBank', 'waitingForPayrollProvider'],
  ]);
  const ofDemo = demoFirms[1]?.customers[0]?.enterpriseNumber ?? expect.fail();
  expect(movable(ofDemo)).toEqual(expect.arrayContaining(['waitingForSigner', 'error']));
});

test('sandbox: banks answer visitors first, who wait for it', () => {
  const ofDemo = demoFirms[1]?.customers[0]?.enterpriseNumber ?? expect.fail();
  const [own, other] = [
    mandateOf('0123.456.749', 'waitingForBank'),
    mandateOf(ofDemo, 'waitingForBank'),
  ];
  expect(movableOf([other, own], () => false)).toEqual([own]);
  expect(movableOf([other, mandateOf('0123.456.749', 'created')], () => false)).toEqual([other]);
});

test('D-53 the demo leaves mandates alone that scenarios have moved', () => {
  expect(movable('0123.456.749', 'a')).toEqual([]);
});

test('sandbox: a request to sign is found also if the address of its contact is on a line of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'adx-mails-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = [
    ...['To: =?UTF-8?Q?Beno=C3=AEt_Lejeune?=', ' <benoit-lejeune@vieux-pressoir.example>'],
    ...['Message-ID: <673f0c2a.1@localhost>', '', 'https://adx.example/sign/abc'],
  ];
  writeFileSync(join(folder, '1.eml'), lines.join('\r\n'));
  expect(await readSignatureMails(folder, 'http://127.0.0.1:3000')).toEqual([
    {
      to: 'benoit-lejeune@vieux-pressoir.example',
      link: 'http://127.0.0.1:3000/sign/abc',
      messageId: '673f0c2a.1',
    },
  ]);
});
