import { expect, test } from 'vitest';
import { demoFirms } from '../src/demo/firms.js';
import { isMovable } from '../src/demo/move-mandates.js';
import type { ListedMandate } from '../src/operator.js';

const mandateOf = (enterpriseNumber: string, status: string) =>
  ({ id: 'a', enterpriseNumber, status, product: 'CODA' }) as ListedMandate;
const movable = (enterpriseNumber: string, held = 'b') =>
  [
    ...['created', 'waitingForSigner', 'rejectedBySigner', 'expired', 'error', 'renewalRequired'],
    ...['waitingForBank', 'confirmedByBank', 'waitingForPayrollProvider', 'finished'],
  ].filter((status) => isMovable(mandateOf(enterpriseNumber, status), [], (id) => id === held));

test('sandbox: for the customers of visitors only banks and payroll providers act', () => {
  expect(movable('0123.456.749')).toEqual([
    ...['waitingForBank', 'confirmedByBank', 'waitingForPayrollProvider'],
  ]);
  const ofDemo = demoFirms[1]?.customers[0]?.enterpriseNumber ?? expect.fail();
  expect(movable(ofDemo)).toEqual(expect.arrayContaining(['waitingForSigner', 'error']));
});

test('D-53 the demo leaves mandates alone that scenarios have moved', () => {
  expect(movable('0123.456.749', 'a')).toEqual([]);
});
