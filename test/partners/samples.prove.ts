import { createClient } from '@adx/client';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { missingFor } from '../support/languages.js';
import { languageOf, pages, readCodeBlocks } from './code-blocks.js';
import { pageSamples } from './page-samples.js';
import {
  type PartnerSandbox,
  runScenario,
  settingsOf,
  startPartnerSandbox,
} from './partner-sandbox.js';
import { runReferenceSamples, runRefusedSample } from './reference-samples.js';
import { createSampleProject, type Environment, type SampleProject } from './run-samples.js';

/** The languages that the tests of pages do not run. */
const languages = ['C#', 'PHP', 'Python', 'Java'] as const;
type Language = (typeof languages)[number];

const samples = pages.flatMap((path) =>
  readCodeBlocks(path).flatMap(({ language: fence, source }): [string, Language, string][] => {
    const language = languages.find((each) => each === languageOf[fence]);
    return language ? [[path, language, source]] : [];
  }),
);

let sandbox: PartnerSandbox;
let project: SampleProject;
beforeAll(async () => {
  sandbox = await startPartnerSandbox();
  project = await createSampleProject();
  await runScenario(sandbox, 'mandate', { status: 'finished' });
  await runScenario(sandbox, 'file', { product: 'CODB' });
  await runScenario(sandbox, 'file', { finding: 'lineLength' });
});
afterAll(async () => {
  await project?.remove();
  await sandbox?.close();
});

test.for(languages)(
  'D-54 the samples of the reference in %s run for all operations',
  async (language, { skip }) => {
    skipWithout(language, skip);
    expect(await runReferenceSamples(language, sandbox, project)).toEqual({});
  },
);

test.for(languages)(
  'D-54 a sample of the reference in %s shows a refusal with its status',
  async (language, { skip }) => {
    skipWithout(language, skip);
    const printed = await runRefusedSample(language, sandbox, project);
    expect(printed).toMatch(/403 .*{"error":"invalidApiKey",.*"requestId":/);
  },
);

const storing = samples.filter(([, , source]) => source.includes('/acknowledgements'));

test.for(storing)(
  'D-54 %s: its program in %s acknowledges no file that it cannot store',
  async ([_path, language, source], { skip }) => {
    skipWithout(language, skip);
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
    await project.shell(`mkdir -p ${folders.join(' ')}`, settings);
    const { exitCode } = await run(language, source, settings);
    await project.shell('rm -r statements', settings);
    expect(exitCode).not.toBe(0);
    expect(await names()).toEqual(before);
  },
);

test.for(samples)(
  'D-54 %s: its program in %s runs as it is printed',
  async ([path, language, source], { skip }) => {
    skipWithout(language, skip);
    const settings = await settingsOf(sandbox);
    const { exitCode, stdout, stderr } = await run(language, source, settings);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const printed = pageSamples[path]?.prints[language];
    expect(stdout).toMatch(printed ?? expect.fail(`${path} prints nothing`));
  },
);

test.for(storing.filter(([, language]) => language === 'Python'))(
  'D-54 %s: its program in %s waits while the service is unavailable',
  async ([_path, language, source], { skip }) => {
    skipWithout(language, skip);
    const error = { code: 'unavailable', operation: 'listCodaFiles', calls: 2, retryAfter: 1 };
    await runScenario(sandbox, 'error', error);
    const settings = await settingsOf(sandbox);
    const { exitCode } = await run(language, source, settings);
    expect(exitCode).toBe(0);
  },
);

test.for(storing)(
  'D-54 %s: its program in %s prints all of an error',
  async ([_path, language, source], { skip }) => {
    skipWithout(language, skip);
    const settings = { ...(await settingsOf(sandbox)), ADX_PASSWORD: 'wrong' };
    const { exitCode, stderr, stdout } = await run(language, source, settings);
    expect(exitCode).not.toBe(0);
    expect(stderr + stdout).toMatch(/"error":"Authentication failed",.*"requestId":"[\da-f-]{36}"/);
  },
);

async function run(language: Language, source: string, settings: Environment) {
  const runProgram = await project.build(language, { program: source });
  return runProgram('program', settings);
}

function skipWithout(language: Language, skip: TestContext['skip']): void {
  const missing = missingFor(language);
  skip(missing !== undefined, missing);
}
