import fc from 'fast-check';
import { ibanOfBban } from '../../src/coda/format/check-digits.js';
import type { Field, Layouts } from '../../src/coda/format/communication-layout.js';
import { informationLayouts } from '../../src/coda/format/information-layouts.js';
import { movementLayouts } from '../../src/coda/format/movement-layouts.js';
import type {
  Account,
  InformationCommunication,
  MovementCommunication,
  MovementDraft,
  StatementDraft,
} from '../../src/index.js';

/** Characters of each kind: ASCII, two, three and four bytes of UTF-8. */
export const anyCharacters = [..."AZaz09 +/.-,'\u00E9\u00E0\u00FC\u20AC\u4E2D\u{1F600}"];

/** Generates complete statements of every kind, with texts of these characters. */
export function statements(characters: readonly string[]): fc.Arbitrary<StatementDraft> {
  const text = texts(characters);
  return fc.record({ part: fc.boolean(), empty: fc.boolean() }).chain(({ part, empty }) =>
    fc.record({
      header: fc.record({
        creationDate: dateWithin('2026-01-01', '2027-12-31'),
        bankCode: digits(3),
        duplicate: fc.boolean(),
        fileReference: text(10),
        addressee: text(26),
        bic: text(11),
        enterpriseNumber: fc.oneof(
          fc.constant(''),
          digits(9).map((rest) => `1${rest}`),
        ),
        separateApplication: part ? fc.constant('00001') : fc.constant('00000'),
        transactionReference: text(16),
        relatedReference: text(16),
      }),
      account: accounts(text),
      statementNumber: part ? fc.constant(0) : fc.nat(999),
      paperNumber: fc.nat(999),
      oldBalance: fc.record({
        amount: part ? fc.constant(0n) : amount,
        date: part ? fc.option(date, { nil: undefined }) : date,
      }),
      newBalance: empty
        ? fc.constant(undefined)
        : fc.record({ date: optionalDate, paperNumber: fc.nat(999) }),
      movements: empty ? fc.constant([]) : fc.array(movements(text), { maxLength: 4 }),
      freeCommunications: empty
        ? fc.constant([])
        : fc.array(fc.record({ lines: fc.array(text(80), { minLength: 1, maxLength: 3 }) }), {
            maxLength: 2,
          }),
    }),
  );
}

type Texts = (maxLength: number) => fc.Arbitrary<string>;

function texts(characters: readonly string[]): Texts {
  const unit = fc.constantFrom(...characters);
  return (maxLength) =>
    fc
      .oneof(
        { weight: 3, arbitrary: fc.string({ unit, maxLength: Math.min(12, maxLength) }) },
        { weight: 1, arbitrary: fc.string({ unit, maxLength, size: 'max' }) },
      )
      .map((one) => one.replace(/ +$/, ''));
}

const dateWithin = (first: string, last: string) =>
  fc
    .date({ min: new Date(first), max: new Date(last), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10));
const optionalDateWithin = (first: string, last: string) =>
  fc.option(dateWithin(first, last), { nil: undefined });
const date = dateWithin('2000-01-01', '2099-12-31');
/**
 * The years of movements and files, by which the centuries of dates in communications are known.
 */
const movementDate = optionalDateWithin('2026-01-01', '2027-12-31');
const optionalDate = fc.option(date, { nil: undefined });
const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const alphanumeric = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'ABCXYZ0123456789'), minLength: 1, maxLength });
const bban = digits(10).map((base) => base + String(Number(base) % 97 || 97).padStart(2, '0'));
const foreignIban = fc.constantFrom(
  'NL91ABNA0417164300',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'LU280019400644750000',
  'GB29NWBK60161331926819',
);
const currency = fc.constantFrom('EUR', 'USD', 'GBP');

