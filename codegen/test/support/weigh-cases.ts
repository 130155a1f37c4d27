import { expect, test } from 'vitest';
import { heaviest, type Weight } from '../../src/diff/compare/change.js';
import { compareSpecs } from '../../src/diff/compare/compare-specs.js';
import type { JsonObject } from '../../src/document/json.js';
import { api, reported, returning, taking } from './small-api.js';

type Bump = Weight | 'none';

/** Two interfaces by the title of a test, and what the change to the second one weighs. */
export type ApiCases = Readonly<
  Record<string, readonly [before: ReturnType<typeof api>, after: ReturnType<typeof api>, Bump]>
>;

/** The same with two schemas, which a request and a response have. */
export type SchemaCases = Readonly<
  Record<string, readonly [before: JsonObject, after: JsonObject, request: Bump, response: Bump]>
>;

/** Tests the weights; a snapshot has the texts of the changes, their places and the calls. */
export function testApis(cases: ApiCases): void {
  test.each(Object.entries(cases))('D-40 %s', (_name, [before, after, bump]) => {
    expect(weigh(before, after)).toBe(bump);
  });
}

export function testSchemas(cases: SchemaCases, components: JsonObject = {}): void {
  test.each(Object.entries(cases))('D-40 %s', (_name, [before, after, request, response]) => {
    const [asked, answered] = [taking, returning].map((holding) =>
      weigh(api(holding(before), components), api(holding(after), components)),
    );
    expect({ request: asked, response: answered }).toEqual({ request, response });
  });
}

function weigh(before: ReturnType<typeof api>, after: ReturnType<typeof api>): Bump {
  expect(reported(before, after)).toMatchSnapshot();
  return heaviest(compareSpecs(before, after)) ?? 'none';
}
