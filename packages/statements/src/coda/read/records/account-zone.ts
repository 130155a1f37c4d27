import type { FindingList } from '../../finding-list.js';
import { ibanOf, ibanOfBban, isValidBban, isWrongIban } from '../../format/check-digits.js';
import type { AccountStructure } from '../../statement.js';
import type { CodaRecord } from './coda-record.js';

/** The length of a Belgian IBAN, for which structure 2 has 31 positions. */
const BELGIAN_IBAN = 16;

/** The 37 positions of the account in records 1 and 8. */
export interface AccountZone {
  readonly number: string;
  readonly iban: string | undefined;
  readonly currency: string;
  readonly extension: string;
  readonly qualifier: string;
  readonly country: string;
  readonly hasSpaces: boolean;
  /** The number is an IBAN with the right length and check digits. */
  readonly isIban: boolean;
}

/** Reads the account zone that starts at a position: 6 in record 1, 5 in record 8. */
export function readAccountZone(
  record: CodaRecord,
  start: number,
  structure: AccountStructure,
): AccountZone {
  const before = start - 1;
  if (structure === 0) {
    const number = record.text(start, before + 12);
    return {
      number,
      iban: isValidBban(number) ? ibanOfBban(number) : undefined,
      currency: record.text(before + 14, before + 16),
      qualifier: record.text(before + 17, before + 17),
      country: record.text(before + 18, before + 19),
      extension: record.text(before + 23, before + 37),
      hasSpaces: false,
      isIban: false,
    };
  }
  const written = record.text(start, before + (structure === 2 ? 31 : 34));
  const hasSpaces = written.includes(' ');
  const compact = hasSpaces ? written.replaceAll(' ', '') : written;
  const first = structure === 2 ? compact.slice(0, BELGIAN_IBAN) : compact;
  // Some banks write an IBAN in lower case, or as another foreign number.
  const iban = ibanOf(first);
  const number = iban ?? first;
  return {
    number,
    iban: structure === 1 ? iban : number,
    currency: record.text(before + 35, before + 37),
    qualifier: '',
    country: '',
    extension: structure === 2 ? record.text(before + 32, before + 34) : '',
    hasSpaces,
    isIban: iban !== undefined,
  };
}

/**
 * Reads the account structure (record 1, position 2). If it is blank, it is derived from the
 * account: an IBAN starts with its country, a Belgian account number has 12 digits and then a
 * blank.
 */
export function readAccountStructure(
  record: CodaRecord,
  findings: FindingList,
): AccountStructure | undefined {
  const structure = accountStructureOf(record);
  if (structure === undefined) {
    findings.add('accountStructure', record.number, 2, record.text(2, 2));
  } else if (record.notBlank(2, 2) === 0) {
    findings.add('accountStructureBlank', record.number, 2);
  }
  return structure;
}

/** Returns the account structure of a record 1; undefined if it is none. */
export function accountStructureOf(record: CodaRecord): AccountStructure | undefined {
  const digit = record.digits(2, 2);
  if (digit === 0 || digit === 1 || digit === 2 || digit === 3) return digit;
  if (record.notBlank(2, 2) !== 0) return undefined;
  if (/^BE\d{14} /i.test(record.padded(6, 22))) return 2;
  if (/^\d{12} /.test(record.padded(6, 18))) return 0;
  return ibanOf(record.text(6, 39).replaceAll(' ', '')) === undefined ? 1 : 3;
}

/** Checks the account of record 1, positions 6 to 42. */
export function checkAccount(
  zone: AccountZone,
  structure: AccountStructure,
  record: CodaRecord,
  findings: FindingList,
): void {
  if (zone.hasSpaces) findings.add('spacesInAccount', record.number, 6);
  if (structure === 1 && zone.iban !== undefined) {
    findings.add('ibanAsOtherNumber', record.number, 2, zone.iban);
  }
  if (structure === 1 && isWrongIban(zone.number)) {
    findings.add('counterpartyIban', record.number, 6, zone.number);
  }
  if (structure === 0 && !isValidBban(zone.number)) {
    findings.add('bbanCheckDigits', record.number, 6, zone.number);
  }
  const mustBeBelgian = structure === 2 && !zone.number.startsWith('BE');
  if (structure >= 2 && (mustBeBelgian || !zone.isIban)) {
    // The account of another country may be longer, so the whole field is shown.
    const found = structure === 2 ? record.text(6, 36) : zone.number;
    findings.add('ibanCheckDigits', record.number, 6, found);
  }
}
