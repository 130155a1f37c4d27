import type { MovementCommunication } from '../coda/format/movement-layouts.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import type { Information, Movement } from '../coda/statement.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';
import { communicationTexts } from '../texts/communication-texts.js';
import { counterpartyOf, type NamedCounterparty } from '../texts/counterparty.js';
import { englishTexts } from '../texts/printed-texts-en.js';
import {
  accountIdentification,
  amountNode,
  amountNodes,
  bank,
  type CamtVersion,
  cutText,
  limitedText,
  nameNode,
  party,
} from './camt053-parts.js';
import { breakable, informationTexts, writtenText } from './communication-text.js';
import { creditorReferences } from './creditor-references.js';
import { type EntryPart, isBatch } from './entry-parts.js';

/** The code of CODA: type, family, operation and category. */
export function transactionCode({ transactionCode: code }: Movement): XmlNode {
  const { type, family, operation, category } = code;
  const text = element('Cd', `${type}${family}${operation}${category}`);
  return element('BkTxCd', element('Prtry', text, element('Issr', 'BBA')));
}

/**
 * Returns a part of an entry as a transaction (`TxDtls`).
 *
 * @param entry the movement of the entry, whose counterparty holds if no part has one
 * @param more texts of the entry that it has no room for
 */
export function camtTransaction(
  part: EntryPart,
  entry: Movement,
  more: readonly string[],
  currency: string,
  version: CamtVersion,
): XmlNode {
  const { amount } = part;
  const [movement] = part.movements;
  const said = part.isDifference ? [] : part.movements;
  const from = said.find(hasParty) ?? entry;
  const counterparty = counterpartyOf(from, from.information);
  const texts = textsOf(part, said, counterparty, more);
  return element(
    'TxDtls',
    references(movement, said),
    ...(version === '02' ? [] : amountNodes(amount, currency)),
    amountDetails(amount, said, currency, version),
    transactionCode(movement),
    ...parties(from === movement ? amount : entry.amount, said, from, counterparty, version),
    element('Purp', element('Cd', firstOf(said, purposeOf))),
    remittance(said, texts),
    returned(said),
    element('AddtlTxInf', texts.bank[0]),
  );
}

/** Returns the first text that one of the movements has. */
function firstOf(
  movements: readonly Movement[],
  textOf: (movement: Movement) => string,
): string | undefined {
  return givenTexts(movements.map(textOf))[0];
}

const purposeOf = ({ purpose, categoryPurpose }: Movement) =>
  givenText(purpose) || givenText(categoryPurpose);

/** The value of a text field that some structured communications have. */
function fieldOf(name: 'creditor' | 'mandate' | 'number') {
  return ({ communication }: Movement): string =>
    communication.kind === 'structured' && name in communication
      ? String(communication[name as keyof typeof communication])
      : '';
}

function references(movement: Movement, said: readonly Movement[]): XmlNode {
  const payments = said.filter((each) => !isBatch(each));
  const isCheque = movement.transactionCode.family === '03';
  return element(
    'Refs',
    element('AcctSvcrRef', limitedText(movement.bankReference, 35)),
    element('EndToEndId', cut35(firstOf(payments, ({ customerReference }) => customerReference))),
    element('MndtId', cut35(firstOf(said, fieldOf('mandate')))),
    element('ChqNb', isCheque ? cut35(firstOf(said, fieldOf('number'))) : undefined),
  );
}

function cut35(text = ''): string {
  return limitedText(text, 35);
}

/** The amount that was instructed, in its currency, and that in euros (type 105 and others). */
function amountDetails(
  amount: bigint,
  said: readonly Movement[],
  currency: string,
  version: CamtVersion,
): XmlNode {
  const communications = said.map(({ communication }) => communication);
  const [original] = communications.flatMap(originalAmounts);
  // A single amount that the details add up to, before charges.
  const [, gross] = said.length === 2 ? said : [];
  const isGross = gross !== undefined && gross.detail > 0 && gross.amount !== amount;
  const instructed = original ?? (isGross ? { amount: gross.amount, currency } : undefined);
  return element(
    'AmtDtls',
    element('InstdAmt', instructed && amountNode('Amt', instructed.amount, instructed.currency)),
    element('TxAmt', version === '02' ? amountNode('Amt', amount, currency) : undefined),
  );
}

function originalAmounts(communication: MovementCommunication) {
  if (!('originalAmount' in communication && 'originalCurrency' in communication)) return [];
  const { originalAmount: amount, originalCurrency: currency } = communication;
  const isGiven = amount !== undefined && amount !== 0n && /^[A-Z]{3}$/.test(currency);
  return isGiven ? [{ amount, currency }] : [];
}

function hasParty({ counterparty: { name, account }, information }: Movement): boolean {
  return givenTexts([name, account, structured(information, '001')?.name ?? '']).length > 0;
}

/**
 * The counterparty is the debtor of a credit, and the creditor of a debit.
 *
 * @param amount that of the movement that it is the counterparty of
 */
