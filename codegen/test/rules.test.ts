import { expect, it } from 'vitest';
import { readDocument } from '../src/document/read-document.js';
import { type OpenApiObject, readOpenApi } from '../src/openapi/openapi-object.js';
import { toPlainForm } from '../src/openapi/plain-form.js';
import { checkRules } from '../src/rules/check-rules.js';
import { corpus, expectationOf, expectationsOf } from './support/corpus.js';
import { config } from './support/generate-into.js';

const specs = new Map<string, OpenApiObject>();

/** Reads a spec in valid YAML, once for all tests. */
function read(text: string): OpenApiObject {
  const known = specs.get(text);
  if (known) return known;
  const document = readDocument(text);
  if (!document.ok) throw new Error(JSON.stringify(document.findings));
  const plain = toPlainForm(document.value);
  const api = readOpenApi(plain.document, plain);
  specs.set(text, api);
  return api;
}

const ruleOf = (finding: string) => finding.split(' ')[1] ?? '';
/** The stages before the rules. The rules never get a spec with findings of these stages. */
const earlier = ['yaml', 'derived', 'reference', 'openapi'];

const valid = corpus('valid').map(({ name, text }) => ({ name, text, expected: [] as string[] }));
const invalid = corpus('invalid')
  .map(({ name, text }) => ({ name, text, expected: expectationsOf(text) }))
  .filter(({ expected }) => !expected.some((finding) => earlier.includes(ruleOf(finding))));

// corpus.test.ts runs the whole corpus through all stages; this is faster, for tests of mutations.
it.each([...valid, ...invalid])(
  'codegen: all rules together have exactly the expected findings of $name',
  ({ text, expected }) => {
    const findings = checkRules(read(text), config.rules).map(({ line, column, rule, message }) =>
      expectationOf(line, column, rule, message),
    );
    expect(findings.toSorted()).toEqual(expected.toSorted());
  },
);
