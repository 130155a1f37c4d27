import type { MovementCommunication } from '../coda/format/movement-layouts.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import { transactionName } from '../coda/names/transaction-name.js';
import type { Information, Movement } from '../coda/statement.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';
import {
  accountIdentification,
  amountNode,
  amountNodes,
  bank,
  date,
  limitedText,
} from './camt053-parts.js';
import { communicationText, informationText } from './communication-text.js';

/** Returns the entry (`Ntry`) of a movement, with its details as transactions. */
export function camtEntry(movement: Movement, currency: string): XmlNode {
  const transactions = leavesOf(movement);
  const isBatch = movement.transactionCode.type === 1 || movement.transactionCode.type === 2;
  const count = element('NbOfTxs', isBatch ? `${transactions.length}` : undefined);
  return element(
    'Ntry',
    element('NtryRef', String(movement.sequence).padStart(4, '0')),
    ...amountNodes(movement.amount, currency),
    element('Sts', element('Cd', 'BOOK')),
    date('BookgDt', movement.entryDate),
    date('ValDt', movement.valueDate),
    element('AcctSvcrRef', limitedText(movement.bankReference, 35)),
    transactionCode(movement),
    element(
      'NtryDtls',
      element('Btch', count),
      ...transactions.map((each) => transaction(each, movement, currency)),
    ),
    element('AddtlNtryInf', limitedText(transactionName(movement.transactionCode, 'en'), 500)),
  );
}

/** The details that have no details themselves; the movement if it has none. */
function leavesOf(movement: Movement): Movement[] {
  return movement.details.length === 0 ? [movement] : movement.details.flatMap(leavesOf);
}

/** The code of CODA: type, family, operation and category. */
function transactionCode({ transactionCode: code }: Movement): XmlNode {
  const { type, family, operation, category } = code;
  const text = element('Cd', `${type}${family}${operation}${category}`);
  return element('BkTxCd', element('Prtry', text, element('Issr', 'BBA')));
}

/**
 * @param entry the movement that the transaction is a detail of, whose counterparty holds if it has
 *   none
 */
function transaction(movement: Movement, entry: Movement, currency: string): XmlNode {
  const { communication, customerReference, rTransaction } = movement;
  const mandate = 'mandate' in communication ? communication.mandate : '';
  const reason = rTransaction === 0 ? undefined : givenText(movement.reason);
  const information = informationText(movement.information, ['001', '008', '009']);
  return element(
    'TxDtls',
    element(
      'Refs',
      element('AcctSvcrRef', limitedText(movement.bankReference, 35)),
      element('EndToEndId', limitedText(customerReference, 35)),
      element('MndtId', limitedText(givenText(mandate), 35)),
    ),
    ...amountNodes(movement.amount, currency),
    element('AmtDtls', originalAmount(communication)),
    transactionCode(movement),
    ...parties(movement, hasParty(movement) ? movement : entry),
    element('Purp', element('Cd', givenText(movement.purpose))),
    element('RmtInf', ...remittance(communication)),
    element('RtrInf', element('Rsn', element('Cd', reason))),
    element('AddtlTxInf', limitedText(information, 500)),
  );
}

function hasParty({ counterparty: { name, account }, information }: Movement): boolean {
  const named = structured(information, '001');
  return givenTexts([name, account, named?.name ?? '']).length > 0;
}

function originalAmount(communication: MovementCommunication): XmlNode | undefined {
  if (!('originalAmount' in communication && 'originalCurrency' in communication)) return undefined;
  const { originalAmount: amount, originalCurrency: currency } = communication;
  if (amount === undefined || amount === 0n || !/^[A-Z]{3}$/.test(currency)) return undefined;
  return element('InstdAmt', amountNode('Amt', amount, currency));
}

/** The counterparty is the debtor of a credit, and the creditor of a debit. */
function parties({ amount, information }: Movement, from: Movement): XmlNode[] {
  const { account, bic } = from.counterparty;
  const name = givenText(from.counterparty.name);
  const isCredit = amount >= 0n;
  const side = isCredit ? 'Dbtr' : 'Cdtr';
  const named = structured(from.information, '001');
  const fullName = named?.name?.toLowerCase().startsWith(name.toLowerCase()) ? named.name : name;
  const isNamed = fullName !== '' && fullName === named?.name;
  const lines = isNamed ? givenTexts([named.street, named.locality]) : [];
  const address = lines.map((line) => element('AdrLine', limitedText(line, 70)));
  const party = [
    element(side, element('Pty', nameNode(fullName), element('PstlAdr', ...address))),
    element(`${side}Acct`, givenText(account) === '' ? undefined : accountIdentification(account)),
  ];
  const ultimate = (which: 'Dbtr' | 'Cdtr', type: '008' | '009') =>
    element(`Ultmt${which}`, element('Pty', nameNode(structured(information, type)?.name ?? '')));
  const debtor = isCredit ? party : [];
  const creditor = isCredit ? [] : party;
  return [
    element(
      'RltdPties',
      ...[...debtor, ultimate('Dbtr', '009'), ...creditor, ultimate('Cdtr', '008')],
    ),
    element('RltdAgts', bank(`${side}Agt`, bic)),
  ];
}

function nameNode(name: string): XmlNode {
  return element('Nm', limitedText(givenText(name), 140));
}

type Named = Extract<Information['communication'], { readonly name: string }>;

function structured<Type extends Named['type']>(
  information: readonly Information[],
  type: Type,
): Extract<Named, { type: Type }> | undefined {
  for (const { communication } of information) {
    if (communication.kind === 'structured' && communication.type === type) {
      return communication as Extract<Named, { type: Type }>;
    }
  }
  return undefined;
}

/**
 * The communication: a creditor's reference as such, any other text in pieces of 140 characters.
 */
function remittance(communication: MovementCommunication): XmlNode[] {
  if (
    communication.kind === 'structured' &&
    'reference' in communication &&
    /^10[012]$/.test(communication.type)
  ) {
    const reference = limitedText(givenText(communication.reference), 35);
    const issuer = element('Issr', communication.type === '100' ? 'ISO' : 'BBA');
    const kind = element('Tp', element('CdOrPrtry', element('Cd', 'SCOR')), issuer);
    const creditorReference = element('CdtrRefInf', kind, element('Ref', reference));
    return [
      ...unstructured(communication.remainder ?? ''),
      ...(reference === '' ? [] : [element('Strd', creditorReference)]),
    ];
  }
  return unstructured(communicationText(communication));
}

function unstructured(text: string): XmlNode[] {
  const pieces = limitedText(text, 1_000).match(/.{1,140}/gu) ?? [];
  return pieces.map((piece) => element('Ustrd', piece.trim()));
}
