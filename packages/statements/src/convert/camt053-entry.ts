import { givenText, givenTexts } from '../coda/given-text.js';
import { transactionName } from '../coda/names/transaction-name.js';
import type { Movement } from '../coda/statement.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';
import { amountNodes, type CamtVersion, cutText, date, limitedText } from './camt053-parts.js';
import { camtTransaction, transactionCode } from './camt053-transaction.js';
import { communicationText, informationTexts, writtenText } from './communication-text.js';
import { batchesOf, type EntryPart, isBatch, onePart, partsOf } from './entry-parts.js';

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
  const texts = batchesOf(movement).flatMap(textsOf);
  // Programs that read no transactions know a payment only from this.
  const payment = parts.length === 1 ? [movement.counterparty.name, saidIn(movement)] : [];
  const about = givenTexts([name, ...payment, texts.join(' ')]).join(': ');
  const [first, ...more] = cutText(about, 500);
  return element(
    'Ntry',
    element('NtryRef', String(place.number).padStart(4, '0')),
    ...amountNodes(movement.amount, currency),
    element('Sts', version === '08' ? element('Cd', 'BOOK') : 'BOOK'),
    date('BookgDt', movement.entryDate ?? place.statementDate),
    date('ValDt', movement.valueDate),
    element('AcctSvcrRef', limitedText(movement.bankReference, 35)),
    transactionCode(movement),
    element(
      'NtryDtls',
      batch(movement, parts),
      ...parts.map((part, index) => {
        const isFirst = index === 0;
        return camtTransaction(part, movement, isFirst ? more : [], currency, version);
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
  const isCredit = movement.amount >= 0n;
  const isOneSided = parts.every(({ amount }) => amount >= 0n === isCredit);
  return version !== '02' || isOneSided ? parts : [onePart(movement)];
}

/** The text of the payer, or that of the bank. */
function saidIn({ communication }: Movement): string {
  const isDirectDebit = communication.kind === 'structured' && 'text' in communication;
  return isDirectDebit ? writtenText(communication) : communicationText(communication);
}

/** The texts of a total, none of which is lost if its details have others. */
function textsOf(movement: Movement): string[] {
  return givenTexts([communicationText(movement.communication), ...informationTexts(movement)]);
}

function batch(movement: Movement, parts: readonly EntryPart[]): XmlNode {
  if (!isBatch(movement)) return element('Btch');
  const isKnown = movement.details.length > 0 && parts.every(({ isDifference }) => !isDifference);
  return element(
    'Btch',
    element('PmtInfId', limitedText(givenText(movement.customerReference), 35)),
    element('NbOfTxs', isKnown ? `${parts.length}` : undefined),
  );
}
