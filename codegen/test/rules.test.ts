import { expect, it } from 'vitest';
import { readDocument } from '../src/document/read-document.js';
import { type OpenApiObject, readOpenApi } from '../src/openapi/openapi-object.js';
import { rules } from '../src/rules/registry.js';
import type { Rule } from '../src/rules/rule.js';
import { corpus } from './support/corpus.js';
import { expectationOf, expectationsOf } from './support/expectations.js';

const specifications = new Map<string, OpenApiObject>();

/** A specification that is known to be YAML, read once. */
function read(text: string): OpenApiObject {
  const known = specifications.get(text);
  if (known) return known;
  const document = readDocument(text);
  if (!document.ok) throw new Error(JSON.stringify(document.findings));
  const api = readOpenApi(document.value);
  specifications.set(text, api);
  return api;
}

function findingsOf(rule: Rule, api: OpenApiObject): string[] {
  const findings: string[] = [];
  rule.check(api, (place, message) => {
    const { line, column } = 'position' in place ? place.position : place;
    findings.push(expectationOf(line, column, rule.name, message));
  });
  return findings;
}

const valid = corpus('valid').map(({ text }) => ({ text, expected: [] as string[] }));
const invalid = corpus('invalid').map(({ text }) => ({ text, expected: expectationsOf(text) }));

// Those of the whole corpus, stage after stage, stand in corpus.test.ts.
it.each(rules.map((rule) => [rule.name, rule] as const))(
  'codegen: the rule %s by itself finds what it should',
  (name, rule) => {
    const ownOf = (findings: readonly string[]) =>
      findings.filter((finding) => finding.split(' ')[1] === name).toSorted();
    const concerned = invalid.filter(({ expected }) => ownOf(expected).length > 0);
    for (const { text, expected } of [...concerned, ...valid]) {
      expect(findingsOf(rule, read(text)).toSorted()).toEqual(ownOf(expected));
    }
  },
);
