import { createClient } from '@adx/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { skipWithout } from '../support/languages.js';
import { languageOf, pages, readCodeBlocks } from './code-blocks.js';
import { pageSamples } from './page-samples.js';
import {
  type PartnerSandbox,
  runScenario,
  settingsOf,
  startPartnerSandbox,
} from './partner-sandbox.js';
import { runReferenceSamples, runRefusedSample, runRepeatedSample } from './reference-samples.js';
import {
  createSampleProject,
  type Environment,
  type RunProgram,
  type SampleProject,
} from './run-samples.js';
import { printsOf, wholePrograms } from './whole-programs.js';

/** The languages that the tests of pages do not run. */
const languages = ['C#', 'PHP', 'Python', 'Java'] as const;
type Language = (typeof languages)[number];

interface Program {
  readonly name: string;
  readonly language: Language;
  readonly source: string;
  readonly prints: RegExp;
}

const programs = [
  ...wholePrograms.map((program) => ({ ...program, prints: printsOf(program) })),
  ...pages.flatMap((name) =>
    readCodeBlocks(name).map(({ language: fence, source }) => {
      const language = languageOf[fence];
      return { name, language, source, prints: language && pageSamples[name]?.prints[language] };
    }),
  ),
].flatMap(({ name, language: written, source, prints = /^$/ }): Program[] => {
  const language = languages.find((each) => each === written);
  return language === undefined ? [] : [{ name, language, source, prints }];
});

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

test.for(languages)(
  'D-54 the sample of repeating in %s requests once with the same key',
  async (language, { skip }) => {
    skipWithout(language, skip);
    const [first, second] = await runRepeatedSample(language, sandbox, project);
    expect(first).toMatch(/"status":"created"/);
    expect(second).toBe(first);
  },
);

const titled = programs.map((program) => {
  return [`${program.name} in ${program.language}`, program] as const;
});
const storing = titled.filter(([, { name }]) => name === 'sync');

test.for(storing)(
  'D-54 %s acknowledges no file that it cannot store',
  async ([, program], { skip }) => {
    skipWithout(program.language, skip);
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
    const { exitCode } = await run(program, settings);
    await project.shell('rm -r statements', settings);
    expect(exitCode).not.toBe(0);
    expect(await names()).toEqual(before);
  },
);

test.for(titled)('D-54 %s runs as it is printed', async ([, program], { skip }) => {
  skipWithout(program.language, skip);
  const { exitCode, stdout, stderr } = await run(program, await settingsOf(sandbox));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(program.prints);
});

test.for(storing)(
  'D-54 %s waits while the service is unavailable, and stores all',
  async ([, program], { skip }) => {
    skipWithout(program.language, skip);
    await project.shell('rm -rf statements', {});
    const error = { code: 'unavailable', operation: 'listCodaFiles', calls: 2, retryAfter: 1 };
    await runScenario(sandbox, 'error', error);
    const { exitCode, stdout } = await run(program, await settingsOf(sandbox));
    expect(exitCode).toBe(0);
    const [, ...names] = stdout.trim().split('\n');
    const begins = await project.shell('cd statements; ls; cat * | grep -c ^0000', {});
    expect(begins.stdout).toBe([...names.sort(), `${names.length}\n`].join('\n'));
  },
);

test.for(titled.filter(([, { source }]) => source.includes('/token')))(
  'D-54 %s prints all of an error',
  async ([, program], { skip }) => {
    skipWithout(program.language, skip);
    const settings = { ...(await settingsOf(sandbox)), ADX_PASSWORD: 'wrong' };
    const { exitCode, stderr, stdout } = await run(program, settings);
    expect(exitCode).not.toBe(0);
    expect(stderr + stdout).toMatch(/"error":"Authentication failed",.*"requestId":"[\da-f-]{36}"/);
  },
);

/** The programs of a language are built together: each start of a compiler takes a second. */
const built = new Map<Language, Promise<RunProgram>>();

async function run({ language, name }: Program, settings: Environment) {
  const own = programs.filter((program) => program.language === language);
  const sources = own.map((program) => [identifier(program.name), program.source]);
  const runProgram = built.get(language) ?? project.build(language, Object.fromEntries(sources));
  built.set(language, runProgram);
  return (await runProgram)(identifier(name), settings);
}

function identifier(name: string): string {
  return name.replaceAll(/\W/g, '_');
}