function parties(
  amount: bigint,
  said: readonly Movement[],
  from: Movement,
  counterparty: NamedCounterparty,
  version: CamtVersion,
): XmlNode[] {
  const { account, bic } = from.counterparty;
  const isCredit = amount >= 0n;
  const side = isCredit ? 'Dbtr' : 'Cdtr';
  const creditor = firstOf(said, fieldOf('creditor'));
  const lines = givenTexts([counterparty.street, counterparty.locality]);
  const address = lines.map((line) => element('AdrLine', limitedText(line, 70)));
  const counterpartyIds = [counterparty.identification];
  const known = party(
    side,
    version,
    nameNode(counterparty.name),
    element('PstlAdr', ...address),
    identification(isCredit ? undefined : creditor, counterpartyIds),
  );
  const accountNode = element(
    `${side}Acct`,
    givenText(account) === '' ? undefined : accountIdentification(account),
  );
  const all = said.flatMap(({ information }) => information);
  const ultimate = (which: 'Dbtr' | 'Cdtr', type: '008' | '009') => {
    const named = structured(all, type);
    const id = identification(undefined, [named?.identification ?? '']);
    return party(`Ultmt${which}`, version, nameNode(named?.name ?? ''), id);
  };
  const debtor = isCredit ? [known, accountNode] : [];
  const creditorNodes = isCredit
    ? [party('Cdtr', version, identification(creditor, []))]
    : [known, accountNode];
  return [
    element(
      'RltdPties',
      ...debtor,
      ultimate('Dbtr', '009'),
      ...creditorNodes,
      ultimate('Cdtr', '008'),
    ),
    element('RltdAgts', bank(`${side}Agt`, bic, version)),
  ];
}

/** @param creditor the identifier of a creditor of direct debits */
function identification(creditor: string | undefined, others: readonly string[]): XmlNode {
  const otherNodes = givenTexts(others).map((other) =>
    element('Othr', element('Id', limitedText(other, 35))),
  );
  if (creditor === undefined) return element('Id', element('OrgId', ...otherNodes));
  const scheme = element('SchmeNm', element('Prtry', 'SEPA'));
  const node = element('Othr', element('Id', limitedText(creditor, 35)), scheme);
  return element('Id', element('PrvtId', node, ...otherNodes));
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

/** The texts of a transaction. */
interface TransactionTexts {
  /** Those that the payer wrote. */
  readonly written: readonly string[];
  /** Those of the bank, in pieces of 500 characters. */
  readonly bank: readonly string[];
}

function textsOf(
  part: EntryPart,
  said: readonly Movement[],
  counterparty: NamedCounterparty,
  more: readonly string[],
): TransactionTexts {
  const communications = said.map(({ communication }) => communication);
  const difference = part.isDifference ? [englishTexts.difference] : [];
  const all = [
    ...difference,
    ...said.flatMap(bankTexts),
    ...said.flatMap(({ information }) => linesOf(information, counterparty)),
    ...more,
  ];
  return {
    written: [...new Set(givenTexts(communications.map(writtenText)))],
    bank: cutText([...new Set(all)].join(' '), 500),
  };
}

/** The fields of structured communications that have an element of their own. */
const mapped =
  /^(?:text|creditor|mandate|rTransaction|reason|settlementDate|originalAmount|originalCurrency)$/;

/** The texts of a structured communication that are neither the payer's nor an element. */
function bankTexts({ communication, amount }: Movement): string[] {
  if (communication.kind !== 'structured' || /^10[012]$/.test(communication.type)) return [];
  const fields = Object.entries(communication).filter(([name]) => !mapped.test(name));
  const rest = Object.fromEntries(fields) as unknown as MovementCommunication;
  const { own, labelled } = communicationTexts(rest, englishTexts, amount < 0n ? -amount : amount);
  return [...own, ...labelled].map(breakable);
}

/** The lines of pieces of information without the parties that have elements. */
function linesOf(information: readonly Information[], { namedBy }: NamedCounterparty): string[] {
  const named = [structured(information, '008'), structured(information, '009')];
  const parties: readonly unknown[] = [namedBy?.communication, ...named];
  const rest = information.filter(({ communication }) => !parties.includes(communication));
  return informationTexts({ information: rest });
}

/** The references of the creditor as such, the payer's text, and what `AddtlTxInf` cannot hold. */
function remittance(said: readonly Movement[], { written, bank: texts }: TransactionTexts) {
  const communications = said.map(({ communication }) => communication);
  const found = creditorReferences(communications, [
    ...written,
    ...said.flatMap((each) => informationTexts(each)),
  ]);
  const pieces = cutText(texts.slice(1).join(' '), 140);
  const triples = pieces.flatMap((_, index) =>
    index % 3 === 0 ? [pieces.slice(index, index + 3)] : [],
  );
  return element(
    'RmtInf',
    ...written.flatMap((text) => cutText(text, 140)).map((text) => element('Ustrd', text)),
    ...found.map(({ issuer, reference }) =>
      element(
        'Strd',
        element(
          'CdtrRefInf',
          element('Tp', element('CdOrPrtry', element('Cd', 'SCOR')), element('Issr', issuer)),
          element('Ref', cut35(reference)),
        ),
      ),
    ),
    ...triples.map((texts) =>
      element('Strd', ...texts.map((text) => element('AddtlRmtInf', text))),
    ),
  );
}

/** Why a transaction came back: record 2.2 (113-117), or a communication of type 127. */
function returned(said: readonly Movement[]): XmlNode {
  const [found] = said.flatMap(({ rTransaction, reason, communication }) => {
    if (rTransaction !== 0) return [{ kind: rTransaction, reason }];
    const isDebit = communication.kind === 'structured' && communication.type === '127';
    const kind = isDebit ? Number(communication.rTransaction) : 0;
    return isDebit && kind > 0 ? [{ kind, reason: communication.reason }] : [];
  });
  const code = found && givenText(found.reason);
  return element(
    'RtrInf',
    element('Rsn', element('Cd', code)),
    element('AddtlInf', found && englishTexts.rTransactions[found.kind]),
  );
}
