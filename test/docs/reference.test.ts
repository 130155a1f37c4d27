import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { withHeadersOnce, withNotes } from '../../docs/reference/with-notes.js';
import { type Document, isOperation, withSamples } from '../../docs/reference/with-samples.js';
import { answerOf } from '../../docs/site/texts/spec-texts.js';

/** A member of a path that is not an operation. */
const parameters = [{ name: 'id', in: 'path' }];
const current = { operationId: 'readItem', summary: 'Read item', description: 'One item.' };

/** Returns the description of a deprecated operation in the reference documentation. */
function described(said: Readonly<Record<string, string>>): string | undefined {
  const deprecated = { operationId: 'readThing', description: 'One thing.', ...said };
  const paths = { '/things': { parameters, get: deprecated }, '/items': { get: current } };
  const documented = withNotes({ info: { title: '', summary: '' }, paths }, undefined);
  expect(documented.paths).toMatchObject({ '/things': { parameters } });
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
    '**GET** `/things` · `readThing`\n\n> **Deprecated since 2026-12-01.** From 2027-06-30 on it may be gone. Use [Read item](#operation/readItem) instead.\n\nOne thing.',
  );
});

test('D-40 the reference says no more about a deprecated operation than the spec', () => {
  expect(described({ 'x-deprecated-since': '2026-12-01' })).toBe(
    '**GET** `/things` · `readThing`\n\n> **Deprecated since 2026-12-01.**\n\nOne thing.',
  );
  expect(described({})).toBe('**GET** `/things` · `readThing`\n\nOne thing.');
});

test('D-52 the reference describes once the headers that every answer has, and shows the others where they are', () => {
  const document: Document = JSON.parse(JSON.stringify(spec));
  const shown = withHeadersOnce(document);
  const text = JSON.stringify([shown.paths, shown.components?.responses]);
  for (const name of ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-Api-Key-Expires']) {
    expect(JSON.stringify(document.components?.responses)).toContain(`"${name}":`);
    expect(text).not.toContain(`"${name}":`);
    expect(shown.info.description).toMatch(new RegExp(`\n- \`${name}\`: .+ Example: \`.+\``));
  }
  for (const name of ['Retry-After', 'WWW-Authenticate', 'Allow']) {
    expect(text).toContain(`"${name}":`);
  }
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
