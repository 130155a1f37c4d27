import { describe, expect, test } from 'vitest';
import type { Layouts } from '../../../../src/coda/format/communication-layout.js';
import { informationLayouts } from '../../../../src/coda/format/information-layouts.js';
import { movementLayouts } from '../../../../src/coda/format/movement-layouts.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import { decodeCommunication } from '../../../../src/coda/read/records/read-communication.js';
import { encodeCommunication } from '../../../../src/coda/write/write-movement-records.js';

const zone = (content: string) => new CodaRecord(0, charactersOf(content));

/** A field in the file, with all its positions, and its value. */
type Written = readonly [name: string, positions: string, value?: bigint | string];

/** The terminal of card payments: name (16 positions) and town (10 positions). */
const terminal: readonly Written[] = [
  ['terminalName', 'DELHAIZE        ', 'DELHAIZE'],
  ['terminalTown', 'GENT      ', 'GENT'],
];
const lines: readonly Written[] = ['one', 'two', 'three', 'four'].map((text, index) => [
  `line${index + 1}`,
  text.padEnd(35),
  text,
]);
const person: readonly Written[] = [
  ['name', 'Jan Peeters'.padEnd(70), 'Jan Peeters'],
  ['identification', '71.02.03-004.05'.padEnd(35), '71.02.03-004.05'],
];

