import { expect, test } from 'vitest';
import { type Language, skipWithout } from '../../test/support/languages.js';
import { isShortPart } from '../../test/support/rounds.js';
import type { JsonObject, JsonValue } from '../src/document/json.js';
import { requestsOf, samplesFor, sending } from './sample-programs.js';

test('D-54 a sample is a whole program in each of six languages', () => {
  const body = { name: "Bakkerij 't Zoet", tags: ['a', 'b'], default: null, address: {} };
  const samples = samplesFor({
    updateThing: {
      method: 'patch',
      path: '/things/{thingId}',
      parameters: [
        { name: 'thingId', in: 'path', required: true, example: 'a1', schema: {} },
        { name: 'kind', in: 'query', example: ['x', 'y z'], schema: { type: 'array' } },
        { name: 'if-match', in: 'header', required: true, example: '"7"', schema: {} },
        { name: 'idempotency-key', in: 'header', example: 'k', schema: {} },
      ],
      ...sending(body),
    },
  });
  const sample = [...(samples.get('updateThing') ?? [])];
  expect(sample.map(([lang]) => lang)).toEqual([
    'TypeScript',
    'C#',
    'PHP',
    'Python',
    'Java',
    'curl',
  ]);
  expect(sample.map(([lang, source]) => `--- ${lang}\n${source}`).join('\n')).toMatchSnapshot();
});

const compiled: readonly Language[] = ['C#', 'Java'];
const interpreted: readonly Language[] = ['PHP', 'Python', 'curl'];
test.for([...interpreted, ...(isShortPart ? [] : compiled)])(
  'D-20 a sample in %s follows no redirect, which would send the key to another host',
  async (language, { skip }) => {
    skipWithout(language, skip);
    const { moved } = await requestsOf(language, { moved: {} });
    // It prints an error.
    expect(moved).toMatchObject({ method: 'POST', url: '/moved', printed: expect.any(String) });
  },
);

test.for([...interpreted, ...(isShortPart ? [] : compiled)])(
  'D-54 a sample in %s writes parameters in their style, and none is shown of a body that is not JSON',
  async (language, { skip }) => {
    skipWithout(language, skip);
    const query = (name: string, example: JsonValue, style: JsonObject = {}): JsonObject => {
      return { name, in: 'query', example, schema: {}, ...style };
    };
    const parameters = [
      query('from', { day: 'a b', hour: 1 }),
      query('ids', [1, 2], { style: 'pipeDelimited' }),
      query('tags', ['x', 'y'], { explode: false }),
      query('at', { day: 1 }, { style: 'deepObject' }),
    ];
    const url = '/read?day=a%20b&hour=1&ids=1%7C2&tags=x,y&at%5Bday%5D=1';
    const read = { method: 'get', path: '/read', parameters };
    expect(await requestsOf(language, { read })).toEqual({ read: { method: 'GET', url } });
    const content = { 'application/x-www-form-urlencoded': { example: { a: 1 } } };
    const samples = samplesFor({ send: { requestBody: { content } } });
    expect(samples.get('send')?.has(language)).toBe(false);
  },
);

test.skipIf(isShortPart)(
  'D-50 a sample in Java ends with an error if no more of an answer comes',
  async ({ skip }) => {
    skipWithout('Java', skip);
    const { stalled } = await requestsOf('Java', { stalled: {} }, '1');
    expect(stalled).toMatchObject({ printed: expect.stringContaining('TimeoutException') });
  },
);
