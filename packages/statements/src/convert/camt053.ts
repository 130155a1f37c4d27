import { createHash, randomUUID } from 'node:crypto';
import { formatFixedPoint } from '../amount.js';
import { givenText } from '../coda/given-text.js';
import { joinMessage } from '../coda/read/join-information.js';
import {
  type Balance,
  contentDate,
  copyKey,
  type Movement,
  type Statement,
  statementDate,
} from '../coda/statement.js';
import { element, writeXml, type XmlNode } from '../codb/xml/write-xml.js';
import { toJsonValue } from '../json-value.js';
import { camtEntry } from './camt053-entry.js';
import {
  accountIdentification,
  amountNodes,
  bank,
  type CamtVersion,
  date,
  limitedText,
} from './camt053-parts.js';

export interface WriteCamt053Options {
  /** At most 35 characters; each message needs another one. By default a random one. */
  readonly messageId?: string;
  /** The version of the message, by default `08`; some programs read only `02` or `04`. */
  readonly version?: CamtVersion;
}

/**
 * Writes statements as an ISO 20022 message "Bank to Customer Statement", camt.053.001, in version
 * 08, 04 or 02. A movement is an entry, and its details are its transactions, which add up to it.
 * Transaction codes stay those of CODA, as a proprietary code of the issuer `BBA`. No text of a
 * payer is cut (D-70); messages of the bank on the whole statement end after 500 characters.
 *
 * @throws RangeError if there is no statement
 * @example await writeFile('statement.xml', writeCamt053([statement], { version: '02' }));
 */
export function writeCamt053(
  statements: readonly Statement[],
  { messageId, version = '08' }: WriteCamt053Options = {},
): string {
  const [first] = statements;
  if (first === undefined) throw new RangeError('A message has at least one statement');
  const all = statements.map((statement) => camtStatement(statement, version));
  return camtStart(first, version, messageId) + all.join('') + camtEnd;
}

/** Returns the beginning of a message, up to its first statement. */
export function camtStart(
  { header }: Statement,
  version: CamtVersion,
  messageId = randomUUID().replaceAll('-', ''),
): string {
  const groupHeader = element(
    'GrpHdr',
    element('MsgId', messageId),
    element('CreDtTm', midnight(header.creationDate)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">
  <BkToCstmrStmt>
${writeXml(groupHeader, '    ')}`;
}

export const camtEnd = '  </BkToCstmrStmt>\n</Document>\n';

/** Returns a statement of a message. */
export function camtStatement(statement: Statement, version: CamtVersion): string {
  return writeXml(statementNode(statement, version), '    ');
}

function statementNode(statement: Statement, version: CamtVersion): XmlNode {
  const { header, account, statementNumber, paperNumber, movements } = statement;
  // XXX of ISO 4217 means that there is no currency.
  const currency = /^[A-Z]{3}$/.test(account.currency) ? account.currency : 'XXX';
  // An account has no extension here, so the numbers of sub-accounts and of selections would seem
  // to repeat.
  const isNumbered = account.extension === '' && !isSelection(statement);
  const numberNode = (name: string, number: number) =>
    element(name, isNumbered && number > 0 ? `${number}` : undefined);
  const place = { currency, version, statementDate: statementDate(statement) };
  const messages = statement.freeCommunications.map(joinMessage).join(' ');
  return element(
    'Stmt',
    element('Id', statementId(statement)),
    numberNode('ElctrncSeqNb', statementNumber),
    numberNode('LglSeqNb', paperNumber),
    element('CreDtTm', midnight(header.creationDate)),
    element('CpyDplctInd', header.duplicate ? 'DUPL' : undefined),
    camtAccount(statement, currency, version),
    ...balances(statement, currency),
    element(
      'TxsSummry',
      total('TtlNtries', movements, () => true),
      total('TtlCdtNtries', movements, (amount) => amount >= 0n),
      total('TtlDbtNtries', movements, (amount) => amount < 0n),
    ),
    ...movements.map((movement, index) => camtEntry(movement, { ...place, number: index + 1 })),
    element('AddtlStmtInf', limitedText(messages, 500)),
  );
}

/**
 * Returns the number and date of a statement, and a digest of its content, in 35 characters. It is
 * the same however the statement was delivered.
 */
function statementId(statement: Statement): string {
  const { statementNumber, movements, freeCommunications } = statement;
  const content = JSON.stringify([movements, freeCommunications].map(toJsonValue));
  const digest = createHash('sha256')
    .update(`${copyKey(statement)} ${content}`)
    .digest('hex');
  const date = contentDate(statement) || '0000-00-00';
  const number = String(statementNumber).padStart(3, '0');
  return `${date.slice(0, 4)}-${number}-${date}-${digest}`.slice(0, 35);
}

/** Returns true if these are not all transactions of the account. */
function isSelection({ header }: Statement): boolean {
  return header.separateApplication !== '00000';
}

function camtAccount(
  { account, header }: Statement,
  currency: string,
  version: CamtVersion,
): XmlNode {
  const holder = account.holder || header.addressee;
  const enterpriseNumber = givenText(header.enterpriseNumber);
  const issuer = enterpriseNumber === '' ? undefined : 'KBO-BCE';
  const other = element('Othr', element('Id', enterpriseNumber), element('Issr', issuer));
  const name = element('Nm', limitedText(holder, 140));
  return element(
    'Acct',
    accountIdentification(account.iban ?? account.number),
    element('Ccy', currency),
    element('Nm', limitedText(account.description, 70)),
    element('Ownr', name, element('Id', element('OrgId', other))),
    bank('Svcr', header.bic, version),
  );
}

/**
 * Returns the balances. Those of a separate application are zero, so they have a type of their own.
 */
function balances(statement: Statement, currency: string): XmlNode[] {
  const { header, oldBalance, newBalance } = statement;
  const type = (code: string) =>
    isSelection(statement) ? element('Prtry', 'SEPARATE APPLICATION') : element('Cd', code);
  const balance = (code: string, { amount, date: day }: Balance) =>
    element(
      'Bal',
      element('Tp', element('CdOrPrtry', type(code))),
      ...amountNodes(amount, currency),
      date('Dt', day ?? header.creationDate),
    );
  return [balance('OPBD', oldBalance), balance('CLBD', newBalance ?? oldBalance)];
}

function total(
  name: string,
  movements: readonly Movement[],
  belongs: (amount: bigint) => boolean,
): XmlNode {
  const amounts = movements.map(({ amount }) => amount).filter(belongs);
  const sum = amounts.reduce((all, amount) => all + (amount < 0n ? -amount : amount), 0n);
  const text = formatFixedPoint(sum, 3);
  return element(name, element('NbOfNtries', `${amounts.length}`), element('Sum', text));
}

function midnight(day: string): string {
  return `${day}T00:00:00`;
}
