import { expect, test } from 'vitest';
import { withDeprecations } from '../../docs/reference/with-deprecations.js';
import { isOperation, withSamples } from '../../docs/reference/with-samples.js';
import { answerOf } from '../../docs/site/texts/spec-texts.js';

/** A member of a path that is not an operation. */
const parameters = [{ name: 'id', in: 'path' }];
const current = { operationId: 'readItem', summary: 'Read item', description: 'One item.' };

/** Returns the description of a deprecated operation in the reference documentation. */
function described(said: Readonly<Record<string, string>>): string | undefined {
  const deprecated = { operationId: 'readThing', description: 'One thing.', ...said };
  const paths = { '/things': { parameters, get: deprecated }, '/items': { get: current } };
  const documented = withDeprecations({ info: { title: '', summary: '' }, paths });
  expect(documented.paths).toMatchObject({ '/things': { parameters }, '/items': { get: current } });
  const operation = documented.paths['/things']?.['get'];
  return isOperation(operation) ? operation.description : undefined;
}

test('D-40 the reference says until when a deprecated operation stays, and what replaces it', () => {
  expect(
    described({
      'x-deprecated-since': '2026-12-01',
      'x-sunset': '2027-06-30',
      'x-replaced-by': 'readItem',
    }),
  ).toBe(
    '> **Deprecated since 2026-12-01.** From 2027-06-30 on it may be gone. Use [Read item](#operation/readItem) instead.\n\nOne thing.',
  );
});

test('D-40 the reference says no more about a deprecated operation than the spec', () => {
  expect(described({ 'x-deprecated-since': '2026-12-01' })).toBe(
    '> **Deprecated since 2026-12-01.**\n\nOne thing.',
  );
  expect(described({})).toBe('One thing.');
});

test('docs: each operation gets its samples, and nothing else of its path', () => {
  const samples = new Map([['readItem', [{ lang: 'curl', source: 'curl' }]]]);
  const paths = { '/items': { parameters, get: current } };
  const { paths: sampled } = withSamples({ info: { title: '', summary: '' }, paths }, samples);
  const get = { ...current, 'x-codeSamples': samples.get('readItem') };
  expect(sampled).toEqual({ '/items': { parameters, get } });
});

test('D-54 the answer of a call is the example in the spec, which fits the call on the home page', () => {
  const [, answer = ''] = /^```json\n(.*?)^```$/ms.exec(answerOf('listCodaFiles')) ?? [];
  expect(JSON.parse(answer)).toMatchObject([
    { ibans: [{ iban: 'BE71096123456769', files: [{ urls: { pdf: expect.any(String) } }] }] },
  ]);
  expect(() => answerOf('listThings')).toThrow('openapi.yaml has no answer of listThings');
});
