import type { FindingList } from '../finding-list.js';
import type { Statement } from '../statement.js';
import { decodeLine, detectEncoding } from './encoding.js';
import { CodaRecord } from './records/coda-record.js';
import type { Segment } from './split-statements.js';
import { StatementReader } from './statement-reader.js';

const CARRIAGE_RETURN = 0x0d;

/** Reads the statement of a segment; undefined where one of the findings is an error. */
export function readSegment(segment: Segment, findings: FindingList): Statement | undefined {
  const { firstLine } = segment;
  if (segment.byteOrderMark) findings.add('byteOrderMark', firstLine);
  if (segment.blankLine > 0) findings.add('blankLine', segment.blankLine);
  if (!segment.isStatement) {
    findings.add('headerMissing', firstLine, 1);
    return undefined;
  }
  if (segment.tooLarge) {
    findings.add('statementTooLarge', firstLine);
    return undefined;
  }
  const encoding = detectEncoding(segment.bytes, () => linesOf(segment));
  const reader = new StatementReader(segment.followed, findings);
  for (let line = 0; line < segment.lineEnds.length; line += 1) {
    const text = decodeLine(segment.bytes, startOf(segment, line), endOf(segment, line), encoding);
    if (!reader.take(new CodaRecord(firstLine + line, text))) return undefined;
  }
  return reader.finish(encoding, firstLine + segment.lineCount - 1);
}

function linesOf(segment: Segment): Uint8Array[] {
  return segment.lineEnds.map((_, line) =>
    segment.bytes.subarray(startOf(segment, line), endOf(segment, line)),
  );
}

function startOf({ lineEnds }: Segment, line: number): number {
  return line === 0 ? 0 : (lineEnds[line - 1] ?? 0) + 1;
}

/** The end of a line without its line end. */
function endOf(segment: Segment, line: number): number {
  const lineFeed = segment.lineEnds[line] ?? 0;
  const hasReturn =
    lineFeed > startOf(segment, line) && segment.bytes[lineFeed - 1] === CARRIAGE_RETURN;
  return hasReturn ? lineFeed - 1 : lineFeed;
}
