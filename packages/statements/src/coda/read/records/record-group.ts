import type { FindingList } from '../../finding-list.js';
import type { CodaRecord } from './coda-record.js';
import { readDigits } from './read-field.js';
import type { RecordType } from './record-order.js';

const NEXT = 126;
const LINK = 128;

/** The sequence and detail number of a record 2.1 or 3.1. */
export interface RecordKey {
  readonly sequence: number;
  readonly detail: number;
  /** The record starts a new movement. */
  readonly startsMovement: boolean;
  /** The numbers are not those that belong here. */
  readonly isWrong: boolean;
}

/** The records of one movement (2.1 to 2.3) or one piece of information (3.1 to 3.3). */
export interface RecordGroup {
  readonly isMovement: boolean;
  readonly first: CodaRecord;
  readonly key: RecordKey;
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
  const { sequence, detail, isWrong } = group.key;
  const isSame = record.digits(3, 6) === sequence && record.digits(7, 10) === detail;
  if (!isWrong && !isSame) {
    const [found, expected] = [record.text(3, 10), group.first.text(3, 10)];
    findings.add('continuationKey', record.number, 3, found, expected);
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
  const expected = follows ? 1 : 0;
  if (record.digits(position, position) !== expected) {
    findings.add(code, record.number, position, record.text(position, position), `${expected}`);
  }
}

const LAST = 9999;
const TYPE = 54;
const following = (number: number): number => (number === LAST ? 0 : number + 1);
const four = (number: number): string => String(number).padStart(4, '0');

/**
 * Checks the numbers of records 2.1 and 3.1 (3-6 and 7-10): the sequence starts at 0001 and rises
 * with each movement, the detail starts at 0000 and rises with each further record of it. 9999 is
 * followed by 0000. Some banks repeat the numbers of a movement in its records 3.1. After wrong
 * numbers, both those and the ones that belonged there may be continued.
 */
export class Numbering {
  #sequence = 0;
  #detail = 0;
  /** The numbers that belonged in the previous record. */
  #dueSequence = 0;
  #dueDetail = 0;
  #started = false;

  /**
   * Reads the numbers of a record; only a record 2.1 can start a movement. A number that cannot be
   * read counts as the one that belongs there.
   */
  take(record: CodaRecord, isMovement: boolean, check: boolean, findings: FindingList): RecordKey {
    const written = readDigits(record, 3, 6, findings);
    const writtenDetail = readDigits(record, 7, 10, findings);
    const isRead = record.digits(3, 10) !== -1;
    const wraps = written === this.#sequence && this.#detail === LAST;
    const isFirst = isRead ? writtenDetail === 0 && !wraps : record.digits(TYPE, TYPE) <= 3;
    const startsMovement = isMovement && (!this.#started || isFirst);
    const next = startsMovement ? following(this.#sequence) : this.#sequence;
    const nextDetail = startsMovement ? 0 : following(this.#detail);
    const sequence = isRead ? written : next;
    const detail = isRead ? writtenDetail : nextDetail;
    const continues = sequence === next && detail === nextDetail;
    const isSame = isRead && sequence === this.#sequence && detail === this.#detail;
    const repeats = !isMovement && this.#started && isSame;
    const isRight = continues || repeats || this.#continuesDue(sequence, detail, startsMovement);
    const isWrong = check && !isRight;
    if (check && repeats) {
      findings.add('informationNumberRepeated', record.number, 7, four(detail), four(nextDetail));
    }
    if (isWrong && sequence !== next) {
      findings.add('sequenceNumber', record.number, 3, four(sequence), four(next));
    } else if (isWrong) {
      findings.add('detailNumber', record.number, 7, four(detail), four(nextDetail));
    }
    this.#sequence = sequence;
    this.#detail = detail;
    this.#dueSequence = isWrong ? next : sequence;
    this.#dueDetail = isWrong ? nextDetail : detail;
    this.#started = true;
    return { sequence, detail, startsMovement, isWrong: isWrong || !isRead };
  }

  #continuesDue(sequence: number, detail: number, startsMovement: boolean): boolean {
    const next = startsMovement ? following(this.#dueSequence) : this.#dueSequence;
    return sequence === next && detail === (startsMovement ? 0 : following(this.#dueDetail));
  }
}