/** The communications of records 2, with the fields of the standard. */
const ofMovements: Readonly<Record<string, readonly Written[]>> = {
  '100': [['reference', 'RF18539007547034         ', 'RF18539007547034']],
  '101': [['reference', '090933755493']],
  '102': [['reference', '240283842818']],
  '103': [['number', '000123456789']],
  '105': [
    ['amount', '000000001000010', 1_000_010n],
    ['originalAmount', '000000001200020', 1_200_020n],
    ['rate', '000083333333', 83_333_333n],
    ['originalCurrency', 'USD'],
    ['reference', 'INVOICE 7   ', 'INVOICE 7'],
    ['country', 'US'],
    ['amountInEuro', '000000001000030', 1_000_030n],
  ],
  '106': [
    ['amount', '000000000210000', 210_000n],
    ['baseAmount', '000000001000000', 1_000_000n],
    ['percentage', '002100000000', 2_100_000_000n],
    ['minimum', '1'],
    ['amountInEuro', '000000000210010', 210_010n],
  ],
  '107': [
    ['number', '123456789012'],
    ['date', '290224', '2024-02-29'],
    ['text', 'SUBSCRIPTION                  ', 'SUBSCRIPTION'],
    ['refusal', '2'],
    ['creditor', '00403019261'],
  ],
  '108': [
    ['amount', '000000000005000', 5_000n],
    ['basis', 'BASIS 365      ', 'BASIS 365'],
    ['interestRate', '000012500000', 12_500_000n],
    ['period', '010124310124'],
  ],
  '111': [
    ['cardScheme', '1'],
    ['pointOfSale', '004711'],
    ['period', '007'],
    ['firstSequence', '000011'],
    ['firstDate', '010226', '2026-02-01'],
    ['lastSequence', '000019'],
    ['lastDate', '020226', '2026-02-02'],
    ['transactionType', '3'],
    ...terminal,
  ],
  '113': [
    ['cardNumber', '6703123412341234'],
    ['cardScheme', '1'],
    ['terminal', '004711'],
    ['sequence', '000012'],
    ['date', '010226', '2026-02-01'],
    ['time', '1435', '14:35'],
    ['transactionType', '2'],
    ...terminal,
    ['originalAmount', '000000000060125', 60_125n],
    ['rate', '000110000000', 110_000_000n],
    ['originalCurrency', 'GBP'],
    ['volume', '03520', 3_520n],
    ['product', '01'],
    ['unitPrice', '01708', 1_708n],
  ],
  '114': [
    ['cardScheme', '2'],
    ['pointOfSale', '004712'],
    ['period', '008'],
    ['sequence', '000013'],
    ['date', '030226', '2026-02-03'],
    ['time', '0905', '09:05'],
    ['transactionType', '1'],
    ...terminal,
    ['reference', 'TICKET 12       ', 'TICKET 12'],
  ],
  '115': [
    ['cardNumber', '6703432143214321'],
    ['cardScheme', '1'],
    ['terminal', '004713'],
    ['sequence', '000014'],
    ['date', '040226', '2026-02-04'],
    ['time', '2359', '23:59'],
    ['validationDate', '050226', '2026-02-05'],
    ['validationSequence', '000015'],
    ['originalAmount', '000000000500000', 500_000n],
    ['conformity', '0'],
    ...terminal,
    ['reference', 'DEPOSIT 5   ', 'DEPOSIT 5'],
  ],
  '121': [
    ['amount', '000000010000000', 10_000_000n],
    ['maturityDate', '010326', '2026-03-01'],
    ['conventionalMaturityDate', '020326', '2026-03-02'],
    ['issueDate', '010226', '2026-02-01'],
    ['companyNumber', '00403019261'],
    ['currency', 'EUR'],
    ['secondCurrency', 'USD'],
    ['billNumber', 'BILL-1       ', 'BILL-1'],
    ['rate', '000090000000', 90_000_000n],
  ],
  '122': [
    ['days', '0030'],
    ['interestRate', '000450000000', 450_000_000n],
    ['baseAmount', '000000010000000', 10_000_000n],
    ['minimum', '1'],
    ['billNumber', 'BILL-2       ', 'BILL-2'],
    ['maturityDate', '030326', '2026-03-03'],
  ],
  '123': [
    ['startDate', '010126', '2026-01-01'],
    ['maturityDate', '310126', '2026-01-31'],
    ['baseAmount', '000000020000000', 20_000_000n],
    ['percentage', '000100000000', 100_000_000n],
    ['days', '0031'],
    ['minimum', '2'],
    ['guaranteeNumber', 'GUARANTEE-3  ', 'GUARANTEE-3'],
  ],
  '124': [
    ['cardNumber', '5400123412341234    ', '5400123412341234'],
    ['issuer', '1'],
    ['invoice', 'INVOICE 4   ', 'INVOICE 4'],
    ['identification', 'CUSTOMER 5     ', 'CUSTOMER 5'],
    ['date', '060226', '2026-02-06'],
  ],
  '125': [
    ['creditAccount', '096123456769'],
    ['extension', 'EXTENSION      ', 'EXTENSION'],
    ['oldBalance', '000000050000000', 50_000_000n],
    ['newBalance', '000000049000000', 49_000_000n],
    ['amount', '000000001000000', 1_000_000n],
    ['currency', 'EUR'],
    ['startDate', '010126', '2026-01-01'],
    ['endDate', '310126', '2026-01-31'],
    ['interestRate', '000350000000', 350_000_000n],
    ['reference', 'CREDIT-6     ', 'CREDIT-6'],
  ],
  '126': [
    ['depositNumber', 'DEPOSIT-7      ', 'DEPOSIT-7'],
    ['depositAmount', '000000030000000', 30_000_000n],
    ['amount', '000000030100000', 30_100_000n],
    ['startDate', '020126', '2026-01-02'],
    ['endDate', '300126', '2026-01-30'],
    ['interestRate', '000200000000', 200_000_000n],
    ['interestAmount', '000000000100000', 100_000n],
    ['currency', 'CHF'],
    ['rate', '000095000000', 95_000_000n],
  ],
  '127': [
    ['settlementDate', '070226', '2026-02-07'],
    ['debitType', '1'],
    ['scheme', '2'],
    ['paid', '0'],
    ['creditor', 'BE02ZZZ0477472701'.padEnd(35), 'BE02ZZZ0477472701'],
    ['mandate', 'MANDATE-8'.padEnd(35), 'MANDATE-8'],
    ['text', 'INVOICE 9'.padEnd(62), 'INVOICE 9'],
    ['rTransaction', '3'],
    ['reason', 'MD06'],
  ],
};

