import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { installPackage } from '../../../test/support/installed-package.js';
import { TestService } from './support/test-service.js';

const run = promisify(execFile);

/** React Native, its stock presets of the compiler and of Babel, and the bundler. */
const versions = [
  ['0.76.9', '18.3.1', '0.81.5'],
  ['0.87.1', '19.2.9', '0.87.1'],
] as const;

const service = new TestService();
beforeAll(() => service.start());
afterAll(() => service.stop());

const program = (baseUrl: string) => `import { createClient, type Customer } from '@adx/client';

async function main(): Promise<string> {
  const login = { username: 'els.maes@kantoor-maes.example', password: 'zeer-geheim-2026' };
  const client = createClient({ baseUrl: '${baseUrl}', apiKey: 'adx_test_key', ...login });
  const { message }: { message: string } = await client.auth.hello();
  const customers: Customer[] = [];
  for await (const customer of client.customers.search()) customers.push(customer);
  for await (const file of client.codaFiles.pending()) file.acknowledge();
  return [message, ...customers.map(({ name }) => name)].join(', ');
}
main().then(console.log, console.error);
`;

/** Bundles with the modules of `exports`, and again without, as older versions do. */
const bundler = (root: string) => `
const Metro = require('metro');
const { getDefaultConfig, mergeConfig } = require('@react-native/metro-config');
async function bundle(unstable_enablePackageExports) {
  const config = mergeConfig(getDefaultConfig('${root}'), {
    ...{ projectRoot: '${root}', watchFolders: ['${root}'], maxWorkers: 1, resetCache: true },
    ...{ reporter: { update() {} }, resolver: { unstable_enablePackageExports } },
  });
  const out = '${root}/out/' + unstable_enablePackageExports + '.js';
  await Metro.runBuild(config, { entry: 'main.ts', platform: 'ios', dev: false, out });
}
bundle(true).then(() => bundle(false)).then(() => process.exit(0));
`;

it.each(versions)(
  'client: compiles with the stock preset of React Native %s (React %s), and what Metro %s bundles runs',
  async (native, react, metro) => {
    const customers = [{ id: 'c', name: 'Bakkerij De Gouden Korst' }];
    service.on('GET /hello-world', () => ({ json: { message: 'Hello world.' } }));
    service.on('POST /customers', () => ({
      json: { records: customers, recordsTotal: 1, recordsFiltered: 1 },
    }));
    service.on('POST /coda-files', () => ({ json: [] }));
    const root = await installPackage('client');
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    await mkdir(join(root, 'out'));
    const files = {
      'out/package.json': '{}',
      'main.ts': program(service.baseUrl),
      'native.ts': "import 'react-native';\n",
      'bundle.cjs': bundler(root),
      'tsconfig.json': JSON.stringify({
        extends: '@react-native/typescript-config',
        files: ['main.ts', 'native.ts'],
      }),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
    const own = ['typescript-config', 'metro-config', 'babel-preset'];
    const packages = [
      ...own.map((name) => `@react-native/${name}@${native}`),
      ...[`react-native@${native}`, `react@${react}`, `metro@${metro}`, '@babel/core@7.29.13'],
      ...['@types/jest@29.5.14', 'typescript@5.9.3'],
    ];
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
    await run('npm', ['install', ...flags, ...packages], { cwd: root });
    await run('npx', ['tsc'], { cwd: root }).catch(({ stdout }) => expect.fail(stdout));
    await run('node', ['bundle.cjs'], { cwd: root });
    for (const name of ['true', 'false']) {
      const { stdout } = await run('node', [join(root, `out/${name}.js`)]);
      expect(stdout).toBe('Hello world., Bakkerij De Gouden Korst\n');
    }
  },
  600_000,
);
