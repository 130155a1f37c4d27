import type { CodbFindingCode } from '@adx/statements';
import { type PayrollPlace, payrollFile } from '../../demo/statements.js';
import { newCustomer } from '../new-customer.js';

/** A finding of the catalogue, or of the service on a file that can be read (D-27). */
type CodbFault = CodbFindingCode | 'unknownEnterprise' | 'sourceTooLong';

/** Limits of the reader that no shorter file can exceed. */
const limits = { fileBytes: 25 * 2 ** 20, depth: 16, elements: 500_000, tagLength: 4096 };

type Change = (from: string | RegExp, to: string) => string;

/** How the text of a file gets each finding, and no other. */
const faults: Readonly<
  Record<CodbFault, (change: Change, place: PayrollPlace) => string | Uint8Array>
> = {
  fileTooLarge: () => new Uint8Array(limits.fileBytes + 1),
  unknownEncoding: (change) => change('UTF-8', 'EBCDIC-CP-BE'),
  invalidEncoding: (change) =>
    Buffer.concat([Buffer.from(change('</Source>', 'é</Source>')), Buffer.of(0xe9)]),
  malformedXml: (change) => change('</Source>', '</Sauce>'),
  forbiddenDoctype: (change) =>
    change('<SocialDocument', '<!DOCTYPE SocialDocument><SocialDocument'),
  forbiddenEntity: (change) => change('</Source>', '&groep;</Source>'),
  nestedTooDeep: (change) => change('</Source>', `${'<a>'.repeat(limits.depth)}</Source>`),
  tooManyElements: (change) => change('<Source>', `<Source>${'<a/>'.repeat(limits.elements)}`),
  tagTooLong: (change) => change('<Source', `<Source a="${'x'.repeat(limits.tagLength)}"`),
  noBooking: (change) => change(/<Social>[\s\S]*<\/Social>/, ''),
  tooManyBookings: (change) => {
    const booking = (_: unknown, index: number) =>
      `<Social><SeqNumber>${index}</SeqNumber></Social>`;
    const text = change(/<Social>[\s\S]*<\/Social>/, Array.from({ length: 30 }, booking).join(''));
    return text.replace('<Source>', `<Source><!--${' '.repeat(1_000_000)}-->`);
  },
  repeatedBooking: (change) => change(/<Social>[\s\S]*<\/Social>/, '$&$&'),
  missingElement: (change) => change(/<Account>.*?<\/Account>/, ''),
  repeatedElement: (change) => change('<Account>', '<Account>1</Account><Account>'),
  textTooLong: (change) => change('</Source>', `${'G'.repeat(1000)}</Source>`),
  sequenceNumber: (change) => change('</SeqNumber>', 'a</SeqNumber>'),
  date: (change) => change(/<GenDate>.*<\/GenDate>/, '<GenDate>2026-02-29</GenDate>'),
  enterpriseNumber: (change) => change(/(BE\d{8})(\d\d)/, '$100'),
  period: (change) => change(/<SocialPeriod>(\d{4})\d\d/, '<SocialPeriod>$113'),
  amount: (change) => change('1234.56', '1234,56'),
  debitAndCredit: (change) => change('<Credit>0.00', '<Credit>0.01'),
  balance: (change) => change('1234.56', '1234.57'),

  encodingDeclaration: (change) => change('UTF-8', 'UTF-16'),
  replacementCharacter: (change) => change('</Source>', '\uFFFD</Source>'),
  enterpriseNumberForm: (change, { enterpriseNumber }) =>
    change(/BE\d{10}/, enterpriseNumber.replaceAll('.', '')),
  unknownVersion: (change) => change('>1.2<', '>1.3<'),
  dateMissing: (change) => change(/<GenDate>.*<\/GenDate>/, ''),
  labelMissing: (change) => change(/<EntLabel>.*<\/EntLabel>/, ''),
  sideMissing: (change) => change('<Credit>0.00</Credit>', ''),
  negativeAmount: (change) => change(/1234\.56/g, '-1234.56'),
  amountDecimals: (change) => change(/1234\.56/g, '1234.5'),
  noLines: (change) => change(/<Transactions>[\s\S]*<\/Transactions>/, '<Transactions/>'),
  unknownElement: (change) => change('<Version>', '<Kind/><Version>'),
  unknownAttribute: (change) => change('<Amount>', '<Amount currency="USD">'),
  unexpectedText: (change) => change('<Amount>', '<Amount>ongeveer'),

  unknownEnterprise: (_, place) => {
    const { enterpriseNumber } = newCustomer('codb', true);
    return textOf({ ...place, enterpriseNumber });
  },
  sourceTooLong: (_, place) => textOf({ ...place, source: 'Zandbak '.repeat(100) }),
};

export function isCodbFault(code: string): code is CodbFault {
  return Object.hasOwn(faults, code);
}

/** Writes a payroll file with one finding; without a code, it has none. */
export function codbFileWith(code: CodbFault | undefined, place: PayrollPlace): Uint8Array {
  const text = textOf(place);
  const change: Change = (from, to) => text.replace(from, to);
  const changed = code === undefined ? text : faults[code](change, place);
  return typeof changed === 'string' ? new TextEncoder().encode(changed) : changed;
}

function textOf(place: PayrollPlace): string {
  const lines = [
    ['620200', 'Brutolonen', 1_234_560n, 0n],
    ['455000', 'Brutolonen', 0n, 1_234_560n],
  ] as const;
  return new TextDecoder().decode(payrollFile(place, lines));
}
