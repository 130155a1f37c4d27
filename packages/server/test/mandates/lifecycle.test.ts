import { expect, test } from 'vitest';
import {
  lifecycle,
  nextStatus,
  permitsDeliveries,
  signingPeriodDays,
  validityDays,
} from '../../src/mandates/lifecycle.js';
import { arrows, everyStatus, everyTrigger, kinds } from './lifecycle-table.js';

test.each(kinds)('D-24 a %s mandate has exactly the steps of the lifecycle', (kind) => {
  const steps = everyStatus.flatMap((from) =>
    everyTrigger.flatMap((trigger) => {
      const to = nextStatus(kind, from, trigger);
      return to === undefined ? [] : [[`${from} ${trigger}`, to]];
    }),
  );
  expect(Object.fromEntries(steps)).toEqual(arrows[kind]);
  const triggers = new Set(lifecycle.map(({ trigger }) => trigger));
  expect([...triggers].sort()).toEqual([...everyTrigger].sort());
});

test.each(kinds)(
  'D-28, D-66 a %s mandate permits deliveries once it is signed, if it is contested once it is confirmed, and until it ends',
  (kind) => {
    expect(everyStatus.filter((status) => permitsDeliveries(kind, status)).sort()).toEqual([
      'confirmedByBank',
      'finished',
      ...['renewalDeclined', 'renewalOffered', 'renewalUndeliverable'],
      ...(kind.startsWith('contested') ? [] : ['waitingForBank', 'waitingForPayrollProvider']),
    ]);
  },
);

test('D-24 a contact has 30 days to sign, and a consent is valid for 180', () => {
  expect([signingPeriodDays, validityDays]).toEqual([30, 180]);
});
