import type { MovementDraft, StatementDraft } from '@adx/statements';

export interface StatementPlace {
  readonly iban: string;
  /** The BIC without spaces. */
  readonly bic: string;
  readonly holder: string;
  readonly number: number;
  /** Thousandths. */
  readonly oldBalance: bigint;
  /** `YYYY-MM-DD`. */
  readonly oldDate: string;
  readonly date: string;
}

export function transferOf({ date }: Pick<StatementPlace, 'date'>): MovementDraft {
  return {
    amount: 125_500n,
    bankReference: 'ZB-1',
    transactionCode: transferCode(0),
    valueDate: date,
    entryDate: date,
    communication: { kind: 'structured', type: '101', reference: '090933755493' },
    customerReference: 'NOTPROVIDED',
    counterparty: {
      account: 'BE54000000000097',
      currency: 'EUR',
      bic: 'GEBABEBB',
      name: 'Lies Duinhelm',
    },
  };
}

/** Returns the code of a transfer: of type 0 alone, 1 as a total, 5 as a detail of a total. */
export function transferCode(type: number): MovementDraft['transactionCode'] {
  return { type, family: '01', operation: type === 5 ? '01' : '50', category: '000' };
}

/** The sum of the movements of a statement here, in thousandths. */
export const sumOfMovements = 221_000n;

/** Returns a statement without findings. */
export function statementOf(place: StatementPlace): StatementDraft {
  const { iban, bic, holder, number, oldBalance, oldDate, date } = place;
  const transfer = transferOf(place);
  const detail = (amount: bigint, bankReference: string): MovementDraft => ({
    ...transfer,
    amount,
    bankReference,
    transactionCode: transferCode(5),
  });
  return {
    header: { creationDate: date, bankCode: iban.slice(4, 7), bic, addressee: holder },
    account: { structure: 2, number: iban, currency: 'EUR', holder, description: 'Zichtrekening' },
    statementNumber: number,
    oldBalance: { amount: oldBalance, date: oldDate },
    newBalance: { date },
    movements: [
      {
        ...transfer,
        information: [
          {
            communication: {
              kind: 'structured',
              type: '001',
              name: 'Lies Duinhelm',
              street: 'Duinpad 4',
              locality: '8420 De Haan',
              identification: '',
            },
          },
        ],
      },
      {
        ...transfer,
        amount: -30_000n,
        bankReference: 'ZB-2',
        transactionCode: { type: 1, family: '01', operation: '01', category: '000' },
        communication: { kind: 'free', text: 'Lonen' },
        counterparty: {},
        details: [detail(-10_000n, 'ZB-3'), detail(-20_000n, 'ZB-4')],
      },
      {
        ...transfer,
        bankReference: 'ZB-5',
        communication: { kind: 'free', text: `Factuur ${number}` },
      },
    ],
    freeCommunications: [{ lines: ['Maandag zijn onze kantoren gesloten.', 'Tot dinsdag!'] }],
  };
}

export function nextPlace(place: StatementPlace): StatementPlace {
  const oldBalance = place.oldBalance + sumOfMovements;
  return { ...place, number: place.number + 1, oldBalance, oldDate: place.date };
}