function accounts(text: Texts): fc.Arbitrary<Account> {
  const common = { currency, holder: text(26), description: text(35) };
  const none = { qualifier: fc.constant(''), country: fc.constant('') };
  const extension = fc.constant('');
  const zero = fc.record({
    number: bban,
    ...common,
    extension: text(15),
    qualifier: digits(1),
    country: fc.constant('BE'),
  });
  const belgian = fc.record({
    number: bban.map(ibanOfBban),
    ...common,
    ...none,
    extension: text(3),
  });
  const abroad = fc.record({ number: foreignIban, ...common, ...none, extension });
  const other = fc.record({ number: alphanumeric(34), ...common, ...none, extension });
  return fc.oneof(
    zero.map((one) => ({ ...one, structure: 0 as const, iban: ibanOfBban(one.number) })),
    other.map((one) => ({ ...one, structure: 1 as const, iban: undefined })),
    belgian.map((one) => ({ ...one, structure: 2 as const, iban: one.number })),
    abroad.map((one) => ({ ...one, structure: 3 as const, iban: one.number })),
  );
}

function movements(text: Texts): fc.Arbitrary<MovementDraft> {
  const below = (type: number, deeper = fc.constant<MovementDraft[]>([])) =>
    fc.array(movement(text, type, deeper), { maxLength: 3 });
  return fc.oneof(
    movement(text, 0, fc.constant([])),
    movement(text, 1, below(5)),
    movement(text, 2, below(6)),
    movement(text, 2, below(7, below(9))),
    movement(text, 3, below(8)),
  );
}

function movement(
  text: Texts,
  type: number,
  details: fc.Arbitrary<MovementDraft[]>,
): fc.Arbitrary<MovementDraft> {
  const transactionCode = fc.record({
    type: fc.constant(type),
    family: digits(2),
    operation: digits(2),
    category: digits(3),
  });
  return fc.record({
    amount,
    transactionCode,
    bankReference: text(21),
    valueDate: movementDate,
    communication: communications(text, movementLayouts, 146, 149).map(
      (one) => one as MovementCommunication,
    ),
    entryDate: movementDate,
    paperNumber: fc.nat(999),
    customerReference: text(35),
    counterparty: fc.record({
      account: fc.oneof(fc.constant(''), bban, foreignIban, bban.map(ibanOfBban), alphanumeric(34)),
      currency: fc.oneof(fc.constant(''), currency),
      bic: text(11),
      name: text(35),
    }),
    rTransaction: fc.nat(5),
    reason: text(4),
    categoryPurpose: text(4),
    purpose: text(4),
    information: fc.array(
      fc.record({
        bankReference: text(21),
        transactionCode,
        communication: communications(text, informationLayouts, 265, 268).map(
          (one) => one as InformationCommunication,
        ),
      }),
      { maxLength: 2 },
    ),
    details,
  });
}

function communications(
  text: Texts,
  layouts: Layouts,
  content: number,
  free: number,
): fc.Arbitrary<unknown> {
  const structured = Object.entries(layouts).map(([type, fields]) => {
    const length = fields.reduce((sum, field) => sum + field[2], 0);
    const values = Object.fromEntries(fields.map((field) => [field[0], fieldValue(text, field)]));
    return fc.tuple(fc.record(values), text(content - length)).map(([decoded, remainder]) => ({
      kind: 'structured',
      type,
      ...decoded,
      ...(remainder === '' ? {} : { remainder }),
    }));
  });
  return fc.oneof(
    { weight: 6, arbitrary: text(free).map((one) => ({ kind: 'free', text: one })) },
    {
      weight: 1,
      arbitrary: text(content).map((one) => ({ kind: 'unknown', type: '199', text: one })),
    },
    ...structured,
  );
}

function fieldValue(text: Texts, [, kind, length]: Field): fc.Arbitrary<unknown> {
  switch (kind) {
    case 'text':
      return text(length);
    case 'decimal':
      return fc.option(fc.bigInt({ min: 0n, max: 10n ** BigInt(length) - 1n }), { nil: undefined });
    case 'signed':
      return fc.option(amount, { nil: undefined });
    case 'date':
      return optionalDateWithin('2000-01-01', '2027-12-31');
    case 'term':
      return fc.oneof(optionalDateWithin('2000-01-01', '2076-12-31'), fc.constant('noFixedTerm'));
    case 'day':
      return optionalDateWithin('1950-01-01', '2099-12-31');
    case 'time':
      return fc.constantFrom(undefined, '00:00', '09:05', '23:59');
  }
}
