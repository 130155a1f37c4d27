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

const mutations: readonly Mutation[] = [
  flipBit,
  cutEnd,
  cutMiddle,
  repeatPart,
  insertRandomText,
  setByte,
  swapRecords,
  repeatRecord,
  dropRecord,
  dropLineEnds,
  reencode,
  splice,
];

/** Returns a valid file with one to four changes. */
export function mutatedFile(chance: Chance): Buffer {
  let file = pick(originals, chance);
  for (let left = 1 + chance(4); left > 0; left -= 1) file = pick(mutations, chance)(file, chance);
  return file;
}

function pick<T>(values: readonly T[], chance: Chance): T {
  const value = values[chance(values.length)];
  if (value === undefined) throw new RangeError('Nothing to pick');
  return value;
}

function flipBit(file: Buffer, chance: Chance): Buffer {
  const place = chance(file.length + 1);
  return change(file, place, (file[place] ?? 0) ^ (1 << chance(8)));
}

function setByte(file: Buffer, chance: Chance): Buffer {
  const place = chance(file.length + 1);
  return change(file, place, pick([0x0a, 0x0d, 0x00, 0x20, 0x30, 0x31, 0x39, 0xff, 0xc3], chance));
}

function change(file: Buffer, place: number, byte: number): Buffer {
  const changed = Buffer.from(file);
  if (place < changed.length) changed[place] = byte;
  return changed;
}

function cutEnd(file: Buffer, chance: Chance): Buffer {
  return file.subarray(0, chance(file.length + 1));
}

function cutMiddle(file: Buffer, chance: Chance): Buffer {
  const from = chance(file.length + 1);
  return Buffer.concat([file.subarray(0, from), file.subarray(from + chance(300))]);
}

function repeatPart(file: Buffer, chance: Chance): Buffer {
  const from = chance(file.length + 1);
  const to = from + chance(300);
  return Buffer.concat([file.subarray(0, to), file.subarray(from)]);
}

function insertRandomText(file: Buffer, chance: Chance): Buffer {
  const place = chance(file.length + 1);
  const rubbish = Buffer.from(Array.from({ length: chance(400) }, () => chance(256)));
  return Buffer.concat([file.subarray(0, place), rubbish, file.subarray(place)]);
}

function swapRecords(file: Buffer, chance: Chance): Buffer {
  const lines = splitLines(file);
  const one = chance(lines.length + 1);
  const other = chance(lines.length + 1);
  return Buffer.concat(lines.map((line, index) => lines[swapped(index, one, other)] ?? line));
}

function swapped(index: number, one: number, other: number): number {
  if (index === one) return other;
  return index === other ? one : index;
}

function repeatRecord(file: Buffer, chance: Chance): Buffer {
  const lines = splitLines(file);
  const one = chance(lines.length + 1);
  return Buffer.concat(lines.flatMap((line, index) => (index === one ? [line, line] : [line])));
}

function dropRecord(file: Buffer, chance: Chance): Buffer {
  const lines = splitLines(file);
  const one = chance(lines.length + 1);
  return Buffer.concat(lines.filter((_, index) => index !== one));
}

function dropLineEnds(file: Buffer): Buffer {
  return Buffer.from(file.toString('latin1').replaceAll(/[\r\n]/g, ''), 'latin1');
}

function reencode(file: Buffer, chance: Chance): Buffer {
  const text = file.toString('latin1');
  return Buffer.from(text, pick(['utf8', 'utf16le', 'latin1'] as const, chance));
}

function splice(file: Buffer, chance: Chance): Buffer {
  const other = pick(originals, chance);
  return Buffer.concat([
    file.subarray(0, chance(file.length + 1)),
    other.subarray(chance(other.length)),
  ]);
}

function splitLines(file: Buffer): Buffer[] {
  return file
    .toString('latin1')
    .split(/(?<=\n)/)
    .map((line) => Buffer.from(line, 'latin1'));
}
