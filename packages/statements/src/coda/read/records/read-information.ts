import type { FindingList } from '../../finding-list.js';
import type { Information } from '../../statement.js';
import type { RecordKey } from './numbering.js';
import { readInformationCommunication } from './read-communication.js';
import { checkReserved } from './read-field.js';
import type { RecordGroup } from './record-group.js';
import { readTransactionCode } from './transaction-code.js';

/** Reads records 3.1, 3.2 and 3.3 of one information. */
export function readInformation(
  group: RecordGroup,
  { sequence, detail }: RecordKey,
  findings: FindingList,
): Information {
  const { first, second, third } = group;
  for (const [record, from] of [
    [first, 114],
    [second, 116],
    [third, 101],
  ] as const) {
    if (record === undefined) continue;
    checkReserved(record, from, 125, findings);
    checkReserved(record, 127, 127, findings);
  }
  return {
    sequence,
    detail,
    bankReference: first.text(11, 31),
    transactionCode: readTransactionCode(first, 32, findings),
    communication: readInformationCommunication(group, findings),
  };
}
