// @module-tag long
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spec } from '@adx/contract/spec';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesIn, installPackage } from '../../../test/support/installed-package.js';
import { compileIn } from './support/compile.js';
import { openInEditor } from './support/editor.js';
import { failure, TestService } from './support/test-service.js';
import { TestStorage } from './support/test-storage.js';

const run = promisify(execFile);

const uploadCredentials = {
  accessKeyId: 'ASIAEXAMPLEKEY000001',
  secretAccessKey: 'secret',
  sessionToken: 'token',
  bucketName: 'adx-coda-uploads',
  prefix: 'uploads/kantoor-maes',
  expirationUtc: '2100-01-01T00:00:00.000Z',
};

const finding = {
  severity: 'warning',
  code: 'furtherFindings',
  message: 'There are further findings',
};

let project: string;
let packed: string[];
beforeAll(async () => {
  project = await installPackage('client');
  packed = await filesIn(join(project, 'node_modules/@adx/client'));
});
afterAll(() => rm(project, { recursive: true, force: true }));

const installed = (path: string) =>
  readFile(join(project, 'node_modules/@adx/client', path), 'utf8');

/** Returns the TypeScript examples of the README as programs: each goes on from the first lines. */
async function examples(): Promise<string[]> {
  const readme = await installed('README.md');
  const [first, ...others] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]);
  return others.map((example) => `${first}\n${example}`);
}

let compiled: Promise<void> | undefined;

/** Compiles one after the other once: all models, the nightly program, and the examples. */
function compileAll(): Promise<void> {
  const compile = async () => {
    const sources = [everyModel, await nightlyProgram(), ...(await examples())];
    await compileIn(project, 'typescript-7', sources, 'NodeNext', 'nodenext');
  };
  compiled ??= compile();
  return compiled;
}

/** A program that imports every model of the interface. */
const everyModel = `
  import type { ${Object.keys(spec.components.schemas)} } from '@adx/client';
  import { moveFile, syncFolder, writeSynced } from '@adx/client/save-file';
`;

const environmentOf = ({ baseUrl }: TestService) => ({
  ADX_URL: baseUrl,
  ADX_API_KEY: 'adx_test_key',
  ADX_USERNAME: 'els.maes@kantoor-maes.example',
  ADX_PASSWORD: 'zeer-geheim-2026',
});

/** Returns the program of the README that saves the files of each night. */
async function nightlyProgram(): Promise<string> {
  return /```typescript\n(.*?)```/s.exec(await installed('README.md'))?.[1] ?? '';
}

