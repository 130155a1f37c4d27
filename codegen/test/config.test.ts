import { describe, expect, it } from 'vitest';
import { plainConfig, readConfig } from '../src/config.js';
import { formatFinding } from '../src/document/finding.js';

const folders = 'folders: { contract: a, server: b, client: c }';

function findingsIn(text: string): string[] {
  const outcome = readConfig(text, 'adx.yaml');
  return outcome.ok ? [] : outcome.findings.map(formatFinding);
}

describe('D-42 the configuration of codegen', () => {
  it('D-42 takes the place of defaults, which have no conventions', () => {
    expect(readConfig('headersOfServer: [Allow]', 'adx.yaml')).toEqual({
      ok: true,
      value: { ...plainConfig, headersOfServer: ['Allow'] },
    });
    expect(plainConfig.rules).toEqual({});
    expect(findingsIn(`layout: { ${folders} }`)).toEqual([]);
  });

  it.each([
    [
      'rules:\n  pth-words: D-01',
      '2:3 config There is no convention pth-words; did you mean path-words?',
    ],
    ['rules:\n  parameters: D-01', '2:3 config There is no convention parameters.'],
    ['rules:\n  path-words:', '2:3 config path-words must be string.'],
    ['rules: { path-words: "" }', '1:22 config path-words must NOT have fewer than 1 characters.'],
    ['rules: [path-words]', '1:1 config rules must be object.'],
    ['rule: {}', '1:1 config rule is not a part of the configuration; did you mean rules?'],
    ['layout: {}', "1:1 config layout must have required property 'folders'."],
    [
      'layout:\n  folders: { contract: a, server: b }',
      "2:3 config folders must have required property 'client'.",
    ],
    [
      'layout:\n  folders: { contract: a, server: b, client: ./a/ }',
      '2:46 config contract and client are the same folder.',
    ],
    [
      `layout: { ${folders}, modules: { contract: a } }`,
      "1:59 config modules must have required property 'caller'.",
    ],
    ['headersOfServer: Allow', '1:18 config headersOfServer must be array.'],
    ['rules', '1:1 yaml The document is not a mapping.'],
    ['', '1:1 yaml The document is empty.'],
  ])('D-42 a mistake is reported at its place: %j', (text, finding) => {
    expect(findingsIn(text)).toEqual([`adx.yaml:${finding}`]);
  });

  it('D-42 a configuration that is not YAML is refused', () => {
    expect(findingsIn('rules: {')[0]).toMatch(/^adx\.yaml:1:8 yaml /);
  });

  it('D-42 all mistakes are reported, in file order', () => {
    expect(findingsIn('rules: { a: D-01, path-words: 1 }\nlayuot: {}')).toEqual([
      'adx.yaml:1:10 config There is no convention a.',
      'adx.yaml:1:31 config path-words must be string.',
      'adx.yaml:2:1 config layuot is not a part of the configuration; did you mean layout?',
    ]);
  });
});
