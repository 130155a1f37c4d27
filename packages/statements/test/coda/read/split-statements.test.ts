import { expect, test } from 'vitest';
import { PIECE, type Segment, StatementSplitter } from '../../../src/coda/read/split-statements.js';

const limit = 100_000;

/** Splits bytes that arrive in chunks of these sizes. The last size is repeated. */
function split(bytes: Buffer, sizes: readonly number[], maxBytes = limit): Segment[] {
  const splitter = new StatementSplitter(maxBytes);
  const segments: Segment[] = [];
  const take = () => {
    for (let next = splitter.next(); next !== undefined; next = splitter.next())
      segments.push(next);
  };
  for (let from = 0, piece = 0; from < bytes.length; piece += 1) {
    const size = Math.min(sizes[piece] ?? sizes.at(-1) ?? PIECE, PIECE);
    splitter.push(bytes.subarray(from, from + size));
    take();
    from += size;
  }
  splitter.end();
  take();
  return segments;
}

/** Splits the whole source at once: a simple, slow reference implementation. */
function expected(bytes: Buffer, maxBytes = limit): Segment[] {
  interface Draft {
    readonly isStatement: boolean;
    readonly start: number;
    readonly firstLine: number;
    readonly lineEnds: number[];
    end: number;
    lineCount: number;
    tooLarge: boolean;
  }
  const segments: Segment[] = [];
  let [blankLine, hasMark] = [0, bytes.subarray(0, 3).toString('hex') === 'efbbbf'];
  let open: Draft | undefined;
  let held: Draft | undefined;
  const release = (draft: Draft | undefined, followed: boolean) => {
    if (draft === undefined) return;
    const { tooLarge, start, end } = draft;
    segments.push({
      ...{ ...draft, followed, blankLine, byteOrderMark: hasMark, cutLine: 0 },
      bytes: tooLarge ? Buffer.alloc(0) : bytes.subarray(start, end),
      lineEnds: tooLarge ? [] : draft.lineEnds,
    });
    [blankLine, hasMark] = [0, false];
  };
  let from = hasMark ? 3 : 0;
  for (let line = 1; from < bytes.length; line += 1) {
    const lineFeed = bytes.indexOf('\n', from);
    const [end, next] = lineFeed === -1 ? [bytes.length, bytes.length] : [lineFeed, lineFeed + 1];
    const text = bytes.toString('latin1', from, end);
    const couldBeHeader = text.length >= 64;
    if (open !== undefined && couldBeHeader && text.startsWith('00000')) {
      release(open, true);
      open = undefined;
    }
    if (
      open === undefined &&
      text.length <= 1024 &&
      [...text].every((each) => ' \t\r\x1a\0'.includes(each))
    ) {
      blankLine ||= line;
    } else {
      if (open === undefined) {
        const isStatement = couldBeHeader && text.startsWith('0');
        release(held, isStatement);
        held = undefined;
        const nothing = { lineEnds: [], end: from, lineCount: 0, tooLarge: false };
        open = { isStatement, start: from, firstLine: line, ...nothing };
      }
      open.lineEnds.push(end - open.start);
      open.end = next;
      open.lineCount += 1;
      open.tooLarge ||= next - open.start > maxBytes || open.lineEnds.length > maxBytes / 32;
      if (open.isStatement && text.startsWith('9')) [held, open] = [open, undefined];
    }
    from = next;
  }
  release(open, false);
  release(held, false);
  return segments;
}

/** Bytes are compared as text, which is much faster. */
const readable = (segment: Segment) => ({
  ...segment,
  ...{ bytes: Buffer.from(segment.bytes).toString('latin1'), lineEnds: segment.lineEnds.join() },
});

const header = '0000'.padEnd(128, '0');
const line = (type: string, length = 128) => type.padEnd(length, 'x');
const statement = [header, line('1'), line('21'), line('8'), line('9')].join('\n');

