import type { MovementDraft } from '@adx/statements';
import { addDays } from '../../dates/brussels-day.js';
import { type BookingDay, code, fit, free, otherSide, surroundings } from './booking-day.js';
import type { BusinessKind } from './business.js';
import { structuredReference } from './check-digits.js';
import { amount, pick, whole } from './random.js';

/** How many invoices are paid to it on a day at most, and how large they are, in euros. */
const invoices: Readonly<Record<BusinessKind, { most: number; from: number; to: number }>> = {
  shop: { most: 1, from: 40, to: 650 },
  trade: { most: 3, from: 240, to: 3_400 },
  practice: { most: 6, from: 60, to: 480 },
};

/** What comes in on a day: by card, and by transfers that pay invoices. */
export function receipts(booking: BookingDay): MovementDraft[] {
  const { business, random } = booking;
  if (!business.isMain) return [];
  const { most } = invoices[business.kind];
  const paid = Array.from({ length: whole(random, 0, most) }, () => invoicePaid(booking));
  return business.kind === 'shop' ? [cardReceipts(booking), ...paid] : paid;
}

function invoicePaid(booking: BookingDay): MovementDraft {
  const { business, random, day } = booking;
  const { texts, others } = surroundings(booking);
  const { from, to } = invoices[business.kind];
  const payer = pick(random, business.kind === 'practice' ? others.persons : others.clients);
  const number = whole(random, 1, 899);
  const isStructured = random() < 0.7;
  const reference = structuredReference(Number(day.slice(2, 4)) * 10_000_000 + number * 1_000);
  const { name, street, locality } = payer;
  const isDescribed = random() < 0.25;
  // Who pays more wages has larger clients.
  const size = Math.max(1, business.employers.length);
  return {
    amount: amount(random, from * size, to * size),
    transactionCode: code(0, random() < 0.3 ? '02' : '01', '50'),
    ...otherSide(payer),
    ...(isStructured
      ? { communication: { kind: 'structured', type: '101', reference } }
      : free(`${texts.invoice} ${day.slice(0, 4)}/${number}`)),
    ...(isDescribed && {
      information: [
        {
          communication: {
            kind: 'structured',
            type: '001',
            ...{ name, street, locality, identification: '' },
          },
        },
      ],
    }),
  };
}

/** The cards of the day before; on Mondays with a line for each of several days. */
function cardReceipts(booking: BookingDay): MovementDraft {
  const { day, random, holder } = booking;
  const taken = (type: number, back: number): MovementDraft => ({
    amount: amount(random, 260, 1_450),
    transactionCode: code(type, '04', '50'),
    valueDate: addDays(day, -back),
    communication: {
      kind: 'structured',
      type: '111',
      ...{ cardScheme: '1', pointOfSale: '000417', period: '', transactionType: '1' },
      firstSequence: String(whole(random, 1, 500)).padStart(6, '0'),
      lastSequence: String(whole(random, 501, 999)).padStart(6, '0'),
      ...{ firstDate: addDays(day, -back), lastDate: addDays(day, -back) },
      ...{ terminalName: fit(holder, 16), terminalTown: '' },
    },
  });
  const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1;
  if (!isMonday) return taken(0, 1);
  const details = [3, 2, 1].map((back) => taken(5, back));
  const total = details.reduce((sum, detail) => sum + detail.amount, 0n);
  return { amount: total, transactionCode: code(1, '04', '50'), details };
}
