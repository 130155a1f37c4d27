import { describe, expect, it } from 'vitest';
import { type Config, plainConfig } from '../src/config.js';
import { loadSpec } from '../src/render.js';
import { conventions, requirements } from '../src/rules/check-rules.js';
import { corpus, expectationOf, expectationsOf } from './support/corpus.js';
import { config } from './support/generate-into.js';

async function findingsOf(text: string, by: Config = config): Promise<string[]> {
  const outcome = await loadSpec(text, { config: by });
  if (outcome.ok) return [];
  return outcome.findings.map(({ line, column, rule, message }) =>
    expectationOf(line, column, rule, message),
  );
}

describe('codegen: a spec that follows the rules is accepted', () => {
  it.each(corpus('valid'))('$name', async ({ text }) => {
    expect(await findingsOf(text)).toEqual([]);
  });
});

describe('codegen: all mistakes in a spec are reported with their positions, in file order', () => {
  it.each(corpus('invalid'))('$name', async ({ text }) => {
    const expected = expectationsOf(text);
    expect(expected).not.toEqual([]);
    const findings = await findingsOf(text);
    expect(findings.toSorted()).toEqual(expected.toSorted());
    const places = findings.map((finding) => {
      const [line = Number.NaN, column = Number.NaN] = finding.split(/[: ]/).map(Number);
      return line * 10_000 + column;
    });
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it.each(corpus('ordinary'))('without conventions: $name', async ({ text }) => {
    const findings = await findingsOf(text, plainConfig);
    expect(findings.toSorted()).toEqual(expectationsOf(text).toSorted());
  });

  it('every rule has a case', () => {
    const expected = corpus('invalid').flatMap(({ text }) => expectationsOf(text));
    const covered = new Set(expected.map((expectation) => expectation.split(' ')[1]));
    const known = [
      ...[...requirements, ...conventions].map(({ name }) => name),
      'yaml',
      'derived',
      'reference',
      'openapi',
    ];
    expect([...covered].sort()).toEqual(known.sort());
  });
});

describe('codegen: text that is not a spec', () => {
  it.each(['', '\n', '\uFEFF', '\u0000', '42', 'openapi: 3.1.0', 'a: [', '? [a]\n: b', '%YAML 9'])(
    '%j is reported, not thrown',
    async (text) => {
      expect(await findingsOf(text)).not.toEqual([]);
    },
  );

  it('a byte order mark is not part of the spec', async () => {
    const [valid] = corpus('valid');
    expect(await findingsOf(`\uFEFF${valid?.text}`)).toEqual([]);
  });
});
