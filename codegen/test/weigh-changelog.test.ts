import { expect, test } from 'vitest';
import { heaviest } from '../src/diff/compare/change.js';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import { formatReport } from '../src/diff/report.js';
import type { JsonObject } from '../src/document/json.js';
import { api, returning } from './support/small-api.js';

/** Returns the report of a change after version 1.2.3. */
function report(before: ReturnType<typeof api>, after: ReturnType<typeof api>): string {
  const changes = compareSpecs(before, after);
  const released = { name: 'old.yaml', api: before, version: '1.2.3' };
  return formatReport({ bump: heaviest(changes) ?? 'none', changes, released });
}

test.each([1, 2, 3, 4, 5])(
  'D-40 the changelog names all of %i calls up to four, and otherwise three',
  (count) => {
    const names = ['apple', 'berry', 'cherry', 'date', 'elder'].slice(0, count);
    const calls = names.map((name): [string, JsonObject] => [
      `/${name}`,
      { get: { operationId: name, ...returning({ $ref: '#/components/schemas/Fruit' }) } },
    ]);
    const of = (type: string) =>
      api(
        {},
        {},
        {
          paths: { ...Object.fromEntries(calls), '/other': { get: { operationId: 'other' } } },
          components: { schemas: { Fruit: { properties: { a: { type } } } } },
        },
      );
    expect(report(of('string'), of('integer'))).toMatchSnapshot();
  },
);

test('D-40 the changelog has sections for breaks, additions and other changes', () => {
  const more = { 'x-paginated': true, 'x-idempotent': true, deprecated: true, summary: 'A call.' };
  const edits = [more, { deprecated: true }, { 'x-idempotent': true }, {}];
  expect(edits.map((edit) => report(api({}), api(edit)))).toMatchSnapshot();
});
