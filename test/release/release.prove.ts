import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releasedVersions } from '../../codegen/src/diff/releases.js';
import { repository, runCommand } from '../support/run-command.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { type Clone, cloneRepository } from './clone.js';
import { installRegistry, type LocalRegistry } from './verdaccio.js';

const packages = ['@adx/client', '@adx/statements', '@adx/cli'];
const { resolve } = createRequire(import.meta.url);
const newest = (await releasedVersions(join(repository, 'openapi.yaml'))).at(-1) ?? '';
/** The release that the new field of a response makes. */
const next = newest.replace(
  /^(\d+)\.(\d+)\..*/,
  (_, major, minor) => `${major}.${Number(minor) + 1}.0`,
);

let folder: string;
let registry: LocalRegistry;
let clone: Clone;
let releasing: string[];
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adx-released-'));
  registry = await installRegistry(join(folder, 'registry'));
  clone = await cloneRepository(join(folder, 'clone'), registry.env);
  // A clone of a checkout without tags takes the newest release for one that was not finished.
  await clone.git('tag', `v${newest}`, 'HEAD~1');
  releasing = ['release', '--', '--registry', registry.url];
  service = await startTestService();
});
afterAll(async () => {
  await service?.close();
  await registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

const versionOf = async (path: string) =>
  JSON.parse(await readFile(join(clone.folder, path), 'utf8')).version;

test('D-44 a release from a changed file, with a red check, or without its registry changes nothing', async () => {
  // The checks of the clone are those of its generated files; all tests would take an hour. The
  // option `--all` becomes a comment.
  await clone.edit('package.json', 'node test/run.mjs"', 'npm run generate -- --check #"');
  await clone.edit(
    'openapi.yaml',
    '    MandatePage:\n',
    `        website:
          type: string
          maxLength: 200
          description: The website of the bank.
          examples: [www.belfius.be]
    MandatePage:
`,
  );
  expect(await clone.npm(...releasing)).toMatchObject({
    code: 1,
    output: expect.stringContaining('not committed:\n M openapi.yaml\n M package.json\n'),
  });
  await clone.git('commit', '--quiet', '--all', '--message', 'Add the website of a bank');
  expect(await clone.npm(...releasing)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`The registry ${registry.url} cannot be read:`),
  });
  await registry.start(['@adx/client']);
  expect(await clone.npm(...releasing)).toMatchObject({
    code: 1,
    output: expect.stringContaining('npm test -- --all failed.'),
  });
  expect(await clone.git('status', '--porcelain')).toBe('');
  expect(await clone.git('log', '-1', '--format=%s')).toBe('Add the website of a bank\n');

  expect(await clone.npm('generate')).toMatchObject({ code: 0 });
  await clone.git('commit', '--quiet', '--all', '--message', 'Generate');
});

test('D-44 a release that stops half-way goes on from there', async () => {
  // Left over from an earlier build.
  const dist = join(clone.folder, 'packages/statements/dist');
  await mkdir(dist);
  await writeFile(join(dist, 'earlier.js'), '');
  const { code, output } = await clone.npm(...releasing);
  expect(output).toContain(`After ${newest} comes ${next}.`);
  expect(output).toContain(`published @adx/client ${next}\n`);
  expect(output).toContain('@adx/statements cannot be published.');
  expect(code).toBe(1);
  expect(await clone.git('log', '-1', '--format=%s')).toBe(`Release ${next}\n`);
  expect(await clone.git('tag')).toBe(`v${newest}\n`);

  await registry.stop();
  await registry.start(packages);
  const released = (await clone.git('rev-parse', 'HEAD')).trim();
  await clone.edit('packages/client/README.md', '# @adx/client', '# The client');
  await clone.git('commit', '--quiet', '--all', '--amend', '--no-edit');
  expect(await clone.npm(...releasing)).toMatchObject({
    code: 1,
    output: expect.stringContaining(
      `@adx/client ${next} is published at ${registry.url} with other content.`,
    ),
  });
  await clone.git('reset', '--quiet', '--hard', released);

  const second = await clone.npm(...releasing);
  expect(second.output).toContain(`${next} is committed, but not finished.`);
  expect(second.output).toContain(`@adx/client ${next} was published before\n`);
  expect(second.output).toContain(`published @adx/statements ${next}\n`);
  expect(second.output).toContain(`published @adx/cli ${next}\n`);
  expect(second.code).toBe(0);
  expect(await clone.git('tag', '--points-at', 'HEAD')).toBe(`v${next}\n`);
  expect(await clone.git('status', '--porcelain')).toBe('');

  expect(await clone.npm(...releasing)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`This commit is already released as v${next}.`),
  });
  await clone.git('reset', '--quiet', '--hard', 'HEAD~1');
  await clone.git('tag', '--delete', `v${next}`);
  expect(await clone.npm(...releasing)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`@adx/client ${next} is already published`),
  });
  await clone.git('reset', '--quiet', '--hard', released);
  await clone.git('tag', `v${next}`);
});

