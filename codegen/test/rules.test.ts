import { expect, it } from 'vitest';
import { readDocument } from '../src/document/read-document.js';
import { type OpenApiObject, readOpenApi } from '../src/openapi/openapi-object.js';
import { checkRules, conventions, requirements } from '../src/rules/check-rules.js';
import type { Rule } from '../src/rules/rule.js';
import { corpus, expectationOf, expectationsOf } from './support/corpus.js';
import { config } from './support/generate-into.js';

const specs = new Map<string, OpenApiObject>();

/** Reads a spec in valid YAML, once for all tests. */
function read(text: string): OpenApiObject {
  const known = specs.get(text);
  if (known) return known;
  const document = readDocument(text);
  if (!document.ok) throw new Error(JSON.stringify(document.findings));
  const api = readOpenApi(document.value);
  specs.set(text, api);
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

const ruleOf = (finding: string) => finding.split(' ')[1] ?? '';
/** The stages before the rules. The rules never get a spec with findings of these stages. */
const earlier = ['yaml', 'reference', 'openapi'];

const valid = corpus('valid').map(({ name, text }) => ({ name, text, expected: [] as string[] }));
const invalid = corpus('invalid')
  .map(({ name, text }) => ({ name, text, expected: expectationsOf(text) }))
  .filter(({ expected }) => !expected.some((finding) => earlier.includes(ruleOf(finding))));

// corpus.test.ts runs the whole corpus through all stages.
it.each([...requirements, ...conventions].map((rule) => [rule.name, rule] as const))(
  'codegen: the rule %s alone has its expected findings',
  (name, rule) => {
    const ownOf = (findings: readonly string[]) =>
      findings.filter((finding) => ruleOf(finding) === name).toSorted();
    const concerned = invalid.filter(({ expected }) => ownOf(expected).length > 0);
    for (const { text, expected } of [...concerned, ...valid]) {
      expect(findingsOf(rule, read(text)).toSorted()).toEqual(ownOf(expected));
    }
  },
);

it.each([...valid, ...invalid])(
  'codegen: all rules together have exactly the expected findings of $name',
  ({ text, expected }) => {
    const findings = checkRules(read(text), config.rules).map(({ line, column, rule, message }) =>
      expectationOf(line, column, rule, message),
    );
    expect(findings.toSorted()).toEqual(expected.toSorted());
  },
);
