import type { FindingList } from '../../finding-list.js';
import type { CodaRecord } from './coda-record.js';
import { readDigits } from './read-field.js';
import type { RecordType } from './record-order.js';

const NEXT = 126;
const LINK = 128;

/** The records of one movement (2.1 to 2.3) or one piece of information (3.1 to 3.3). */
export interface RecordGroup {
  readonly kind: 'movement' | 'information';
  readonly first: CodaRecord;
  second: CodaRecord | undefined;
  third: CodaRecord | undefined;
}

/** Adds part 2 or 3, which repeats the sequence and detail number of part 1 (3-10). */
export function continueGroup(
  group: RecordGroup,
  type: RecordType,
  record: CodaRecord,
  findings: FindingList,
): void {
  if (!record.hasSame(group.first, 3, 10)) {
    findings.add('continuationKey', record.number, 3, record.text(3, 10));
  }
  if (type.endsWith('2')) group.second = record;
  else group.third = record;
}

/**
 * Checks the next code of each part, 1 if another part follows, and the link code of the last part,
 * 1 if information follows.
 */
export function checkGroupCodes(
  group: RecordGroup,
  informationFollows: boolean,
  findings: FindingList,
): void {
  const { first, second, third } = group;
  checkCode(first, NEXT, second !== undefined || third !== undefined, 'nextCode', findings);
  if (second !== undefined) checkCode(second, NEXT, third !== undefined, 'nextCode', findings);
  if (third !== undefined) checkCode(third, NEXT, false, 'nextCode', findings);
  checkCode(third ?? second ?? first, LINK, informationFollows, 'linkCode', findings);
}

/** Checks the link code of record 8 or 4, which is 1 if a record 4 follows. */
export function checkLinkCode(record: CodaRecord, follows: boolean, findings: FindingList): void {
  checkCode(record, LINK, follows, 'linkCode', findings);
}

function checkCode(
  record: CodaRecord,
  position: number,
  follows: boolean,
  code: 'nextCode' | 'linkCode',
  findings: FindingList,
): void {
  if (record.digits(position, position) !== (follows ? 1 : 0)) {
    findings.add(code, record.number, position, record.text(position, position));
  }
}

/** The sequence and detail number of a record 2.1 or 3.1. */
export interface RecordKey {
  readonly sequence: number;
  readonly detail: number;
  /** The record starts a new movement. */
  readonly startsMovement: boolean;
}

const LAST = 9999;
const following = (number: number): number => (number === LAST ? 0 : number + 1);

/**
 * Checks the numbers of records 2.1 and 3.1 (3-6 and 7-10): the sequence starts at 0001 and rises
 * with each movement, the detail starts at 0000 and rises with each further record of it. 9999 is
 * followed by 0000. After a finding, counting continues from the number found.
 */
export class Numbering {
  #sequence = 0;
  #detail = 0;
  #started = false;

  /** Reads the numbers of a record; only a record 2.1 can start a movement. */
  take(record: CodaRecord, isMovement: boolean, check: boolean, findings: FindingList): RecordKey {
    const sequence = readDigits(record, 3, 6, findings);
    const detail = readDigits(record, 7, 10, findings);
    const wraps = sequence === this.#sequence && this.#detail === LAST;
    const startsMovement = isMovement && (!this.#started || (detail === 0 && !wraps));
    const expected = startsMovement ? following(this.#sequence) : this.#sequence;
    const expectedDetail = startsMovement ? 0 : following(this.#detail);
    if (check && sequence !== expected) {
      findings.add('sequenceNumber', record.number, 3, record.text(3, 6));
    } else if (check && detail !== expectedDetail) {
      findings.add('detailNumber', record.number, 7, record.text(7, 10));
    }
    this.#sequence = sequence;
    this.#detail = detail;
    this.#started = true;
    return { sequence, detail, startsMovement };
  }
}
