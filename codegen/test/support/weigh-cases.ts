import { expect, test } from 'vitest';
import { heaviest, type Weight } from '../../src/diff/compare/change.js';
import { compareSpecs } from '../../src/diff/compare/compare-specs.js';
import type { JsonObject } from '../../src/document/json.js';
import { api, reported, returning, taking } from './small-api.js';

type Bump = Weight | 'none';
type Api = ReturnType<typeof api>;

/** Two interfaces by the title of a test, and all by what the change to the second one weighs. */
export type ApiCases = Partial<Readonly<Record<Bump, Cases<Api>>>>;

/** Two schemas, by what the change weighs in a request and in a response. */
export type SchemaCases = Partial<Readonly<Record<`${Bump} ${Bump}`, Cases<JsonObject>>>>;

type Cases<T> = Readonly<Record<string, readonly [before: T, after: T]>>;

/** Tests the weights; a snapshot has the texts of the changes, their places and the calls. */
export function testApis(cases: ApiCases): void {
  test.each(rowsOf(cases))('D-40 %s', (_title, before, after, bump) => {
    expect(weigh(before, after)).toBe(bump);
  });
}

export function testSchemas(cases: SchemaCases, components: JsonObject = {}): void {
  test.each(rowsOf(cases))('D-40 %s', (_title, before, after, bumps) => {
    const weights = [taking, returning].map((holding) =>
      weigh(api(holding(before), components), api(holding(after), components)),
    );
    expect(weights.join(' ')).toBe(bumps);
  });
}

function rowsOf<T>(cases: Readonly<Record<string, Cases<T>>>) {
  return Object.entries(cases).flatMap(([bump, pairs]) =>
    Object.entries(pairs).map(([title, [before, after]]) => [title, before, after, bump] as const),
  );
}

function weigh(before: Api, after: Api): Bump {
  expect(reported(before, after)).toMatchSnapshot();
  return heaviest(compareSpecs(before, after)) ?? 'none';
}
