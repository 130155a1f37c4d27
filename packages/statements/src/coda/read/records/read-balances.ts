import type { FindingList } from '../../finding-list.js';
import type { Account, Balance, NewBalance } from '../../statement.js';
import {
  type AccountZone,
  checkAccount,
  readAccountStructure,
  readAccountZone,
} from './account-zone.js';
import type { CodaRecord } from './coda-record.js';
import { checkReserved, readAmount, readDate, readDigits } from './read-field.js';

/** Record 1. */
export interface OldBalanceRecord {
  readonly account: Account;
  readonly statementNumber: number;
  readonly paperNumber: number;
  readonly balance: Balance;
}

/** Reads record 1. Only in a separate application may the balance have no date. */
export function readOldBalance(
  record: CodaRecord,
  separateApplication: boolean,
  findings: FindingList,
): OldBalanceRecord {
  const structure = readAccountStructure(record, findings);
  const zone = readAccountZone(record, 6, structure ?? 1);
  if (structure !== undefined) checkAccount(zone, structure, record, findings);
  if (decimalsOfCurrency(zone.currency) > 2) findings.leaveOut('thirdDecimal');
  const date = readDate(record, 59, findings);
  if (record.digits(59, 64) === 0 && !separateApplication) {
    findings.add('date', record.number, 59, '000000');
  }
  const { number, iban, currency, extension, qualifier, country } = zone;
  return {
    account: {
      structure: structure ?? 1,
      number,
      iban,
      currency,
      extension,
      qualifier,
      country,
      holder: record.text(65, 90),
      description: record.text(91, 125),
    },
    paperNumber: readDigits(record, 3, 5, findings),
    statementNumber: readDigits(record, 126, 128, findings),
    balance: { amount: readAmount(record, 43, findings), date },
  };
}

/** The decimals of the currencies so far. */
const knownDecimals = new Map<string, number>();

/** Returns the number of decimals of a currency (ISO 4217), 2 for a text that is none. */
function decimalsOfCurrency(currency: string): number {
  const known = knownDecimals.get(currency);
  if (known !== undefined) return known;
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  knownDecimals.set(currency, decimals);
  return decimals;
}

/** Reads record 8, whose account must be that of record 1. */
export function readNewBalance(
  record: CodaRecord,
  account: Account | undefined,
  findings: FindingList,
): NewBalance {
  if (account !== undefined) {
    compareAccounts(readAccountZone(record, 5, account.structure), account, record, findings);
  }
  checkReserved(record, 64, 127, findings);
  const date = readDate(record, 58, findings);
  if (record.digits(58, 63) === 0) findings.add('newBalanceDateZero', record.number, 58);
  return {
    paperNumber: readDigits(record, 2, 4, findings),
    amount: readAmount(record, 42, findings),
    date,
  };
}

function compareAccounts(
  zone: AccountZone,
  account: Account,
  record: CodaRecord,
  findings: FindingList,
): void {
  if (zone.number !== account.number) {
    findings.add('accountMismatch', record.number, 5, zone.number, account.number);
  }
  if (zone.currency !== account.currency) {
    const position = account.structure === 0 ? 18 : 39;
    findings.add('currencyMismatch', record.number, position, zone.currency, account.currency);
  }
  // Accounts that share a number differ in their extension; a missing one is no contradiction.
  const hasExtensions = zone.extension !== '' && account.extension !== '';
  if (hasExtensions && zone.extension !== account.extension) {
    const position = account.structure === 0 ? 27 : 36;
    findings.add('accountMismatch', record.number, position, zone.extension, account.extension);
  }
}
