import type { FindingList } from '../../finding-list.js';
import type { Trailer } from '../../statement.js';
import type { CodaRecord } from './coda-record.js';
import { checkReserved, readDigits } from './read-field.js';

const END_OF_TOTALS = 52;
const CODE = 128;
const TRAILER = 0x39;

/** True for a trailer whose trailing blanks were removed, or that is truncated after its totals. */
export function isCutTrailer(record: CodaRecord): boolean {
  return record.byteAt(1) === TRAILER && record.length >= END_OF_TOTALS && record.length < CODE;
}

/**
 * Reads record 9, which some banks truncate after its totals.
 *
 * @param followed true if another statement follows in the file
 */
export function readTrailer(record: CodaRecord, followed: boolean, findings: FindingList): Trailer {
  checkReserved(record, 2, 16, findings);
  checkReserved(record, 53, 127, findings);
  return {
    recordCount: readDigits(record, 17, 22, findings),
    debitTotal: BigInt(readDigits(record, 23, 37, findings)),
    creditTotal: BigInt(readDigits(record, 38, 52, findings)),
    anotherFollows: readMultipleFileCode(record, followed, findings),
  };
}

/** 1: another statement follows; 2: this one is the last (128). */
function readMultipleFileCode(
  record: CodaRecord,
  followed: boolean,
  findings: FindingList,
): boolean | undefined {
  if (record.notBlank(CODE, CODE) === 0) {
    findings.add('trailerCut', record.number, record.length);
    return undefined;
  }
  const code = record.digits(CODE, CODE);
  if (code === 1 && !followed) findings.add('trailerNotLast', record.number, CODE, '1', '2');
  if (code === 2 && followed) findings.add('lastThoughFollowed', record.number, CODE, '2', '1');
  if (code !== 1 && code !== 2) {
    findings.add('multipleFileCode', record.number, CODE, record.text(CODE, CODE));
    return undefined;
  }
  return code === 1;
}
