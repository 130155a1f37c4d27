import { type StatementDraft, writeCoda } from '@adx/statements';
import { newBelgianIban, newCustomer } from '../mandates/new-customer.js';
import { codbFileWith, type PayrollPlace } from './codb-faults.js';
import { linesOf, replaced } from './edit-lines.js';
import { type StatementPlace, statementOf } from './statement-of-account.js';

/** How a CODA file gets a finding of the service (D-27), although it can be read. */
export const codaServiceFaults = {
  unknownAccount: (place: StatementPlace): Uint8Array =>
    writeCoda([statementOf({ ...place, iban: newBelgianIban(place.iban.slice(4, 7)) })]),
  noIban: (place: StatementPlace): Uint8Array => {
    const draft = statementOf(place);
    const account: StatementDraft['account'] = { structure: 1, number: 'Z-1', currency: 'EUR' };
    return writeCoda([{ ...draft, account }]);
  },
  noCurrency: (place: StatementPlace): Uint8Array => {
    const lines = linesOf(statementOf(place));
    const without = replaced(replaced(lines, '1', 40, '   '), '8', 39, '   ');
    return new TextEncoder().encode(without.map((line) => `${line}\r\n`).join(''));
  },
} as const;

/** The same for a payroll file. */
export const codbServiceFaults = {
  unknownEnterprise: (place: PayrollPlace): Uint8Array => {
    const { enterpriseNumber } = newCustomer('codb', true);
    return codbFileWith(undefined, { ...place, enterpriseNumber });
  },
  sourceTooLong: (place: PayrollPlace): Uint8Array =>
    codbFileWith(undefined, { ...place, source: 'Zandbak '.repeat(100) }),
} as const;