describe('client: the package', () => {
  it('client: contains the necessary files only', () => {
    const loadedLater = /^dist\/\w+(-\w+)*-[\w-]{8}\.js$/;
    expect(packed.filter((path) => !loadedLater.test(path))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/network-cause.js',
      'dist/no-network-cause.js',
      'dist/no-save-file.js',
      'dist/save-file.d.ts',
      'dist/save-file.js',
      'package.json',
    ]);
  });

  it('client: depends on openapi-fetch, and on aws4fetch for uploads only', async () => {
    expect(Object.keys(JSON.parse(await installed('package.json')).dependencies)).toEqual([
      'aws4fetch',
      'openapi-fetch',
    ]);
    const importing = packed.filter((path) => path.endsWith('.js'));
    const sources = await Promise.all(importing.map((path) => installed(path)));
    const imported = sources.flatMap((source, index) =>
      [...source.matchAll(/^import .* from "([^.#].*)";$/gm)].map(([, name]) => [
        importing[index]?.replace(/-[\w-]{8}(?=\.js$)/, ''),
        name,
      ]),
    );
    expect(imported).toEqual([
      ['dist/index.js', 'openapi-fetch'],
      ['dist/save-file.js', 'node:fs/promises'],
      ['dist/save-file.js', 'node:path'],
      ['dist/save-file.js', 'node:timers/promises'],
      ['dist/upload.js', 'aws4fetch'],
    ]);
  });

  it.each(['index', 'save-file'])(
    'client: the types of %s need no other packages',
    async (name) => {
      const types = await installed(`dist/${name}.d.ts`);
      expect(types).not.toContain('@adx/contract');
      expect(types).not.toMatch(/^import /m);
      expect(types).not.toContain('types="node"');
    },
  );

  it('client: exports every model of the interface', () => compileAll());

  it('client: its modules are found without `exports`, as by React Native and moduleResolution node10', async () => {
    await compileIn(project, 'typescript', [everyModel], 'CommonJS', 'node10');
    const { main } = JSON.parse(await installed('package.json'));
    expect(packed).toContain(join(main));
  });

  it('client: editors show its types by their names', () => {
    const { hover } = openInEditor(
      project,
      `import type { Client } from '@adx/client';
      declare const client: Client;
      const customer = await client.customers.get('');
      const upload = await client.codaFiles.upload(new Blob(), 'a.cod');
      const outcome = await upload.outcome();
      export const { contact } = customer;
      export const { files } = outcome;`,
    );
    expect(['customer', 'outcome', 'contact', 'files'].map(hover)).toEqual([
      'const customer: Customer',
      'const outcome: UploadOutcome',
      'const contact: Contact',
      'const files: ListedUploadFile[]',
    ]);
  });

  it.each([
    ['typescript', 'ESNext', 'bundler'],
    ['typescript-7', 'NodeNext', 'nodenext'],
  ] as const)(
    'client: every example of the README compiles (%s, %s, %s) and runs',
    async (compiler, module, resolution) => {
      const service = await TestService.start();
      const customers = [{ enterpriseNumber: '0765.432.146', name: 'Bakkerij De Gouden Korst' }];
      const path = '/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71%200961%202345%206769';
      const headers = { 'x-request-id': 'request-1' };
      service.on('GET /hello-world', () => ({ json: { message: 'Hello world.' }, headers }));
      service.on('GET /customers', () => ({ json: customers }));
      service.on('POST /customers', () => ({
        json: { records: customers, recordsTotal: 1, recordsFiltered: 1 },
      }));
      const mandate = {
        id: 'm',
        product: 'CODA',
        status: 'confirmedByBank',
        updatedOn: '2026-03-09T05:02:11.480Z',
      };
      service.on('POST /mandates', () => ({
        json: { records: [mandate], recordsTotal: 1, recordsFiltered: 1 },
      }));
      service.on(`POST ${path}`, () => failure(409, 'ibanInUse'));
      service.on('POST /mandates/6740a1f2c3d4e5f6a7b8c9d0/request', () => ({
        json: { id: 'm', status: 'created' },
      }));
      const storage = await TestStorage.start();
      storage.answering = (response) =>
        response.writeHead(200, { 'content-length': 5 }).end('00000');
      const file = {
        id: '6741b2c3d4e5f6a7b8c9d0e1',
        fileName: 'BE71096123456769_EUR_2026_042.cod',
        urls: { coda: `${storage.url}/listed` },
      };
      service.on('POST /coda-files', () => ({ json: [{ ibans: [{ files: [file] }] }] }));
      service.on(`DELETE /coda-files/${file.id}`, () => ({ json: { message: 'Acknowledged.' } }));
      service.on('POST /coda-files/upload-credentials', () => ({
        json: { ...uploadCredentials, endpoint: storage.url, region: 'us-east-1' },
      }));
      service.on('POST /uploads', () => {
        const { prefix } = uploadCredentials;
        const key = storage.received.at(-1)?.url.split(`${prefix}/`)[1];
        const counts = { fileCount: 1, files: [{}], findingCount: 1, findings: [finding] };
        const settledOn = '2026-03-03T05:12:44.310Z';
        const record = { id: 'u', status: 'processed', settledOn, prefix, key, ...counts };
        return { json: { records: [record], recordsTotal: 1, recordsFiltered: 1 } };
      });
      const sources = await examples();
      const isCompiled = compiler === 'typescript-7';
      await (isCompiled ? compileAll() : compileIn(project, compiler, sources, module, resolution));
      const first = isCompiled ? 2 : 0;
      const all = sources.map((_, i) => `await import('./main${first + i}.js');`).join('\n');
      await writeFile(join(project, resolution, 'all.js'), all);
      const env = { ...process.env, ...environmentOf(service) };
      const { stdout } = await run(process.execPath, [join(project, resolution, 'all.js')], {
        env,
      });
      await Promise.all([service.stop(), storage.stop()]);
      expect(storage.received.map(({ method }) => method)).toEqual(['GET', 'PUT']);
      expect(stdout.split('\n')).toEqual([
        'Hello world.',
        '1 of 1',
        '0765.432.146 Bakkerij De Gouden Korst',
        'CODA confirmedByBank 2026-03-09T05:02:11.480Z',
        'BE71096123456769_EUR_2026_042.cod: 5 of 5 bytes',
        'processed 1',
        'warning furtherFindings There are further findings',
        'Another customer has this account.',
        '1',
        'created',
        'Hello world. 200 request-1',
        '',
      ]);
    },
  );

  it('D-50 its nightly program compiles and saves files, also where the package is required', async () => {
    const [service, storage] = await Promise.all([TestService.start(), TestStorage.start()]);
    storage.answering = (response) => response.writeHead(200, { 'content-length': 5 }).end('00000');
    const customer = (fileName: string) => ({
      id: 'c',
      groups: [
        {
          files: [
            {
              id: fileName,
              fileName,
              urls: { coda: `${storage.url}/a`, codb: `${storage.url}/a` },
            },
          ],
        },
      ],
    });
    service.on('POST /coda-files', () => ({ json: [customer('april.cod')] }));
    service.on('POST /codb-files', () => ({ json: [customer('april.xml')] }));
    for (const product of ['coda', 'codb']) {
      service.on(`POST /${product}-files/acknowledgements`, () => ({ json: {} }));
    }
    const program = await nightlyProgram();
    await compileAll();
    const required = program
      .replaceAll(/import (.*) from ('.*');/g, 'const $1 = require($2);')
      .replace(/^$/m, '(async () => {')
      .concat('})();');
    await writeFile(join(project, 'main.cjs'), required);
    const env = { ...process.env, ...environmentOf(service) };
    for (const main of [join(project, 'nodenext', 'main1.js'), join(project, 'main.cjs')]) {
      const cwd = await mkdtemp(join(project, 'night-'));
      await run(process.execPath, [main], { cwd, env });
      expect((await readdir(join(cwd, 'statements'))).sort()).toEqual(['april.cod', 'april.xml']);
    }
    await Promise.all([service.stop(), storage.stop()]);
    const acknowledged = service.received.filter(({ path }) => path.endsWith('acknowledgements'));
    expect(acknowledged.map(({ body }) => body)).toEqual([
      { fileIds: ['april.cod'] },
      { fileIds: ['april.xml'] },
      { fileIds: ['april.cod'] },
      { fileIds: ['april.xml'] },
    ]);
  });

  it('D-50 a bundle for web pages contains no module of Node', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export * from '@adx/client';", resolveDir: project },
      ...{ bundle: true, format: 'esm', platform: 'browser', write: false },
    });
    const [{ text } = { text: '' }] = outputFiles;
    expect(text).toContain('save needs the file system of Node');
    expect(text).not.toContain('node:');
  });
});
