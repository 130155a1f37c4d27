import { expect, test } from 'vitest';
import { isSilent } from '../../src/continuity/silent-banks.js';

// 11 November 2026 is a holiday, a Wednesday. Belgian time is an hour ahead of UTC.
test.each([
  ['before the usual time, without a delivery of the day before', '10T09:00', '13T05:12', true],
  ['at the usual time', '12T05:40', '13T05:12', false],
  ['after the usual time', '12T05:40', '13T05:13', true],
  ['after the delivery of the day', '13T05:00', '13T05:13', false],
  ['on a holiday, after a delivery of the day before', '10T05:40', '11T12:00', false],
  ['on a holiday, without one of the day before', '09T05:40', '11T12:00', true],
  ['after a holiday, before the usual time', '10T05:40', '12T05:00', false],
  ['on a Sunday, after a delivery on Friday', '13T05:40', '15T12:00', false],
  ['on a Monday, before the usual time', '13T05:40', '16T05:00', false],
  ['on a Monday, after the usual time', '13T05:40', '16T05:13', true],
])('D-33 silent banks: %s', (_case, delivered, at, isExpected) => {
  const lastDelivery = new Date(`2026-11-${delivered}:00Z`);
  const now = new Date(`2026-11-${at}:00Z`);
  expect(isSilent({ lastDelivery, usualTime: '06:12:30' }, now)).toBe(isExpected);
});

test.each([
  ['14T12:00', '15T12:00', false],
  ['14T12:00', '16T22:59', false],
  ['14T12:00', '16T23:00', true],
])(
  'D-33 silent banks: a bank that delivered only on a Saturday, %s, is silent on %s: %s',
  (delivered, at, isExpected) => {
    const lastDelivery = new Date(`2026-11-${delivered}:00Z`);
    const now = new Date(`2026-11-${at}:00Z`);
    expect(isSilent({ lastDelivery, usualTime: null }, now)).toBe(isExpected);
  },
);
