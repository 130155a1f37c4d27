import { givenText, givenTexts } from '../coda/given-text.js';
import type { Information, Movement } from '../coda/statement.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';
import { counterpartyOf } from '../texts/counterparty.js';
import {
  accountIdentification,
  bank,
  type CamtVersion,
  limitedText,
  nameNode,
  party,
} from './camt053-parts.js';
import { type EntryPart, isBatch, isOnSide, isWholeAmount } from './entry-parts.js';
import type { TransactionFields } from './transaction-fields.js';

/** The parties of a transaction, and where its counterparty was found. */
export interface Parties {
  /** Undefined for charges of a batch, and for what its details lack. */
  readonly from: Movement | undefined;
  readonly namedBy: Information | undefined;
  readonly nodes: readonly XmlNode[];
}

/**
 * Returns the parties and their banks. The counterparty is the debtor of a credit, and the creditor
 * of a debit.
 *
 * @param entry the movement of the entry, whose counterparty holds for the details of a batch
 * without
 *   one; that of a payment does not hold for its charges
 */
export function parties(
  { amount, movement, sources }: EntryPart,
  entry: Movement,
  fields: TransactionFields,
  version: CamtVersion,
): Parties {
  const isPayment = sources.length > 0 && (movement === entry || isWholeAmount(movement));
  const isOfBatch = isPayment && isBatch(entry) && isOnSide(amount, entry.amount);
  const from = sources.find(hasParty) ?? (isOfBatch ? entry : sources[0]);
  if (from === undefined) return { from, namedBy: undefined, nodes: [] };
  const counterparty = counterpartyOf(from, from.information);
  const { account, bic } = from.counterparty;
  const isCredit = amount >= 0n;
  const side = isCredit ? 'Dbtr' : 'Cdtr';
  const isCreditor = isCredit === fields.isBack;
  const lines = givenTexts([counterparty.street, counterparty.locality]);
  const address = lines.map((line) => element('AdrLine', limitedText(line, 70)));
  const known = [
    party(
      side,
      version,
      nameNode(counterparty.name),
      element('PstlAdr', ...address),
      identification(isCreditor ? fields.creditor : '', [counterparty.identification]),
    ),
    element(`${side}Acct`, givenText(account) === '' ? undefined : accountIdentification(account)),
  ];
  const ultimate = (name: string, { name: text, identification: id } = { ...nobody }) =>
    party(name, version, nameNode(text), identification('', [id]));
  const nodes = [
    element(
      'RltdPties',
      ...(isCredit ? known : []),
      ultimate('UltmtDbtr', fields.ultimateDebtor),
      ...(isCredit
        ? [party('Cdtr', version, identification(isCreditor ? '' : fields.creditor, []))]
        : known),
      ultimate('UltmtCdtr', fields.ultimateCreditor),
    ),
    element('RltdAgts', bank(`${side}Agt`, bic, version)),
  ];
  return { from, namedBy: counterparty.namedBy, nodes };
}

const nobody = { name: '', identification: '' };

function hasParty(movement: Movement): boolean {
  const { name } = counterpartyOf(movement, movement.information);
  return givenTexts([name, movement.counterparty.account]).length > 0;
}

/** @param creditor the identifier of a creditor of direct debits, or `''` */
function identification(creditor: string, others: readonly string[]): XmlNode {
  const otherNodes = givenTexts(others).map((other) =>
    element('Othr', element('Id', limitedText(other, 35))),
  );
  if (creditor === '') return element('Id', element('OrgId', ...otherNodes));
  const scheme = element('SchmeNm', element('Prtry', 'SEPA'));
  const node = element('Othr', element('Id', limitedText(creditor, 35)), scheme);
  return element('Id', element('PrvtId', node, ...otherNodes));
}
