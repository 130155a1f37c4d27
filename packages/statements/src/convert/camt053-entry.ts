import type { MovementCommunication } from '../coda/format/movement-layouts.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import { transactionName } from '../coda/names/transaction-name.js';
import type { Information, Movement } from '../coda/statement.js';
import type { XmlNode } from '../codb/xml/write-xml.js';
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
  return [
    'Ntry',
    [
      ['NtryRef', String(movement.sequence).padStart(4, '0')],
      ...amountNodes(movement.amount, currency),
      ['Sts', [['Cd', 'BOOK']]],
      date('BookgDt', movement.entryDate),
      date('ValDt', movement.valueDate),
      ['AcctSvcrRef', limitedText(movement.bankReference, 35)],
      transactionCode(movement),
      [
        'NtryDtls',
        [
          ['Btch', isBatch ? [['NbOfTxs', `${transactions.length}`]] : undefined],
          ...transactions.map((each) => transaction(each, movement, currency)),
        ],
      ],
      ['AddtlNtryInf', limitedText(transactionName(movement.transactionCode, 'en'), 500)],
    ],
  ];
}

/** The details that have no details themselves; the movement if it has none. */
function leavesOf(movement: Movement): Movement[] {
  return movement.details.length === 0 ? [movement] : movement.details.flatMap(leavesOf);
}

/** The code of CODA: type, family, operation and category. */
function transactionCode({ transactionCode: code }: Movement): XmlNode {
  const { type, family, operation, category } = code;
  return [
    'BkTxCd',
    [
      [
        'Prtry',
        [
          ['Cd', `${type}${family}${operation}${category}`],
          ['Issr', 'BBA'],
        ],
      ],
    ],
  ];
}

/** @param entry the movement that the transaction is a detail of, whose counterparty holds if it has none */
function transaction(movement: Movement, entry: Movement, currency: string): XmlNode {
  const { communication, customerReference, rTransaction } = movement;
  const { type } = { type: '', ...communication };
  const mandate = 'mandate' in communication ? communication.mandate : '';
  const reason = givenText(movement.reason);
  const purpose = givenText(movement.purpose);
  return [
    'TxDtls',
    [
      [
        'Refs',
        [
          ['AcctSvcrRef', limitedText(movement.bankReference, 35)],
          ['EndToEndId', limitedText(customerReference, 35)],
          ['MndtId', limitedText(givenText(mandate), 35)],
        ],
      ],
      ...amountNodes(movement.amount, currency),
      ['AmtDtls', originalAmount(communication)],
      transactionCode(movement),
      ...parties(movement, hasParty(movement) ? movement : entry),
      ['Purp', purpose === '' ? undefined : [['Cd', purpose]]],
      ['RmtInf', remittance(communication, type)],
      ['RtrInf', rTransaction === 0 || reason === '' ? undefined : [['Rsn', [['Cd', reason]]]]],
      [
        'AddtlTxInf',
        limitedText(informationText(movement.information, ['001', '008', '009']), 500),
      ],
    ],
  ];
}

function hasParty({ counterparty: { name, account } }: Movement): boolean {
  return givenText(name) !== '' || givenText(account) !== '';
}

function originalAmount(communication: MovementCommunication): XmlNode[] | undefined {
  if (!('originalAmount' in communication) || !('originalCurrency' in communication))
    return undefined;
  const { originalAmount: amount, originalCurrency: currency } = communication;
  if (amount === undefined || amount === 0n || !/^[A-Z]{3}$/.test(currency)) return undefined;
  return [['InstdAmt', [amountNode('Amt', amount, currency)]]];
}

/** The counterparty is the debtor of a credit, and the creditor of a debit. */
function parties({ amount, information }: Movement, from: Movement): XmlNode[] {
  const { name, account, bic } = from.counterparty;
  const isCredit = amount >= 0n;
  const side = isCredit ? 'Dbtr' : 'Cdtr';
  const named = structured(from.information, '001');
  const fullName = named?.name?.toLowerCase().startsWith(name.toLowerCase()) ? named.name : name;
  const party: XmlNode[] = [
    [
      side,
      [
        [
          'Pty',
          [
            ['Nm', limitedText(givenText(fullName), 140)],
            [
              'PstlAdr',
              fullName === '' || fullName !== named?.name
                ? undefined
                : givenTexts([named.street, named.locality]).map((line) => [
                    'AdrLine',
                    limitedText(line, 70),
                  ]),
            ],
          ],
        ],
      ],
    ],
    [`${side}Acct`, givenText(account) === '' ? undefined : [accountIdentification(account)]],
  ];
  const ultimate = (which: 'Dbtr' | 'Cdtr', type: '008' | '009'): XmlNode => [
    `Ultmt${which}`,
    [['Pty', [['Nm', limitedText(givenText(structured(information, type)?.name ?? ''), 140)]]]],
  ];
  const debtor = isCredit ? party : [];
  const creditor = isCredit ? [] : party;
  return [
    ['RltdPties', [...debtor, ultimate('Dbtr', '009'), ...creditor, ultimate('Cdtr', '008')]],
    ['RltdAgts', [bank(`${side}Agt`, bic)]],
  ];
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

/** The communication: a creditor's reference as such, any other text in pieces of 140 characters. */
function remittance(communication: MovementCommunication, type: string): XmlNode[] {
  if (
    communication.kind === 'structured' &&
    'reference' in communication &&
    /^10[012]$/.test(type)
  ) {
    const issuer = type === '100' ? 'ISO' : 'BBA';
    const kind: XmlNode = [
      'Tp',
      [
        ['CdOrPrtry', [['Cd', 'SCOR']]],
        ['Issr', issuer],
      ],
    ];
    const reference = givenText(communication.reference);
    if (reference === '') return [];
    return [['Strd', [['CdtrRefInf', [kind, ['Ref', limitedText(reference, 35)]]]]]];
  }
  const text = communicationText(communication);
  const pieces = limitedText(text, 1_000).match(/.{1,140}/gu) ?? [];
  return pieces.map((piece) => ['Ustrd', piece.trim()]);
}
