import { formatFixedPoint } from '../amount.js';
import { givenText } from '../coda/given-text.js';
import { type Balance, type Movement, type Statement, statementDate } from '../coda/statement.js';
import { camtEntry } from './camt053-entry.js';
import { accountIdentification, amountNodes, bank, date } from './camt053-parts.js';
import { limitedText, writeXml, type XmlNode } from './xml-element.js';

const namespace = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

/**
 * Writes statements as an ISO 20022 message "Bank to Customer Statement", camt.053.001.08. A total is one
 * entry, and its details are its transactions. Transaction codes stay those of CODA, as a proprietary code of
 * the issuer `BBA`. The identification of a statement ends with the extension of its account. Texts that the message does not have room for are cut: information on a movement
 * after 500 characters (D-46).
 *
 * @throws RangeError if there is no statement
 * @example await writeFile('statement.xml', writeCamt053([statement]));
 */
export function writeCamt053(statements: readonly Statement[]): string {
  const [first] = statements;
  if (first === undefined) throw new RangeError('A message has at least one statement');
  const { creationDate } = first.header;
  const message: XmlNode = [
    'BkToCstmrStmt',
    [
      [
        'GrpHdr',
        [
          [
            'MsgId',
            limitedText(`${first.account.number} ${creationDate}`.replaceAll(' ', '-'), 35),
          ],
          ['CreDtTm', midnight(creationDate)],
        ],
      ],
      ...statements.map(camtStatement),
    ],
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeXml(['Document', [message], { xmlns: namespace }])}`;
}

function camtStatement(statement: Statement): XmlNode {
  const { header, account, year, statementNumber, paperNumber, movements } = statement;
  // XXX of ISO 4217 means that there is no currency.
  const currency = /^[A-Z]{3}$/.test(account.currency) ? account.currency : 'XXX';
  const number = String(statementNumber).padStart(3, '0');
  const id = [year, number, statementDate(statement), account.extension].join('-');
  return [
    'Stmt',
    [
      ['Id', limitedText(id.replace(/-$/, ''), 35)],
      ['ElctrncSeqNb', statementNumber === 0 ? undefined : `${statementNumber}`],
      ['LglSeqNb', paperNumber === 0 ? undefined : `${paperNumber}`],
      ['CreDtTm', midnight(header.creationDate)],
      ['CpyDplctInd', header.duplicate ? 'DUPL' : undefined],
      camtAccount(statement, currency),
      ...balances(statement, currency),
      [
        'TxsSummry',
        [
          total('TtlCdtNtries', movements, (amount) => amount >= 0n),
          total('TtlDbtNtries', movements, (amount) => amount < 0n),
        ],
      ],
      ...movements.map((movement) => camtEntry(movement, currency)),
      [
        'AddtlStmtInf',
        limitedText(statement.freeCommunications.flatMap(({ lines }) => lines).join(' '), 500),
      ],
    ],
  ];
}

function camtAccount({ account, header }: Statement, currency: string): XmlNode {
  const holder = account.holder || header.addressee;
  const enterpriseNumber = givenText(header.enterpriseNumber);
  const identification: XmlNode = [
    'Id',
    [
      [
        'OrgId',
        [
          [
            'Othr',
            enterpriseNumber === ''
              ? []
              : [
                  ['Id', enterpriseNumber],
                  ['Issr', 'KBO-BCE'],
                ],
          ],
        ],
      ],
    ],
  ];
  return [
    'Acct',
    [
      accountIdentification(account.iban ?? account.number),
      ['Ccy', currency],
      ['Nm', limitedText(account.description, 70)],
      ['Ownr', [['Nm', limitedText(holder, 140)], identification]],
      bank('Svcr', header.bic),
    ],
  ];
}

/** The balances. Those of a separate application are zero, so they have a type of their own. */
function balances({ header, oldBalance, newBalance }: Statement, currency: string): XmlNode[] {
  const isSubset = header.separateApplication !== '00000';
  const type = (code: string): XmlNode => [
    'Tp',
    [['CdOrPrtry', [isSubset ? ['Prtry', 'SEPARATE APPLICATION'] : ['Cd', code]]]],
  ];
  const balance = (code: string, { amount, date: day }: Balance): XmlNode => [
    'Bal',
    [type(code), ...amountNodes(amount, currency), date('Dt', day ?? header.creationDate)],
  ];
  return [balance('OPBD', oldBalance), balance('CLBD', newBalance ?? oldBalance)];
}

function total(
  name: string,
  movements: readonly Movement[],
  belongs: (amount: bigint) => boolean,
): XmlNode {
  const amounts = movements.map(({ amount }) => amount).filter(belongs);
  const sum = amounts.reduce((all, amount) => all + amount, 0n);
  return [
    name,
    [
      ['NbOfNtries', `${amounts.length}`],
      ['Sum', formatFixedPoint(sum < 0n ? -sum : sum, 3)],
    ],
  ];
}

function midnight(day: string): string {
  return `${day}T00:00:00`;
}