test('D-44 the release has its changelog, its spec, its versions and its documentation', async () => {
  const changelog = await readFile(join(clone.folder, 'CHANGELOG.md'), 'utf8');
  const [, section = ''] = changelog.split(/^## (?=\[)/m).slice(1);
  expect(section).toMatch(/^\[\S+\] - \d{4}-\d\d-\d\d\n\n### Interface\n\n#### /);
  expect(section).toContain(`[${next}] - `);
  expect(section).toContain('\n- `Bank.website` is new (responses of `listBanks`).\n');
  const lines = 'packages/contract/src/generated/openapi-lines.gen.json';
  const spec = JSON.parse(await readFile(join(clone.folder, lines), 'utf8')).join('\n');
  const frozen = await readFile(join(clone.folder, `releases/${next}/openapi.yaml`), 'utf8');
  expect(frozen).toBe(spec);
  const folders = await readdir(join(clone.folder, 'packages'));
  for (const name of ['codegen', 'docs', 'test', ...folders.map((it) => `packages/${it}`)]) {
    expect(await versionOf(join(name, 'package.json'))).toBe(next);
  }
  // npm would write the same lock file.
  const flags = ['--package-lock-only', '--ignore-scripts', '--offline'];
  await runCommand('npm', ['install', ...flags], { cwd: clone.folder });
  expect(await clone.git('status', '--porcelain')).toBe('');

  const site = join(clone.folder, 'docs/dist/reference');
  const current = await readFile(join(site, 'index.html'), 'utf8');
  expect(current).toContain(
    `<a href="${next}/index.html">${next}</a> <a href="${newest}/index.html">`,
  );
  expect(await readFile(join(site, `${next}/openapi.yaml`), 'utf8')).toBe(spec);
  const before = await readFile(join(site, newest, 'index.html'), 'utf8');
  expect(before).toContain('client.banks.list(');
  expect(before).not.toContain('The website of the bank');
});

test('D-44 an empty project installs the client from the registry, compiles a program and calls the service', async () => {
  const project = await mkdtemp(join(folder, 'project-'));
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  const flags = ['--no-audit', '--no-fund', `--registry=${registry.url}`];
  await runCommand('npm', ['install', ...flags, ...packages], { cwd: project, env: registry.env });

  const installed = join(project, 'node_modules/@adx/client');
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    version: next,
    homepage: expect.any(String),
    repository: { type: 'git', directory: 'packages/client' },
    bugs: { url: expect.any(String) },
    publishConfig: { access: 'public' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  });
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE']) {
    expect((await stat(join(installed, name))).size).toBeGreaterThan(100);
  }
  const adx = join(project, 'node_modules/.bin/adx');
  expect(await runCommand(adx, ['--version'])).toBe(`${next}\n`);
  const statements = await readdir(join(project, 'node_modules/@adx/statements/dist'));
  expect(statements).toContain('index.js');
  // The sources that maps would refer to are not published.
  expect(statements.filter((name) => /earlier|\.map$/.test(name))).toEqual([]);
  const sbom = JSON.parse(await readFile(join(installed, 'sbom.cdx.json'), 'utf8'));
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { purl: `pkg:npm/%40adx/client@${next}` } },
  });
  expect(sbom.components.map(({ name }: { name: string }) => name)).toEqual([
    'aws4fetch',
    'openapi-fetch',
    'openapi-typescript-helpers',
  ]);

  await writeFile(join(project, 'main.ts'), program);
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(compiler));
  const tsc = join(resolve('typescript-7/package.json'), '../bin/tsc');
  await runCommand(process.execPath, [tsc], { cwd: project });
  const user = await service.createUser({ firmId: await service.createFirm() });
  const { key } = await service.issueApiKey();
  const printed = await runCommand(process.execPath, ['main.js'], {
    cwd: project,
    env: { URL: service.baseUrl, KEY: key, USERNAME: user.username, PASSWORD: user.password },
  });
  expect(printed).toBe(
    'Hello world. The API key and the ID token are accepted. undefined 12.500\n',
  );
});

const program = `
import { type Bank, createClient } from '@adx/client';
import { formatThousandths } from '@adx/statements';

declare const process: { env: Record<string, string> };
const { URL: baseUrl = '', KEY: apiKey = '', USERNAME: username = '', PASSWORD: password = '' } = process.env;
const client = createClient({ baseUrl, apiKey, username, password });
const { message } = await client.auth.hello();
const [bank] = (await client.banks.list({ limit: 1 })).records;
const website: Bank['website'] = bank?.website;
console.log(message, website, formatThousandths(12_500n));
`;
const compiler = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    types: [],
    module: 'NodeNext',
  },
  files: ['main.ts'],
};
