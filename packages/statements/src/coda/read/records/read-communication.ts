import type { FindingList } from '../../finding-list.js';
import { isValidBban } from '../../format/check-digits.js';
import type { UnknownStructure } from '../../format/communication-layout.js';
import {
  type InformationCommunication,
  informationLayouts,
} from '../../format/information-layouts.js';
import { type MovementCommunication, movementLayouts } from '../../format/movement-layouts.js';
import type { CodaRecord } from './coda-record.js';
import { decodeCommunication } from './decode-communication.js';
import type { RecordGroup } from './record-group.js';

const FLAG_OF_MOVEMENT = 62;
const FLAG_OF_INFORMATION = 40;

/** Reads the communication of records 2.1 (63-115), 2.2 (11-63) and 2.3 (83-125). */
export function readMovementCommunication(
  { first, second, third }: RecordGroup,
  findings: FindingList,
): MovementCommunication {
  if (!isStructured(first, FLAG_OF_MOVEMENT, findings)) {
    const text = joinText([first, 63, 115], [second, 11, 63], [third, 83, 125]);
    return { kind: 'free', text };
  }
  const type = first.padded(63, 65);
  // A part that is left out is blank: the fields behind it keep their positions.
  const content = `${first.padded(66, 115)}${second?.padded(11, 63) ?? ' '.repeat(53)}${third?.padded(83, 125) ?? ''}`;
  const decoded = decodeCommunication(movementLayouts, type, content, (field) =>
    findings.add('communicationField', first.number, 66, field),
  );
  if (decoded === undefined) return unknown(type, content, first, 63, findings);
  if (decoded.type === '101' || decoded.type === '102') {
    if (!isValidBban(decoded.reference)) {
      findings.add('communicationCheckDigits', first.number, 66, decoded.reference);
    }
  }
  if ('cardNumber' in decoded && /[1-9].*0{6}|0{6}.*[1-9]/.test(decoded.cardNumber)) {
    findings.add('maskedCard', first.number, 66);
  }
  return decoded;
}

/** Reads the communication of records 3.1 (41-113), 3.2 (11-115) and 3.3 (11-100). */
export function readInformationCommunication(
  { first, second, third }: RecordGroup,
  findings: FindingList,
): InformationCommunication {
  if (!isStructured(first, FLAG_OF_INFORMATION, findings)) {
    const text = joinText([first, 41, 113], [second, 11, 115], [third, 11, 100]);
    return { kind: 'free', text };
  }
  const type = first.padded(41, 43);
  const content = `${first.padded(44, 113)}${second?.padded(11, 115) ?? ' '.repeat(105)}${third?.padded(11, 100) ?? ''}`;
  const decoded = decodeCommunication(informationLayouts, type, content, (field) =>
    findings.add('communicationField', first.number, 44, field),
  );
  return decoded ?? unknown(type, content, first, 41, findings);
}

function isStructured(record: CodaRecord, position: number, findings: FindingList): boolean {
  const flag = record.digits(position, position);
  if (flag !== 0 && flag !== 1) {
    findings.add('communicationFlag', record.number, position, record.text(position, position));
  }
  return flag === 1;
}

function unknown(
  type: string,
  content: string,
  record: CodaRecord,
  position: number,
  findings: FindingList,
): UnknownStructure {
  findings.add('unknownCommunicationType', record.number, position, type);
  return { kind: 'unknown', type, text: trimBlanks(content) };
}

type Zone = readonly [record: CodaRecord | undefined, from: number, to: number];

/** The text of the parts that are there, without the blanks at its end. */
function joinText(...zones: readonly Zone[]): string {
  let joined = '';
  for (const [record, from, to] of zones.toReversed()) {
    if (record === undefined) continue;
    joined = joined === '' ? record.text(from, to) : record.padded(from, to) + joined;
  }
  return joined;
}

/** Only blanks fill a field up; other white space is text. */
function trimBlanks(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x20) end -= 1;
  return text.slice(0, end);
}
