import type { FindingList } from '../../finding-list.js';
import type { CodaRecord } from './coda-record.js';
import { readDigits } from './read-field.js';

/** Sequence and detail number of a record 2.1 or 3.1, and whether a new movement starts with it. */
export interface RecordKey {
  readonly sequence: number;
  readonly detail: number;
  readonly startsMovement: boolean;
}

const LAST = 9999;
const following = (number: number): number => (number === LAST ? 0 : number + 1);

/**
 * Follows the numbers of records 2.1 and 3.1 (3-6 and 7-10): the sequence starts at 0001 and rises
 * with each movement, the detail starts at 0000 and rises with each further record of it. 9999 is
 * followed by 0000. After a finding it goes on from the number that was there.
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
