import type { FindingList } from '../../finding-list.js';
import type { Header } from '../../statement.js';
import type { CodaRecord } from './coda-record.js';
import { readDate, readDigits } from './read-field.js';

/** The positions of record 0 with a constant value. */
const constants: readonly (readonly [from: number, to: number, value: string])[] = [
  [2, 5, '0000'],
  [15, 16, '05'],
  [18, 24, '       '],
  [83, 83, ' '],
  [121, 127, '       '],
];

/**
 * Reads record 0. Another version gets that one finding, as its fields have other positions.
 *
 * @returns undefined for another version
 */
export function readHeader(record: CodaRecord, findings: FindingList): Header | undefined {
  const version = record.text(128, 128);
  if (version !== '2') {
    findings.add(version === '1' ? 'version1' : 'version', record.number, 128, version);
    return undefined;
  }
  for (const [from, to, value] of constants) {
    if (record.padded(from, to) !== value) {
      findings.add('headerConstant', record.number, from, record.text(from, to));
    }
  }
  const copy = record.padded(17, 17);
  if (copy === 'D') findings.add('duplicate', record.number, 17);
  else if (copy !== ' ') findings.add('headerConstant', record.number, 17, copy);
  readDigits(record, 12, 14, findings);
  readDigits(record, 84, 88, findings);
  const creationDate = readDate(record, 6, findings);
  if (record.digits(6, 11) === 0) findings.add('date', record.number, 6, '000000');
  return {
    creationDate: creationDate ?? '',
    bankCode: record.text(12, 14),
    duplicate: copy === 'D',
    fileReference: record.text(25, 34),
    addressee: record.text(35, 60),
    bic: record.text(61, 71),
    enterpriseNumber: readEnterpriseNumber(record, findings),
    separateApplication: record.text(84, 88),
    transactionReference: record.text(89, 104),
    relatedReference: record.text(105, 120),
  };
}

/** 0 and ten digits; zeros or blanks if the holder has none (72-82). */
function readEnterpriseNumber(record: CodaRecord, findings: FindingList): string {
  if (record.notBlank(72, 82) === 0) return '';
  return readDigits(record, 72, 82, findings) === 0 ? '' : record.text(73, 82);
}
