import { writeCoda } from '../../../src/index.js';
import { sample, transfer } from '../sample-statement.js';

/** Returns a seeded generator of random integers from 0 to below a limit. */
export type Chance = (limit: number) => number;

export function chanceOf(seed: number): Chance {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const accented = { ...transfer, communication: { kind: 'free', text: 'Société à Liège' } } as const;
const statements = [sample, { ...sample, movements: [accented, transfer] }];
const originals: readonly Buffer[] = [
  ...(['utf-8', 'windows-1252', 'cp850'] as const).map((encoding) =>
    Buffer.from(writeCoda(statements, { encoding })),
  ),
  Buffer.from(writeCoda([sample], { lineEnd: '\n', finalLineEnd: false })),
];

type Mutation = (file: Buffer, chance: Chance) => Buffer;
type LinesMutation = (lines: Buffer[], one: number, other: number) => Buffer[];

/** A place in a file, or behind its end. */
const placeIn = (file: Buffer, chance: Chance) => chance(file.length + 1);

/** Returns the file with another byte at a place, or unchanged if the place is behind its end. */
const withByte = (file: Buffer, place: number, byte: number) =>
  place < file.length ? Buffer.from(file).fill(byte, place, place + 1) : file;

/** Changes the lines of a file at one or two of them, or behind the last. */
const ofLines =
  (mutate: LinesMutation): Mutation =>
  (file, chance) => {
    const lines = file
      .toString('latin1')
      .split(/(?<=\n)/)
      .map((line) => Buffer.from(line, 'latin1'));
    return Buffer.concat(mutate(lines, chance(lines.length + 1), chance(lines.length + 1)));
  };

const mutations: Readonly<Record<string, Mutation>> = {
  flipBit(file, chance) {
    const place = placeIn(file, chance);
    return withByte(file, place, (file[place] ?? 0) ^ (1 << chance(8)));
  },
  setByte: (file, chance) =>
    withByte(
      file,
      placeIn(file, chance),
      pick([0x0a, 0x0d, 0x00, 0x20, 0x30, 0x31, 0x39, 0xff, 0xc3], chance),
    ),
  cutEnd: (file, chance) => file.subarray(0, placeIn(file, chance)),
  cutMiddle(file, chance) {
    const from = placeIn(file, chance);
    return Buffer.concat([file.subarray(0, from), file.subarray(from + chance(300))]);
  },
  repeatPart(file, chance) {
    const from = placeIn(file, chance);
    return Buffer.concat([file.subarray(0, from + chance(300)), file.subarray(from)]);
  },
  insertRandomText(file, chance) {
    const place = placeIn(file, chance);
    const rubbish = Buffer.from(Array.from({ length: chance(400) }, () => chance(256)));
    return Buffer.concat([file.subarray(0, place), rubbish, file.subarray(place)]);
  },
  swapRecords: ofLines((lines, one, other) =>
    lines.map((line, index) => {
      if (index === one) return lines[other] ?? line;
      return index === other ? (lines[one] ?? line) : line;
    }),
  ),
  repeatRecord: ofLines((lines, one) =>
    lines.flatMap((line, index) => (index === one ? [line, line] : [line])),
  ),
  dropRecord: ofLines((lines, one) => lines.filter((_, index) => index !== one)),
  dropLineEnds: (file) => Buffer.from(file.toString('latin1').replaceAll(/[\r\n]/g, ''), 'latin1'),
  reencode: (file, chance) =>
    Buffer.from(file.toString('latin1'), pick(['utf8', 'utf16le', 'latin1'] as const, chance)),
  splice(file, chance) {
    const other = pick(originals, chance);
    const start = file.subarray(0, placeIn(file, chance));
    return Buffer.concat([start, other.subarray(chance(other.length))]);
  },
};

/** Returns a valid file with one to four changes. */
export function mutatedFile(chance: Chance): Buffer {
  let file = pick(originals, chance);
  for (let left = 1 + chance(4); left > 0; left -= 1) {
    file = pick(Object.values(mutations), chance)(file, chance);
  }
  return file;
}

function pick<T>(values: readonly T[], chance: Chance): T {
  const value = values[chance(values.length)];
  if (value === undefined) throw new RangeError('Nothing to pick');
  return value;
}
