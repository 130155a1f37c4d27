import { spawnSync } from 'node:child_process';
import { createClient } from '@adx/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pages, readCodeBlocks } from './code-blocks.js';
import { pageSamples } from './page-samples.js';
import {
  type PartnerSandbox,
  runScenario,
  settingsOf,
  startPartnerSandbox,
} from './partner-sandbox.js';
import { createSampleProject, type SampleProject } from './run-samples.js';

/** The programs that run the languages of the pages, with the package of Debian that has each. */
const programs = {
  python: { command: 'python3', debianPackage: 'python3' },
  php: { command: 'php', debianPackage: 'php-cli' },
} as const;

type Language = keyof typeof programs;
const isProven = (language: string): language is Language => Object.hasOwn(programs, language);

const samples = pages.flatMap((path) =>
  readCodeBlocks(path).flatMap(({ language, source }): [string, Language, string][] =>
    isProven(language) ? [[path, language, source]] : [],
  ),
);

let sandbox: PartnerSandbox;
let project: SampleProject;
beforeAll(async () => {
  for (const { command, debianPackage } of Object.values(programs)) {
    const { error } = spawnSync(command, ['--version']);
    if (error) throw new Error(`${command} is missing: apt-get install ${debianPackage}`);
  }
  sandbox = await startPartnerSandbox();
  project = await createSampleProject();
  await runScenario(sandbox, 'mandate', { status: 'finished' });
});
afterAll(async () => {
  await project?.remove();
  await sandbox?.close();
});

const storing = samples.filter(([, , source]) => source.includes('/acknowledgements'));

test.each(storing)(
  'D-54 %s: its program in %s acknowledges no file that it cannot store',
  async (_path, language, source) => {
    const settings = await settingsOf(sandbox);
    const { ADX_URL: baseUrl, ADX_API_KEY: apiKey } = settings;
    const client = createClient({ baseUrl, apiKey, ...sandbox.administrator });
    const names = async () =>
      (await client.codaFiles.list()).flatMap(({ ibans }) =>
        ibans.flatMap(({ files }) => files.map(({ fileName }) => fileName)),
      );
    const before = await names();
    expect(before).not.toEqual([]);
    const folders = before.map((name) => `'statements/${name}/in-the-way'`);
    await project.run('sh', `mkdir -p ${folders.join(' ')}`, settings);
    const { exitCode } = await project.run(programs[language].command, source, settings);
    await project.run('sh', 'rm -r statements', settings);
    expect(exitCode).not.toBe(0);
    expect(await names()).toEqual(before);
  },
);

test.each(samples)(
  'D-54 %s: its program in %s runs as it is printed',
  async (path, language, source) => {
    const { command } = programs[language];
    const { exitCode, stdout, stderr } = await project.run(
      command,
      source,
      await settingsOf(sandbox),
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const printed = pageSamples[path]?.prints[language];
    expect(stdout).toMatch(printed ?? expect.fail(`${path} prints nothing`));
  },
);

test.each(storing.filter(([, language]) => language === 'python'))(
  'D-54 %s: its program in %s waits while the service is unavailable',
  async (_path, language, source) => {
    const error = { code: 'unavailable', operation: 'listCodaFiles', calls: 2, retryAfter: 1 };
    await runScenario(sandbox, 'error', error);
    const settings = await settingsOf(sandbox);
    const { exitCode } = await project.run(programs[language].command, source, settings);
    expect(exitCode).toBe(0);
  },
);

test.each(storing)(
  'D-54 %s: its program in %s prints all of an error',
  async (_path, language, source) => {
    const settings = { ...(await settingsOf(sandbox)), ADX_PASSWORD: 'wrong' };
    const { exitCode, stderr, stdout } = await project.run(
      programs[language].command,
      source,
      settings,
    );
    expect(exitCode).not.toBe(0);
    expect(stderr + stdout).toMatch(/"error":"Authentication failed",.*"requestId":"[\da-f-]{36}"/);
  },
);
