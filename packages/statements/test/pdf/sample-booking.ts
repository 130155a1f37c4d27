import type { PayrollBooking, PayrollLine } from '../../src/codb/payroll-booking.js';

/** Returns a line on each side, of the same amount. */
export const pair = (department: string | undefined, amount: bigint): PayrollLine[] => {
  const line = { socialPeriod: '202601', department, label: 'Rémunérations' };
  return [
    { ...line, account: '618220', debit: amount, credit: 0n },
    { ...line, account: '4530', debit: 0n, credit: amount },
  ];
};

/** A booking of a month, with lines with and without a department. */
export const sampleBooking: PayrollBooking = {
  source: 'Groep S – Sociaal Secretariaat',
  version: '1.2',
  sequenceNumber: 7,
  generationDate: '2026-02-02',
  enterpriseNumber: '0403019261',
  enterpriseName: 'Ateliers du Midi SA',
  accountPeriod: '202601',
  lines: [...pair('Atelier', 1_234_560n), ...pair(undefined, 10_000n), ...pair('Atelier', 440n)],
};