const files: Readonly<Record<string, string>> = {
  'one statement': statement,
  'a line end behind the last statement': `${statement}\n`,
  'two statements': `${statement}\n${statement}\n`,
  'two statements with text between': `${statement}\nwhat is this\n${statement}`,
  'text alone': 'what is this\nand this',
  'a line that is too short for a header': `${'0'.repeat(63)}\n${line('9')}\n`,
  'the shortest header': `${'0'.repeat(64)}\n${line('9')}\n`,
  'a header of one zero, where none is open': `${line('0')}\n${line('9')}\n`,
  'a header of one zero, where one is open': `${header}\n${line('0')}\n${line('9')}\n`,
  'a header before the trailer': `${header}\n${line('1')}\n${statement}\n`,
  'no trailer': `${header}\n${line('1')}`,
  'a trailer alone': `${line('9')}\n${statement}`,
  'blank lines around': `\n \t\r\n${statement}\n\r\n\x1a`,
  'blank lines inside': `${header}\n\n \n${line('9')}\n`,
  'a byte order mark': `\xef\xbb\xbf${statement}`,
  'a byte order mark alone': '\xef\xbb\xbf',
  'the first two bytes of one': '\xef\xbb',
  'a mark that is none': `\xef\xbbx${statement}`,
  'a blank line behind the mark': `\xef\xbb\xbf\n${statement}`,
  'the longest blank line': `${' '.repeat(1024)}\n${statement}`,
  'a line that is too long to be blank': `${' '.repeat(1025)}\n${statement}`,
  'a line without end': `${line('text', 200_000)}`,
  'a header without end': `${'0'.repeat(200_000)}\n${statement}`,
  'a blank line without end': `${statement}\n${' '.repeat(200_000)}\n${statement}`,
  'a long line in a statement': `${header}\n${line('21', 70_000)}\n${line('9')}\n${statement}`,
  'a statement that is too large': `${header}\n${`${line('21')}\n`.repeat(900)}${line('9')}\n${statement}`,
  'more lines than bytes allow': `${header}\n${'x\n'.repeat(4000)}${line('9')}\n${statement}`,
  'large text between': `${statement}\n${`${line('x')}\n`.repeat(3000)}${statement}`,
  'many statements': `${statement}\n`.repeat(1000),
  'large statements': `${header}\n${`${line('21')}\n`.repeat(700)}${line('9')}\n`.repeat(8),
  nothing: '',
};

test.each(Object.entries(files))(
  'CODA records 0 and 9: the statements of a file with %s',
  (_title, text) => {
    const bytes = Buffer.from(text, 'latin1');
    const whole = expected(bytes).map(readable);
    for (const sizes of [[PIECE], [7, PIECE], [bytes.length - 1 || 1, 1], [4001]]) {
      expect(split(bytes, sizes).map(readable), `pieces of ${sizes}`).toEqual(whole);
    }
    if (bytes.length < 2000) expect(split(bytes, [1]).map(readable), 'byte by byte').toEqual(whole);
  },
);

test.each([
  [0, false],
  [-1, true],
])(
  'CODA: a statement of the maximum size is accepted, and refused if the maximum is %i bytes less',
  (less, tooLarge) => {
    const bytes = Buffer.from(`${statement}\n`);
    const [segment] = split(bytes, [PIECE], bytes.length + less);
    expect(segment).toMatchObject({ tooLarge, lineCount: 5, start: 0, end: bytes.length });
    expect(segment?.bytes.length).toBe(tooLarge ? 0 : bytes.length);
  },
);

test.each([
  [32, false],
  [33, true],
])('CODA: a statement of %i lines in 1,024 bytes is too large: %s', (lines, tooLarge) => {
  const text = `${'0'.repeat(64)}\n${'1\n'.repeat(lines - 2)}9\n`;
  expect(split(Buffer.from(text), [PIECE], 1024)[0]).toMatchObject({ tooLarge, lineCount: lines });
});
