import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCatalogue, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { codaFindings, codbFindings } from '@adx/statements';
import { expect, onTestFinished, test } from 'vitest';
import { things } from '../../codegen/test/support/corpus.js';
import { assemble } from '../../docs/site/assemble.js';
import { withLinksToPages } from '../../docs/site/links.js';
import { llmsFiles } from '../../docs/site/llms.js';
import { sections } from '../../docs/site/pages.js';
import { siteConfig } from '../../docs/site/site-config.js';
import { findingGuide } from '../../docs/site/texts/finding-pages.js';
import { interfaceChanges } from '../../docs/site/texts/interface-changes.js';
import { journeyFiles } from '../../docs/site/texts/journey-texts.js';
import { lifecyclePicture } from '../../docs/site/texts/lifecycle-picture.js';
import { descriptionOfTag, sectionOf } from '../../docs/site/texts/spec-texts.js';
import client from '../../packages/client/package.json' with { type: 'json' };
import { listScenarios } from '../../packages/sandbox/src/scenarios/descriptions.js';
import { uploadFindings } from '../../packages/server/src/uploads/documents/finding.js';
import { repository } from '../support/run-command.js';
import { labelsIn, languages } from './labels-of-groups.js';

const decisions = await readdir(join(repository, 'docs/decisions'));
const assembled = await assemble(repository, ['1.0.0'], decisions);
const pages = new Map(assembled.map(({ path, markdown }) => [path, markdown]));

test.each(Object.entries(errorCatalogue))(
  'D-52 the page of %s says when, what to do, what an answer is, and which operations give it',
  (code, { status, message }) => {
    const page = pages.get(`errors/${code}`) ?? '';
    const title = `# ${code}\n\n**${message}**\n\nStatus **${status}**`;
    expect(page).toContain(`${title}, \`error\` is \`${code}\`.\n\n## When\n\n`);
    const example = JSON.parse(/^```json\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
    expect(example).toMatchObject({ error: code, message, requestId: expect.any(String) });
    const [, listed = ''] = page.split('## Operations');
    const all = Object.values(operations);
    const named = all.filter(({ operationId }) => listed.includes(`/${operationId})`));
    const answering = all.filter(({ errors }) => errors.some((each) => each === code));
    const others = all.filter((each) => !answering.includes(each));
    const isNegative = listed.includes('All operations');
    expect(named).toEqual(isNegative ? others : answering);
  },
);

test('D-03 the reasons of a refused sign-in have a page each', () => {
  expect(pages.get('errors/tooManyRequests')).toMatch(
    /```http\nRateLimit: "default";r=0;t=12\nRateLimit-Policy: ".*\nRetry-After: 12\n```\n\n```json\n/,
  );
  const withRetryAfter = [...pages].flatMap(([path, page]) =>
    /^Retry-After: \d+$/m.test(page) ? [path] : [],
  );
  expect(withRetryAfter).toEqual([
    ...['errors/idempotencyKeyInUse', 'errors/tooManyRequests', 'errors/unavailable'],
  ]);
  expect(pages.get('errors/authenticationFailed')).toMatch(
    /^# authenticationFailed\n\n\*\*The username or password is wrong, or the password is not encoded in Base64\.\*\*\n\nStatus \*\*500\*\*, `error` is `Authentication failed`\..*Base64.*ten failures.*operation\/getToken/s,
  );
  expect(pages.get('errors/invalidRefreshToken')).toMatch(
    /`error` is `Invalid refresh token`.*"error": "Invalid refresh token"/s,
  );
  expect(pages.get('errors/index')).toContain(
    '| [`Authentication failed`](./authenticationFailed.md) | 500 | The username or password is wrong, or the password is not encoded in Base64. |',
  );
});

