import type { MovementDraft } from '@adx/statements';
import { isDue, isLastOfMonth } from './banking-days.js';
import { type BookingDay, code, fit, free, otherSide, surroundings } from './booking-day.js';
import { madeUpIban, structuredReference } from './check-digits.js';
import { payslipsOf } from './employer.js';
import { amount, pick, whole } from './random.js';

/** Between these, in thousandths, an account is left as it is. */
const POOR = 12_000_000n;
const RICH = 90_000_000n;

/** Where what is not needed goes: an account of the demo's own. */
const savings = { account: madeUpIban('979', 7), bic: 'ARSPBE22' };

/** What goes out on a day, and what its owner does about the balance. */
export function expenses(booking: BookingDay): MovementDraft[] {
  const fees = isLastOfMonth(booking.day) ? [accountFee(booking)] : [];
  if (!booking.business.isMain) return [...quietDay(booking), ...fees];
  return [
    ...suppliers(booking),
    ...collections(booking),
    ...(isLastOfMonth(booking.day) ? wages(booking) : []),
    ...(isDue(booking.day, 20) ? [vat(booking)] : []),
    ...fees,
    ...owner(booking),
  ];
}

/** Most days nothing at all. */
function quietDay(booking: BookingDay): MovementDraft[] {
  const { random } = booking;
  if (random() > 0.2) return [];
  const { texts, others } = surroundings(booking);
  const isIn = booking.balance < POOR || random() < 0.5;
  const sum = amount(random, 50, 900);
  return [
    {
      amount: isIn ? sum : -sum,
      transactionCode: code(0, '01', isIn ? '50' : '01'),
      ...otherSide(pick(random, isIn ? others.clients : others.suppliers)),
      ...free(`${texts.order} ${whole(random, 1_000, 9_999)}`),
    },
  ];
}

/** One by one, or a file of transfers that the bank books as one total. */
function suppliers(booking: BookingDay): MovementDraft[] {
  const { random, day } = booking;
  const { texts, others } = surroundings(booking);
  const pay = (type: number): MovementDraft => ({
    amount: -amount(random, 35, 720),
    transactionCode: code(type, '01', '01'),
    ...otherSide(pick(random, others.suppliers)),
    ...(random() < 0.6
      ? {
          communication: {
            kind: 'structured',
            type: '101',
            reference: structuredReference(whole(random, 1_000_000, 99_999_999)),
          },
        }
      : free(`${texts.invoice} ${whole(random, 10_000, 99_999)}`)),
    customerReference: `P${day.replaceAll('-', '')}-${whole(random, 1, 99)}`,
  });
  if (booking.balance < POOR) return [];
  if (!isDue(day, 15)) return Array.from({ length: whole(random, 0, 2) }, () => pay(0));
  return [batch(Array.from({ length: whole(random, 2, 5) }, () => pay(5)))];
}

/** The transfers of one file: a total, and a detail for each. */
function batch(details: readonly MovementDraft[], of?: string): MovementDraft {
  const total = details.reduce((sum, detail) => sum + detail.amount, 0n);
  return {
    amount: total,
    transactionCode: code(1, '01', '01'),
    details,
    ...(of !== undefined && free(of)),
  };
}

/** SEPA direct debits: energy on the 5th, telephone on the 11th, insurance on the 25th. */
function collections(booking: BookingDay): MovementDraft[] {
  const { random, day, holder } = booking;
  const { texts, others } = surroundings(booking);
  const due = [5, 11, 25].map((date) => isDue(day, date));
  return others.creditors
    .filter((_, index) => due[index])
    .map((creditor) => ({
      amount: -amount(random, 48, 390),
      transactionCode: code(0, '05', '01'),
      ...otherSide(creditor),
      communication: {
        kind: 'structured',
        type: '127',
        settlementDate: day,
        ...{ debitType: '1', scheme: '2', paid: '1', rTransaction: '', reason: '' },
        creditor: `BE00ZZZ0000${creditor.account.slice(-6)}`,
        mandate: `M-${creditor.account.slice(-4)}-${fit(holder, 12).toUpperCase()}`,
        text: `${texts.collection} ${day.slice(0, 7)}`,
      },
    }));
}

function wages(booking: BookingDay): MovementDraft[] {
  const { texts } = surroundings(booking);
  const period = booking.day.slice(0, 7).replace('-', '');
  return booking.business.employers.map((employer) =>
    batch(
      payslipsOf(employer, period).map(({ person, net }) => ({
        amount: -net,
        transactionCode: code(5, '01', '01'),
        ...otherSide(person),
        ...free(`${texts.wages} ${period.slice(4)}/${period.slice(0, 4)}`),
        purpose: 'SALA',
      })),
      `${texts.wages} ${period.slice(4)}/${period.slice(0, 4)}`,
    ),
  );
}

function vat(booking: BookingDay): MovementDraft {
  const { texts, others } = surroundings(booking);
  const reference = structuredReference(whole(booking.random, 100_000_000, 999_999_999));
  return {
    amount: -amount(booking.random, 900, 3_200),
    transactionCode: code(0, '01', '01'),
    ...otherSide(others.taxOffice),
    communication: { kind: 'structured', type: '101', reference },
    customerReference: `${texts.vat} ${booking.day.slice(0, 7)}`,
  };
}

/** What the bank charges, with its VAT: one movement, of which the details tell the parts. */
function accountFee(booking: BookingDay): MovementDraft {
  const { texts } = surroundings(booking);
  const baseAmount = amount(booking.random, 4, 12);
  const tax = (baseAmount * 21n) / 1_000n;
  const amountOfTax = tax * 10n;
  const part = (sum: bigint, category: string): MovementDraft => ({
    amount: -sum,
    transactionCode: code(8, '80', '35', category),
    ...free(texts.costs),
  });
  return {
    amount: -(baseAmount + amountOfTax),
    transactionCode: code(3, '80', '35'),
    ...free(`${texts.fee} ${booking.day.slice(0, 7)}`),
    details: [
      part(baseAmount, '006'),
      {
        ...part(amountOfTax, '011'),
        communication: {
          kind: 'structured',
          type: '106',
          ...{ amount: amountOfTax, baseAmount, percentage: 2_100_000_000n, minimum: '0' },
          amountInEuro: amountOfTax,
        },
      },
    ],
  };
}

/** Too much goes to the savings, too little is made up for. */
function owner(booking: BookingDay): MovementDraft[] {
  const { balance, random, holder } = booking;
  const { texts, others } = surroundings(booking);
  if (balance > RICH) {
    return [
      {
        amount: -BigInt(whole(random, 30, 50)) * 1_000_000n,
        transactionCode: code(0, '01', '01'),
        ...otherSide({ ...savings, name: fit(holder, 35) }),
        ...free(texts.toSavings),
      },
    ];
  }
  if (balance > POOR) return [];
  return [
    {
      amount: BigInt(whole(random, 10, 20)) * 1_000_000n,
      transactionCode: code(0, '01', '50'),
      ...otherSide(others.persons[0]),
      ...free(texts.fromOwner),
    },
  ];
}
