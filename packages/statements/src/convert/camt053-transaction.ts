import type { Movement } from '../coda/statement.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';
import { englishTexts } from '../texts/printed-texts-en.js';
import { parties } from './camt053-parties.js';
import {
  amountNode,
  amountNodes,
  type CamtVersion,
  limitedText,
  reference,
} from './camt053-parts.js';
import { remittance, transactionTexts } from './camt053-remittance.js';
import { type EntryPart, isWholeAmount } from './entry-parts.js';
import { type TransactionFields, transactionFields } from './transaction-fields.js';

/** Returns the code of CODA: type, family, operation and category. */
export function transactionCode({ transactionCode: code }: Movement): XmlNode {
  const { type, family, operation, category } = code;
  const text = element('Cd', `${type}${family}${operation}${category}`);
  return element('BkTxCd', element('Prtry', text, element('Issr', 'BBA')));
}

/**
 * Returns a part of an entry as a transaction (`TxDtls`).
 *
 * @param entry the movement of the entry, whose counterparty holds for the details of a batch
 * @param others texts of the entry that it has no room for
 */
export function camtTransaction(
  part: EntryPart,
  entry: Movement,
  others: readonly string[],
  currency: string,
  version: CamtVersion,
): XmlNode {
  const { amount, movement, sources } = part;
  const fields = transactionFields(part);
  const found = parties(part, entry, fields, version);
  const texts = transactionTexts(part, fields, found, others);
  return element(
    'TxDtls',
    element(
      'Refs',
      element('AcctSvcrRef', reference(movement.bankReference)),
      element('EndToEndId', reference(fields.endToEndId)),
      element('MndtId', reference(fields.mandate)),
      element('ChqNb', limitedText(fields.chequeNumber, 35)),
    ),
    ...(version === '02' ? [] : amountNodes(amount, currency)),
    amountDetails(part, fields, currency, version),
    transactionCode(movement),
    ...found.nodes,
    element('Purp', element('Cd', fields.purpose)),
    remittance(sources, texts),
    element('RltdDts', element('IntrBkSttlmDt', fields.settlementDate)),
    element(
      'RtrInf',
      element('Rsn', element('Cd', fields.reason)),
      element('AddtlInf', englishTexts.rTransactions[fields.rTransaction]),
    ),
    element('AddtlTxInf', texts.bank[0]),
  );
}

/** Returns the amount that was instructed, in its currency or before charges. */
function amountDetails(
  { amount, sources }: EntryPart,
  { originalAmount, originalCurrency }: TransactionFields,
  currency: string,
  version: CamtVersion,
): XmlNode {
  const gross = grossAmount(sources);
  const original = amountNode('Amt', originalAmount, originalCurrency);
  const instructed = gross === undefined ? undefined : amountNode('Amt', gross, currency);
  return element(
    'AmtDtls',
    element('InstdAmt', originalAmount === 0n ? instructed : original),
    element('TxAmt', version === '02' ? amountNode('Amt', amount, currency) : undefined),
  );
}

/** Returns the amount before charges, if a payment has just that as its detail. */
function grossAmount([movement, detail, another]: readonly Movement[]): bigint | undefined {
  if (movement === undefined || detail === undefined || another !== undefined) return undefined;
  // The order tells a payment with its detail from a detail with its total.
  const isDetail = movement.details.includes(detail);
  const isAlike = detail.amount >= 0n === movement.amount >= 0n;
  const isGross = isAlike && isWholeAmount(detail);
  return isDetail && isGross && detail.amount > movement.amount ? detail.amount : undefined;
}
