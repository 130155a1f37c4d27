import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Language, skipWithout } from '../../test/support/languages.js';
import type { JsonValue } from '../src/document/json.js';
import { requestsOf, sending } from './sample-programs.js';

const texts = [
  ...[
    '',
    "it's",
    '"quoted"',
    'C:\\new\\u0041',
    '$PATH $' + '{x} {$x} %s',
    '"""',
    "'''",
    '<?php ?>',
  ],
  ...[
    'two\nlines\r\n',
    '\t\u0000\u001f\u007f\u0085',
    'België 🙂 \u2028\u2029',
    '@file',
    'null',
    '1',
  ],
];
const members = {
  ...{
    class: 1,
    default: 'x',
    ToString: null,
    'odd-name': true,
    '': 0,
    '24': 24,
    _: [[]],
    $ref: {},
  },
  ...{ list: { '0': 'a', '1': 'b' }, texts, mixed: [1, 'x', null, { a: 1 }, { b: [] }], empty: {} },
};
const numbers = [0, -1, 0.1, 1e21, 1e-7, 2 ** 31, 2 ** 53 + 2, 123456789012345680000, 1.5e300];
const random = fc.sample(fc.jsonValue({ stringUnit: 'binary' }), {
  numRuns: 100,
  seed: 50,
}) as JsonValue[];
const operations = {
  members: { method: 'patch', ...sending(members) },
  numbers: { method: 'put', ...sending(numbers) },
  texts: sending(texts),
  random: sending(random),
  nothing: sending(null),
  read: {
    method: 'get',
    path: '/read/{id}',
    parameters: [
      { name: 'id', in: 'path', required: true, example: 'a/b "c" é', schema: {} },
      { name: 'tags', in: 'query', example: ["it's", '$x'], schema: { type: 'array' } },
    ],
  },
  remove: { method: 'delete' },
  start: {},
};

const languages: readonly Language[] = ['C#', 'PHP', 'Python', 'Java', 'curl'];

test.for(languages)(
  'D-54 a sample in %s sends exactly the values of the spec',
  async (language, { skip }) => {
    skipWithout(language, skip);
    const json = { method: 'POST', type: 'application/json' };
    expect(await requestsOf(language, operations)).toEqual({
      members: { ...json, method: 'PATCH', url: '/members', sent: members },
      numbers: { ...json, method: 'PUT', url: '/numbers', sent: numbers },
      texts: { ...json, url: '/texts', sent: texts },
      random: { ...json, url: '/random', sent: random },
      nothing: { ...json, url: '/nothing', sent: null },
      read: { method: 'GET', url: "/read/a%2Fb%20%22c%22%20%C3%A9?tags=it's&tags=%24x" },
      remove: { method: 'DELETE', url: '/remove' },
      start: { method: 'POST', url: '/start' },
    });
  },
);