test.each([
  ['coda', codaFindings],
  ['codb', codbFindings],
])('D-27 the page findings/%s has each code of the catalogue, by severity', (name, catalogue) => {
  const [, errors = '', warnings = ''] = (pages.get(`findings/${name}`) ?? '').split(/^## /m);
  const entry = (code: string, text: string) => `### ${code} {#${code}}\n\n${text}.`;
  for (const [code, { severity, text }] of Object.entries(catalogue)) {
    expect(severity === 'error' ? errors : warnings).toContain(entry(code, text));
  }
});

test('D-27 the spec lists each code that a finding on an upload can have', () => {
  const { UploadFindingCode } = spec.components.schemas;
  const codes = [codaFindings, codbFindings, findingGuide].flatMap(Object.keys);
  expect(UploadFindingCode?.['x-extensible-enum']).toEqual([...new Set(codes)]);
});

test('D-27 the findings of the service say what to do, except those of deliveries', () => {
  const page = pages.get('findings/index') ?? '';
  const listed = [...page.matchAll(/^### (\w+) \{#\1\}\n\n(.+)$/gm)];
  const texts: Readonly<Record<string, { text: string }>> = uploadFindings;
  for (const [, code = '', text = ''] of listed) {
    expect(text.startsWith(`${texts[code]?.text}. `), code).toBe(true);
  }
  const ofDeliveries = [
    ...['unknownFormat', 'specialFile', 'otherProduct', 'accountOfAnotherBank'],
    ...['namesAnotherSender', 'notMoved', 'stillWritten', 'held'],
  ];
  expect([...listed.map(([, code]) => code), ...ofDeliveries].sort()).toEqual(
    Object.keys(uploadFindings).sort(),
  );
});

test('D-53 the page of the sandbox has every option of every scenario', () => {
  const page = pages.get('tools/sandbox') ?? '';
  for (const { name, options } of listScenarios()) {
    const [, table = ''] = page.split(`### Options of \`${name}\`\n`);
    for (const option of options)
      expect(table).toContain(`| \`${option.name}\` | ${option.description}`);
  }
});

test('D-54 the page of other languages shows each configuration of the generators that are tested', async () => {
  const page = pages.get('tools/languages') ?? '';
  const folder = join(repository, 'test/generated-clients/configs');
  const names = await readdir(folder);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    expect(page).toContain(`\`${name}\`:\n\n\`\`\`mjs\n${text}\`\`\`\n`);
  }
});

test('D-54 every guide with samples has them in six languages, and as Markdown without marks', async () => {
  const texts = llmsFiles(assembled, '/docs/');
  const names = [...pages.keys()].filter((name) => /^guide\//.test(name));
  const withCode = names.filter((name) => /^```(?:ts|sh)/m.test(pages.get(name) ?? ''));
  expect(withCode.length).toBeGreaterThan(5);
  for (const name of withCode) {
    const groups = [...(pages.get(name) ?? '').matchAll(/^::: code-group\n(.*?)^:::$/gms)]
      .map(([group]) => labelsIn(group))
      .filter((labels) => !labels.includes('PowerShell'));
    expect(groups, name).toEqual(groups.map(() => languages));
    expect(groups.length, name).toBeGreaterThan(0);
    expect(texts.get(`${name}.md`), name).not.toContain(':::');
    const shown = labelsIn(texts.get(`${name}.md`) ?? '');
    expect(shown.filter((label) => label === 'curl')).toHaveLength(groups.length);
  }
});

test('D-54 readers without tabs and pictures are told which languages follow, and what a picture shows', () => {
  const texts = llmsFiles(assembled, '/docs/');
  expect(texts.get('llms.txt')).toContain(
    '\n\nEach sample is in TypeScript, C#, PHP, Python, Java and curl, one after the other.\n\n',
  );
  expect(texts.get('guide/quick-start.md')).toMatch(
    /One of TypeScript, C#, PHP, Python, Java, curl:\n\n```ts \[TypeScript\]\n/,
  );
  expect(texts.get('guide/quick-start.md')).toContain('One of bash, zsh, fish, PowerShell, cmd:\n');
  expect(texts.get('index.md')).toMatch(
    /^# Accounting .*\n\nBanks bring CODA files and .*\n\n## /s,
  );
});

test('D-52 pages as Markdown have neither settings nor tags of the site, and pictures as words', () => {
  const texts = llmsFiles(assembled, '/docs/');
  for (const [name, text] of texts) {
    if (!name.endsWith('.md')) continue;
    expect(text, name).toMatch(/^# /);
    expect(text, name).not.toMatch(/^<\/?(?:svg|div|p\b|[A-Z])|^```\w+ not-run/m);
  }
  expect(texts.get('index.md')?.match(/Banks bring CODA files/g)).toHaveLength(1);
  expect(texts.get('llms-full.txt')).not.toContain('<svg');
});

test('D-24 the pictures of the lifecycle show every status of a mandate', () => {
  const pictures = ['coda', 'lightConnector', 'codb'].map(lifecyclePicture).join('');
  const shown = [...pictures.matchAll(/<text[^>]*>(\w+)<\/text>/g)].map(([, text]) => text);
  const statuses = spec.components.schemas['MandateStatus']?.['enum'];
  expect(statuses).toHaveLength(14);
  expect(shown).toEqual(expect.arrayContaining([...new Set(statuses as string[])]));
  expect(() => lifecyclePicture('other')).toThrow('There is no kind of mandate other');
});

test('D-52 the text of the interface is that of the spec', () => {
  expect(pages.get('guide/limits')).toContain('## Paging\n\n*Search customers*, *Search mandates*');
  expect(() => sectionOf('## Limits\n\nMany.', 'Limit')).toThrow('has no section "Limit"');
  expect(() => descriptionOfTag([{ name: 'Uploads' }], 'Uploads')).toThrow('no tag "Uploads"');
});

test('D-24 the page about mandates says what to do about every status, and how a new mandate is asked for after a refusal', () => {
  const page = pages.get('guide/mandates') ?? '';
  const statuses = spec.components.schemas['MandateStatus']?.['enum'] as string[];
  expect(statuses).toHaveLength(14);
  for (const status of statuses) {
    expect(page).toMatch(
      new RegExp(`^\\| \`${status}\`(<br>COD[AB])? \\|[^|]+\\| [A-Z*][^|]+\\. ?\\|$`, 'm'),
    );
  }
  expect(page).toMatch(
    /^\| `rejectedByBank`<br>CODA .*\*Disable bank account\*.*\*Add bank account\*/m,
  );
});

test('D-52 pages for operators, decisions and proofs have a menu of their own', () => {
  const ofPartners = sections.flatMap((section) => section.pages.map(({ path }) => path));
  expect(ofPartners.filter((path) => /^(?:operators|decisions)\//.test(path))).toEqual([]);
  const { sidebar } = siteConfig('/docs/', { script: '', style: '', files: [] }).themeConfig;
  for (const folder of ['/operators/', '/decisions/'] as const) {
    const links = sidebar[folder].flatMap(({ items }) => items.map(({ link }) => link));
    expect(links).toContain('/operators/proofs');
    expect(links.filter((link) => link.startsWith('/guide/'))).toEqual([]);
  }
});

test('D-40 the changes of the interface are those between its versions, first in words that name each new operation and error', () => {
  const page = pages.get('interface/changes') ?? '';
  expect(page).toMatch(
    /## After 1\.0\.0\n\n\[Reference\]\(\.\.\/reference\/index\.html\)\n\n.*<details>.*### Added\n\n.*<\/details>\n\n## 1\.0\.0\n\n\[Reference\]\(\.\.\/reference\/1\.0\.0\/index\.html\)\n\nThe first version\./s,
  );
  const [words = '', list = ''] = page.split('<details>');
  const added = [...list.matchAll(/^- (?:Error code )?`(\w+)` \(.*\) is new/gm)];
  expect(added.length).toBeGreaterThan(5);
  expect(added.filter(([, name]) => !words.includes(`\`${name}\``))).toEqual([]);
});

test('D-52 pages and versions have their dates where Git knows them', async () => {
  const dates = {
    added: new Map([['releases/1.0.0/openapi.yaml', '2026-11-02']]),
    changed: new Map([['docs/pages/guide/files.md', '2026-11-30']]),
  };
  const dated = await assemble(repository, ['1.0.0'], [], dates);
  const page = (path: string) => dated.find((each) => each.path === path)?.markdown;
  expect(page('guide/files')).toMatch(
    /\n<p class="last-change">Last changed on 30 November 2026<\/p>\n$/,
  );
  expect(page('interface/changes')).toContain('## 1.0.0\n\n2 November 2026. [Reference]');
  expect(page('guide/limits')).not.toContain('Last changed');
});

test('D-40 the changes of the interface have a sunset, and nothing that only the generator of the client reads', async () => {
  const root = await mkdtemp(join(tmpdir(), 'adx-changes-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, 'releases/1.0.0'), { recursive: true });
  await writeFile(join(root, 'releases/1.0.0/openapi.yaml'), things);
  const deprecation = `deprecated: true
      x-deprecated-since: '2026-12-01'
      x-sunset: '2027-12-01'
      x-client-method: things.read`;
  const changed = things.replace('x-client-method: things.get\n', `${deprecation}\n`);
  await writeFile(join(root, 'openapi.yaml'), changed);
  const changes = await interfaceChanges(root, ['1.0.0']);
  expect(changes).toContain('- `getThing` now has `x-sunset: 2027-12-01`.\n');
  expect(changes).not.toContain('x-client-method');
});

test('D-54 the site has the journeys, whose sources are in the site too', async () => {
  const files = await journeyFiles(repository);
  const sources = [...files.values()].flatMap((text) =>
    [...text.matchAll(/^ +url: (\S+\.yaml)$/gm)].map(([, url = '']) => join('journeys', url)),
  );
  expect(sources).toContain('reference/openapi.yaml');
  const missing = sources.filter((path) => path !== 'reference/openapi.yaml' && !files.has(path));
  expect(missing).toEqual([]);
  const journeys = [...files.keys()].filter((path) => path.endsWith('.arazzo.yaml'));
  const page = pages.get('interface/journeys') ?? '';
  expect(journeys.filter((path) => !page.includes(`](../${path})`))).toEqual([]);
});

test('D-52 a link between files becomes one between pages, or its text', () => {
  const sources = new Map([
    ['docs/guides/commands.md', 'operators/commands'],
    ['README.md', 'index'],
  ]);
  const converted = (text: string) =>
    withLinksToPages(text, 'docs/guides/production.md', 'operators/production', sources);
  expect(converted('[A](commands.md#keys), [B](../../README.md)')).toBe(
    '[A](./commands.md#keys), [B](../index.md)',
  );
  expect(converted('[a test](../../test/a.test.ts), [below](#backup)')).toBe(
    'a test, [below](#backup)',
  );
  expect(converted('[`notFound`](/errors/notFound.md)')).toBe(
    '[`notFound`](../errors/notFound.md)',
  );
  expect(converted('[Get](#operation/getBank)')).toBe(
    '[Get](../reference/index.html#operation/getBank)',
  );
  expect(converted(`[C](${client.homepage}tools/client.html#errors)`)).toBe(
    '[C](../tools/client.md#errors)',
  );
  expect(converted(`[S](${client.homepage}reference/index.html#operation/searchMandates)`)).toBe(
    '[S](../reference/index.html#operation/searchMandates)',
  );
  expect(converted('[RFC](https://www.rfc-editor.org)')).toBe('[RFC](https://www.rfc-editor.org)');
  expect(converted('![A](../../docs/spec-to-code.svg)')).toBe('');
  expect(converted('![Calls](../plots/calls.svg)')).toBe('![Calls](../plots/calls.svg)');
  expect(converted('```md\n[A](commands.md)\n```')).toBe('```md\n[A](commands.md)\n```');
});
