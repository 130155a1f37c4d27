import { expect, test } from 'vitest';
import {
  describeStatus,
  firstStatus,
  isConsent,
  kindOf,
  lifecycle,
  nextStatus,
  permitsDeliveries,
  refusedStatuses,
  requestableStatuses,
  shownStatus,
  signingPeriodDays,
  unansweredStatuses,
  unsignedStatuses,
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

test.each([
  ['CODA', null, 'coda', 'unsupportedBank'],
  ['CODA', 7, 'lightConnector', undefined],
  ['CODB', null, 'codb', 'unsupportedPayrollProvider'],
] as const)(
  'D-24 a mandate for %s with the connector %s is of kind %s',
  (product, connectorId, kind, refused) => {
    for (const isContested of [false, true]) {
      const whole = isContested ? (`contested ${kind}` as const) : kind;
      expect(kindOf({ product, connectorId, isContested })).toBe(whole);
      expect(isConsent(whole)).toBe(kind === 'lightConnector');
      expect(firstStatus(whole, true)).toBe('created');
      if (refused !== undefined) expect(firstStatus(whole, false)).toBe(refused);
      else expect(() => firstStatus(whole, false)).toThrow('has no first status');
    }
  },
);

test.each(kinds)(
  '§4.18 a request for a %s mandate can be repeated where the lifecycle says so',
  (kind) => {
    const repeatable = Object.keys(arrows[kind]).flatMap((step) =>
      step.endsWith(' requested') ? [step.split(' ')[0]] : [],
    );
    expect(requestableStatuses(kind).sort()).toEqual(repeatable.sort());
  },
);

test('D-24 a status before an answer, without a signature, or refused', () => {
  expect([...unansweredStatuses].sort()).toEqual(['created', 'renewalOffered', 'waitingForSigner']);
  expect([...refusedStatuses].sort()).toEqual(['rejectedByBank', 'rejectedByPayrollProvider']);
  expect([...unsignedStatuses].sort()).toEqual([
    ...['created', 'error', 'expired', 'rejectedBySigner'],
    ...['unsupportedBank', 'unsupportedPayrollProvider', 'waitingForSigner'],
  ]);
});

test.each([
  ['renewalOffered', 'finished', 'finished (renewal offered)'],
  ['renewalDeclined', 'finished', 'finished (renewal declined)'],
  ['renewalUndeliverable', 'finished', 'finished (renewal undeliverable)'],
  ['renewalRequired', 'renewalRequired', 'renewalRequired'],
  ['finished', 'finished', 'finished'],
] as const)(
  'D-24 the status %s is shown as %s, and described as %s',
  (status, shown, described) => {
    expect(shownStatus(status)).toBe(shown);
    expect(describeStatus(status)).toBe(described);
  },
);
