import { givenText, givenTexts } from '../coda/given-text.js';
import { transactionName } from '../coda/names/transaction-name.js';
import type { Movement } from '../coda/statement.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';
import { formatAmount } from '../texts/belgian-format.js';
import { amountNodes, type CamtVersion, cutText, date, reference } from './camt053-parts.js';
import { camtTransaction, transactionCode } from './camt053-transaction.js';
import { communicationText, informationTexts, writtenText } from './communication-text.js';
import { type EntryPart, isBatch, isOnSide, partsOf, wholePart } from './entry-parts.js';

/** Where an entry stands. */
export interface EntryPlace {
  /** From 1. */
  readonly number: number;
  readonly currency: string;
  /** The date of the statement, for an entry without one. */
  readonly statementDate: string;
  readonly version: CamtVersion;
}

/** Returns the entry (`Ntry`) of a movement, with its parts as transactions. */
export function camtEntry(movement: Movement, place: EntryPlace): XmlNode {
  const { currency, version } = place;
  const parts = signedParts(movement, version);
  const name = transactionName(movement.transactionCode, 'en');
  const [first, ...rest] = cutText(
    givenTexts([name, ...entryTexts(movement, parts)]).join(': '),
    500,
  );
  return element(
    'Ntry',
    element('NtryRef', String(place.number).padStart(4, '0')),
    ...amountNodes(movement.amount, currency),
    element('Sts', version === '08' ? element('Cd', 'BOOK') : 'BOOK'),
    date('BookgDt', movement.entryDate ?? place.statementDate),
    date('ValDt', movement.valueDate),
    element('AcctSvcrRef', reference(movement.bankReference)),
    transactionCode(movement),
    element(
      'NtryDtls',
      batch(movement, parts),
      ...parts.map((part, index) => {
        const isFirst = index === 0;
        return camtTransaction(part, movement, isFirst ? rest : [], currency, version);
      }),
    ),
    element('AddtlNtryInf', first),
  );
}

/**
 * Returns the parts of a movement. In version 02 a transaction has no side of its own, so that one
 * on the other side, such as the charges of a payment, would be added in place of subtracted.
 */
function signedParts(movement: Movement, version: CamtVersion): readonly EntryPart[] {
  const parts = partsOf(movement);
  const isOneSided = parts.every(({ amount }) => isOnSide(amount, movement.amount));
  return version !== '02' || isOneSided ? parts : [wholePart(movement)];
}

/**
 * Returns the texts of an entry: those of a total that has details with texts of their own, and
 * for any other payment its counterparty and text, from which alone programs that read no
 * transactions know it.
 */
function entryTexts(movement: Movement, parts: readonly EntryPart[]): string[] {
  const { counterparty, details } = movement;
  if (!isBatch(movement) || details.length === 0) return [counterparty.name, payersText(movement)];
  // Its transactions do not have the texts of its details if it had to stay whole.
  const isWhole = parts.every(({ sources }) => sources.includes(movement));
  return [ownText(movement), ...(isWhole ? detailsOf(movement).map(detailText) : [])];
}

/** Returns the text of the payer, or that of the bank. */
function payersText({ communication }: Movement): string {
  const isDirectDebit = communication.kind === 'structured' && 'text' in communication;
  return isDirectDebit ? writtenText(communication) : communicationText(communication);
}

/** Returns the details of a movement and those below them. */
function detailsOf({ details }: Movement): Movement[] {
  return details.flatMap((detail) => [detail, ...detailsOf(detail)]);
}

/** Returns all that a movement says of itself, but for its reference. */
function ownText(movement: Movement): string {
  const { counterparty, communication } = movement;
  const { name, account } = counterparty;
  const texts = [name, account, communicationText(communication), ...informationTexts(movement)];
  return givenTexts(texts).join(' ');
}

function detailText(detail: Movement): string {
  const { amount, customerReference } = detail;
  return givenTexts([formatAmount(amount), customerReference, ownText(detail)]).join(' ');
}

function batch(movement: Movement, parts: readonly EntryPart[]): XmlNode {
  if (!isBatch(movement)) return element('Btch');
  const areKnown = parts.every((part) => !isBatch(part.movement));
  return element(
    'Btch',
    element('PmtInfId', reference(givenText(movement.customerReference))),
    element('NbOfTxs', areKnown ? `${parts.length}` : undefined),
  );
}