/** The communications of records 3. */
const ofInformation: Readonly<Record<string, readonly Written[]>> = {
  '001': [
    ['name', 'Jan Peeters'.padEnd(70), 'Jan Peeters'],
    ['street', 'Dorpsstraat 1'.padEnd(35), 'Dorpsstraat 1'],
    ['locality', '9000 Gent'.padEnd(35), '9000 Gent'],
    ['identification', 'ID-1'.padEnd(35), 'ID-1'],
  ],
  '002': lines,
  '004': lines,
  '005': lines,
  '006': [
    ['description', 'COMMISSION'.padEnd(30), 'COMMISSION'],
    ['currency', 'EUR'],
    ['amount', '0000000000025001', -2_500n],
    ['category', '013'],
  ],
  '007': [
    ['count', '0000012'],
    ['denomination', '050000', 50_000n],
    ['amount', '000000000600000', 600_000n],
  ],
  '008': person,
  '009': person,
  '010': [['text', 'SECURITIES'.padEnd(265), 'SECURITIES']],
  '011': [['text', 'SHARES'.padEnd(265), 'SHARES']],
};

describe.each([
  ['2', movementLayouts, ofMovements],
  ['3', informationLayouts, ofInformation],
] as const)('CODA records %s: structured communications', (_, layouts: Layouts, communications) => {
  test.each(Object.entries(communications))('%s is read and written', (type, fields) => {
    const content = fields.map(([, positions]) => positions).join('');
    const decoded = {
      kind: 'structured',
      type,
      ...Object.fromEntries(fields.map(([name, positions, value]) => [name, value ?? positions])),
    } as const;
    const wrong: string[] = [];
    expect(decodeCommunication(layouts, type, zone(content), (name) => wrong.push(name))).toEqual(
      decoded,
    );
    expect(wrong).toEqual([]);
    expect(encodeCommunication(layouts, decoded)).toBe(content);
    const longer = { ...decoded, remainder: 'more' };
    expect(decodeCommunication(layouts, type, zone(`${content}more  `), () => {})).toEqual(longer);
    expect(encodeCommunication(layouts, longer)).toBe(`${content}more`);
  });

  test('there are no other types', () => {
    expect(Object.keys(layouts)).toEqual(Object.keys(communications));
  });
});

/** A layout with a field of each kind. */
const layouts = {
  '000': [
    ['decimal', 'decimal', 4],
    ['signed', 'signed', 4],
    ['date', 'date', 6],
    ['time', 'time', 4],
    ['text', 'text', 4],
  ],
} as const satisfies Layouts;
const right = ['0012', '0121', '290224', '1205', 'text'];
const names = ['decimal', 'signed', 'date', 'time', 'text'];

test.each([
  ['decimal', '0000', 0n],
  ['decimal', '    ', undefined],
  ['signed', '0120', 12n],
  ['signed', '0121', -12n],
  ['signed', '    ', undefined],
  ['date', '000000', undefined],
  ['date', '      ', undefined],
  ['time', '0000', '00:00'],
  ['time', '2359', '23:59'],
  ['time', '    ', undefined],
  ['text', ' a  ', ' a'],
  ['text', '    ', ''],
])('CODA communications: a %s of %j is read as %s', (name, positions, value) => {
  const content = right.with(names.indexOf(name), positions).join('');
  const wrong: string[] = [];
  const decoded = decodeCommunication(layouts, '000', zone(content), (field) => wrong.push(field));
  expect(decoded).toHaveProperty(name, value);
  expect(wrong).toEqual([]);
});

test.each([
  ['decimal', '12 0'],
  ['signed', '0122'],
  ['signed', '012 '],
  ['signed', '1 20'],
  ['date', '300224'],
  ['date', '29022 '],
  ['time', '2400'],
  ['time', '1260'],
  ['time', '125 '],
])('CODA communications: a %s of %j cannot be read', (name, positions) => {
  const content = right.with(names.indexOf(name), positions).join('');
  const wrong: string[] = [];
  const decoded = decodeCommunication(layouts, '000', zone(content), (field) => wrong.push(field));
  expect(decoded).toHaveProperty(name, undefined);
  expect(wrong).toEqual([name]);
});
