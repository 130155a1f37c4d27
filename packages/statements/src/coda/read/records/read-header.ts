import type { FindingList } from '../../finding-list.js';
import type { Header } from '../../statement.js';
import type { CodaRecord } from './coda-record.js';
import { readDate, readDigits } from './read-field.js';

/** The positions of record 0 with a constant value. */
const constants = [
  { from: 2, to: 5, value: '0000' },
  { from: 15, to: 16, value: '05' },
  { from: 18, to: 24, value: '' },
  { from: 83, to: 83, value: '' },
  { from: 121, to: 127, value: '' },
] as const;

/**
 * Reads record 0. Another version gets that one finding, as its fields have other positions.
 *
 * @returns undefined for another version
 */
export function readHeader(record: CodaRecord, findings: FindingList): Header | undefined {
  const version = record.text(128, 128);
  if (version !== '2') {
    findings.add(version === '1' ? 'version1' : 'version', record.number, 128, version, '2');
    return undefined;
  }
  for (const { from, to, value } of constants) {
    const found = record.text(from, to);
    if (found !== value) findings.add('headerConstant', record.number, from, found, value);
  }
  const copy = record.text(17, 17);
  if (copy === 'D') findings.add('duplicate', record.number, 17);
  else if (copy !== '') findings.add('headerConstant', record.number, 17, copy, '');
  const creationDate = readDate(record, 6, findings);
  if (record.digits(6, 11) === 0) findings.add('date', record.number, 6, '000000');
  return {
    creationDate: creationDate ?? '',
    bankCode: readPadded(record, 12, 14, findings),
    duplicate: copy === 'D',
    fileReference: record.text(25, 34),
    addressee: record.text(35, 60),
    bic: record.text(61, 71),
    enterpriseNumber: readEnterpriseNumber(record, findings),
    separateApplication: readPadded(record, 84, 88, findings),
    transactionReference: record.text(89, 104),
    relatedReference: record.text(105, 120),
  };
}

/** 0 and ten digits; zeros or blanks if the holder has none (72-82). */
function readEnterpriseNumber(record: CodaRecord, findings: FindingList): string {
  if (record.notBlank(72, 82) === 0) return '';
  const digits = readPadded(record, 72, 82, findings);
  return /^0*[1-9]\d*$/.test(digits) ? digits.slice(1) : '';
}

/** Reads digits that some banks leave out, in part or as a whole: blanks count as leading zeros. */
function readPadded(record: CodaRecord, from: number, to: number, findings: FindingList): string {
  if (record.digits(from, to) !== -1) return record.text(from, to);
  const digits = record.text(from, to).replaceAll(' ', '');
  const isWritten = /^\d*$/.test(digits);
  if (isWritten) findings.add('headerFieldBlank', record.number, from, record.text(from, to));
  else readDigits(record, from, to, findings);
  return isWritten ? digits.padStart(to - from + 1, '0') : record.text(from, to);
}
