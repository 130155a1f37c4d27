import type { OperationId } from '@adx/contract';
import { wellFormedBody } from '../../support/well-formed.js';
import { bodyFields, textWith } from './text-fields.js';

interface CostlyBody {
  /** The field and what is sent there. */
  readonly name: string;
  readonly text: string;
}

const maximumBytes = 64 * 1024;

const items = [
  ...['1', '""', 'null', '{}', '[]', '"\\ud800"', '"aA1-"', '{"iban":""}', '{"code":1,"a":1}'],
  ...['1e308', '1.5', '"2026-02-31"', '{"__proto__":[]}'],
];

const parts = ['a', ' ', 'a.', 'a@', '-', '0', 'é', '\\u0000', '\\ud800', '\\"', '9.', '💩'];

/** JSON of a size in bytes, each a worst case for some part of reading a body. */
const values: Readonly<Record<string, (size: number, maxItems: number) => string>> = {
  ...Object.fromEntries(
    items.map((item) => [`as many ${item} as fit`, (size: number) => list(size, () => item)]),
  ),
  ...Object.fromEntries(
    parts.map((part) => [
      `a text of ${part}`,
      (size: number) => `"${part.repeat((size - 2) / Buffer.byteLength(part))}"`,
    ]),
  ),
  'as many items as are allowed': (size, maxItems) =>
    `[${Array(maxItems).fill(`"${'\\u0000'.repeat((size / maxItems - 3) / 6)}"`)}]`,
  'as many objects as are allowed': (_, maxItems) => `[${Array(maxItems).fill('{"a":{}}')}]`,
  'fields of different names': (size) => fields(size, (i) => name(i)),
  'fields of one name': (size) => fields(size, () => 'limit'),
  'indexes as names': (size) => fields(size, (i) => `${i * 7_919}`),
  'fields of __proto__': (size) => `{"__proto__":${fields(size - 14, (i) => name(i))}}`,
  'objects of different names': (size) => list(size, (i) => `{"${name(i)}":0}`),
  'a whole number': (size) => '1'.repeat(size),
  'a fraction': (size) => `0.${'1'.repeat(size - 2)}`,
  'nested lists': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'nested objects': (size) => `${'{"a":'.repeat(size / 6 - 1)}0${'}'.repeat(size / 6 - 1)}`,
  'lists without an end': (size) => '['.repeat(size),
  'a text without an end': (size) => `"${'a'.repeat(size - 1)}`,
};

/** Returns bodies of 64 KiB: each value in each field, or in one of them if it is short. */
export function costlyBodies(operationId: OperationId, extent: 'short' | 'long'): CostlyBody[] {
  const all = bodyFields(operationId);
  return Object.entries(values).flatMap(([kind, write], i) => {
    const chosen =
      extent === 'long' ? all : [0, 1].flatMap((n) => all[(i + n * 7) % all.length] ?? []);
    return chosen.map(({ path, schema }) => {
      const body = wellFormedBody(operationId);
      const room = maximumBytes - Buffer.byteLength(textWith(body, path, ''));
      const value = write(room, Number(schema['maxItems'] ?? 200));
      return { name: `${path.join('.')}: ${kind}`, text: textWith(body, path, value) };
    });
  });
}

/** Different in each process: V8 keeps names that it has seen. */
const salt = process.pid * 31;
const name = (i: number) => ((i * 7_919 + salt) % 36 ** 4).toString(36);

function list(size: number, item: (i: number) => string): string {
  return `[${upTo(size - 2, item)}]`;
}

function fields(size: number, nameOf: (i: number) => string): string {
  return `{${upTo(size - 2, (i) => `"${nameOf(i)}":0`)}}`;
}

function upTo(size: number, part: (i: number) => string): string {
  const all: string[] = [];
  for (let i = 0, used = 0; ; i += 1) {
    const next = part(i);
    used += Buffer.byteLength(next) + 1;
    if (used > size + 1) return all.join(',');
    all.push(next);
  }
}
