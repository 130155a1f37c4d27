import type { FindingList } from '../../finding-list.js';
import type { FreeCommunication } from '../../statement.js';
import type { CodaRecord } from './coda-record.js';
import { checkReserved, readDigits } from './read-field.js';

/** Collects records 4. The lines of one sequence number form one message. */
export class FreeCommunications {
  readonly messages: FreeCommunication[] = [];
  #lines: string[] = [];
  #sequence = 0;
  #detail = 0;

  take(record: CodaRecord, findings: FindingList): void {
    const sequence = readDigits(record, 3, 6, findings);
    const detail = readDigits(record, 7, 10, findings);
    checkReserved(record, 2, 2, findings);
    checkReserved(record, 11, 32, findings);
    checkReserved(record, 113, 127, findings);
    const continues = this.messages.length > 0 && sequence === this.#sequence;
    const expected = continues ? [sequence, this.#detail + 1] : [this.#sequence + 1, 0];
    if (sequence !== expected[0] || detail !== expected[1]) {
      const numbers = expected.map((number) => String(number).padStart(4, '0')).join('');
      findings.add('freeCommunicationNumber', record.number, 3, record.text(3, 10), numbers);
    }
    if (!continues) {
      this.#lines = [];
      this.messages.push({ sequence, lines: this.#lines });
    }
    this.#lines.push(record.text(33, 112));
    this.#sequence = sequence;
    this.#detail = detail;
  }
}
