import type { InformationCommunication } from '../coda/format/information-layouts.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import { returnOf } from '../coda/return-of.js';
import type { Information, Movement } from '../coda/statement.js';
import { type EntryPart, isBatch } from './entry-parts.js';

type Ultimate = Extract<InformationCommunication, { readonly type: '008' | '009' }>;

/** The fields of a transaction that CAMT.053 has elements for; `''` if none has it. */
export interface TransactionFields {
  readonly endToEndId: string;
  readonly chequeNumber: string;
  readonly purpose: string;
  /** The identifier of the creditor of a direct debit, unless it is the holder's own in a debit. */
  readonly creditor: string;
  /** The payment is returned, so the creditor of the collection is on the side of the debtor. */
  readonly isBack: boolean;
  readonly mandate: string;
  /** `YYYY-MM-DD` */
  readonly settlementDate: string;
  /** Thousandths of `originalCurrency`; 0 if there is none. */
  readonly originalAmount: bigint;
  readonly originalCurrency: string;
  /** The kind of R-transaction, from 1 to 5; 0 if there is none. */
  readonly rTransaction: number;
  readonly reason: string;
  readonly ultimateCreditor: Ultimate | undefined;
  readonly ultimateDebtor: Ultimate | undefined;
}

/**
 * The operations of direct debits (family 05) by which one that was unpaid or refused comes back.
 */
const returned = /^(?:0[35]|5[48])$/;

/** Returns each field from the first source that has it, before its communication. */
export function transactionFields({ amount, movement, sources }: EntryPart): TransactionFields {
  const first = (textOf: (movement: Movement) => string) =>
    givenTexts(sources.map(textOf))[0] ?? '';
  const [original] = sources.flatMap(originalAmount);
  const rTransaction = sources.map(returnOf).find(({ kind }) => kind > 0)?.kind ?? 0;
  const named = sources.flatMap(({ information }) => information).flatMap(ultimates);
  // The counterparty of a debit is the creditor, unless the holder's own collection came back.
  const { family, operation } = movement.transactionCode;
  const isBack = rTransaction > 0 || (family === '05' && returned.test(operation));
  const isCreditorKnown = amount >= 0n || !isBack;
  return {
    endToEndId: first((source) => (isBatch(source) ? '' : source.customerReference)),
    chequeNumber: first(({ communication, transactionCode }) =>
      transactionCode.family === '03' && 'number' in communication
        ? String(communication.number)
        : '',
    ),
    purpose: first(({ purpose, categoryPurpose }) => givenText(purpose) || categoryPurpose),
    creditor: first(({ communication }) =>
      isCreditorKnown && 'settlementDate' in communication ? communication.creditor : '',
    ),
    isBack,
    mandate: first(({ communication }) =>
      'mandate' in communication ? communication.mandate : '',
    ),
    settlementDate: first(({ communication }) =>
      'settlementDate' in communication ? (communication.settlementDate ?? '') : '',
    ),
    originalAmount: original?.originalAmount ?? 0n,
    originalCurrency: original?.originalCurrency ?? '',
    rTransaction,
    reason: first((source) => returnOf(source).reason),
    ultimateCreditor: named.find(({ type }) => type === '008'),
    ultimateDebtor: named.find(({ type }) => type === '009'),
  };
}

/** Returns the amount in another currency (type 105). */
function originalAmount({ communication }: Movement) {
  if (!('originalCurrency' in communication)) return [];
  const { originalAmount: amount = 0n, originalCurrency } = communication;
  const isGiven = amount !== 0n && /^[A-Z]{3}$/.test(originalCurrency);
  return isGiven ? [{ originalAmount: amount, originalCurrency }] : [];
}

function ultimates({ communication }: Information): Ultimate[] {
  const isStructured = communication.kind === 'structured';
  const isUltimate = isStructured && (communication.type === '008' || communication.type === '009');
  return isUltimate ? [communication] : [];
}
