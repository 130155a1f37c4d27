import { createClient } from '@adx/client';
import { type ErrorCode, errorCatalogue, type OperationId, operations } from '@adx/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages, readCodeBlocks } from './code-blocks.js';
import { pageSamples } from './page-samples.js';
import {
  type PartnerSandbox,
  runScenario,
  settingsOf,
  startPartnerSandbox,
} from './partner-sandbox.js';
import { runReferenceSamples } from './reference-samples.js';
import { type ExecutedCall, type JourneyRun, lintJourneys, runJourneys } from './run-journeys.js';
import { createSampleProject, type RunProgram, type SampleProject } from './run-samples.js';
import { printsOf, wholePrograms } from './whole-programs.js';

/** The errors that journeys take from scenarios, because no partner can cause them at will. */
const fromScenarios: Readonly<Partial<Record<ErrorCode, string>>> = {
  idempotencyKeyInUse: 'takes two calls at the same instant',
  tooManyRequests: 'takes more than a thousand calls',
  tooManyUnsignedLinks: 'takes two thousand accounts',
  internalError: 'is a fault of the service',
  unavailable: 'is an outage of the service',
};

/** The samples in TypeScript, by a name for each, and what they print. */
const programs = [
  ...pages.flatMap((path) =>
    readCodeBlocks(path)
      .filter(({ language }) => language === 'ts')
      .map(({ source }) => {
        return { path, source, prints: pageSamples[path]?.prints.TypeScript ?? /^$/ };
      }),
  ),
  ...wholePrograms
    .filter(({ language }) => language === 'TypeScript')
    .map((program) => ({ ...program, path: program.name, prints: printsOf(program) })),
].map((program, i) => ({ ...program, name: `program-${i}` }));
const sources = Object.fromEntries(programs.map(({ name, source }) => [name, source]));
const shellBlocks = pages
  .flatMap(readCodeBlocks)
  .filter(({ language, note }) => language === 'sh' && note === '');
const shellPages = [...new Set(shellBlocks.map(({ path }) => path))];
const shellPrograms = wholePrograms.filter(({ language }) => language === 'curl');

let sandbox: PartnerSandbox;
let run: JourneyRun;
let project: SampleProject;
let runProgram: RunProgram;
beforeAll(async () => {
  project = await createSampleProject();
});
afterAll(async () => {
  await project?.remove();
  await sandbox?.close();
});

test('D-54 every sample in TypeScript compiles with all checks', async () => {
  expect(await project.check(sources)).toEqual([]);
});

describe('D-54 journeys', { tags: 'long' }, () => {
  beforeAll(async () => {
    sandbox = await startPartnerSandbox();
    run = await runJourneys(sandbox);
  });

  test('D-54 the journeys keep the rules of Arazzo', async () => {
    expect(await lintJourneys()).toBe('');
  });

  test('D-54 every step of every journey gets the answer that it describes', () => {
    expect(run.exitCode, run.printed).toBe(0);
  });

  test('D-54 the journeys call every operation, and each succeeds', () => {
    const succeeded = run.calls.filter(({ status }) => status === 200).map(operationOf);
    expect(sorted(succeeded)).toEqual(Object.keys(operations).sort());
  });

  test('D-54 the journeys get every error code, and cause it except where none can', () => {
    const armed = run.calls.flatMap(({ url, body }) =>
      url === `${sandbox.url}/sandbox/error` ? [(body as { code: ErrorCode }).code] : [],
    );
    expect(sorted(armed)).toEqual(Object.keys(fromScenarios).sort());
    const answered = run.calls.map(({ answer }) => (answer as { error?: ErrorCode })?.error);
    const own = answered.filter((code) => code === undefined || !armed.includes(code));
    expect(sorted([...own, ...armed])).toEqual(Object.keys(errorCatalogue).sort());
    for (const code of armed) expect(answered.filter((each) => each === code)).toHaveLength(1);
  });
});

describe('D-54 samples', { tags: 'long' }, () => {
  beforeAll(async () => {
    await runScenario(sandbox, 'mandate', { status: 'expired' });
    await runScenario(sandbox, 'file', { kind: 'gap' });
    runProgram = await project.build('TypeScript', sources);
  });

  test.each(programs)(
    'D-54 the program of $path runs as it is printed',
    async ({ name, prints }) => {
      const { exitCode, stdout, stderr } = await runProgram(name, await settingsOf(sandbox));
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(prints);
    },
  );

  test.each(shellPages)('D-54 the shell commands of %s run as they are printed', async (path) => {
    const commands = shellBlocks.filter((each) => each.path === path);
    const check = pageSamples[path]?.shellCheck ?? expect.fail(`${path} has no check`);
    const sources = commands.map(({ source }) => source);
    const signsIn = sources.some((source) => /^ID_TOKEN=/m.test(source));
    const script = [...(signsIn ? [] : [signIn()]), ...sources, check].join('\n');
    const { exitCode, stderr } = await project.shell(script, await settingsOf(sandbox));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test.each(shellPrograms.filter(({ name }) => name !== 'sync'))(
    'D-54 the program $name of the shell runs as it is printed',
    async (program) => {
      const { exitCode, stdout, stderr } = await project.shell(
        program.source,
        await settingsOf(sandbox),
      );
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(printsOf(program));
      await project.shell('rm -rf statements payroll', {});
    },
  );

  test.each(shellPrograms.filter(({ name }) => name === 'sync'))(
    'D-54 the program $name of the shell stores and acknowledges each file once, and stops at an error',
    async ({ source }) => {
      const settings = await settingsOf(sandbox);
      const { ADX_URL: baseUrl, ADX_API_KEY: apiKey } = settings;
      const client = createClient({ baseUrl, apiKey, ...sandbox.administrator });
      const all = (await client.codaFiles.list()).flatMap(({ ibans }) =>
        ibans.flatMap((each) => each.files),
      );
      // The journeys leave many, and the program starts several processes for each.
      const [files, others] = [all.slice(0, 3), all.slice(3)];
      for (const { id } of others) await client.codaFiles.acknowledge(id);
      const paths = files.map(({ fileName }) => `statements/${fileName}`);

      const refused = await project.shell(source, { ...settings, ADX_PASSWORD: 'wrong' });
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
      expect(refused.stderr).toMatch(/"error":"Authentication failed",.*"requestId"/);

      const [first] = paths;
      await project.shell(`rm -rf statements; mkdir -p ${first}.part`, settings);
      const unwritten = await project.shell(source, settings);
      expect(unwritten.exitCode).not.toBe(0);
      expect(unwritten.stdout).toBe('');

      await project.shell('rm -r statements', settings);
      const { exitCode, stdout, stderr } = await project.shell(source, settings);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(paths).toHaveLength(3);
      expect(stdout).toBe([...paths, 'No more new files\n'].join('\n'));
      const begins = 'for file in statements/*; do head -c 5 "$file"; done';
      expect((await project.shell(begins, settings)).stdout).toBe('00000'.repeat(paths.length));

      const again = await project.shell(source, settings);
      expect(again).toEqual({ exitCode: 0, stdout: 'No more new files\n', stderr: '' });
    },
  );
});

describe('D-54 samples of the reference', { tags: 'long' }, () => {
  test.each(['TypeScript', 'curl'] as const)(
    'D-54 the samples in %s of all operations run',
    async (language) => {
      expect(await runReferenceSamples(language, sandbox, project)).toEqual({});
    },
  );
});

/** Returns the commands to which other pages refer for `ID_TOKEN`. */
function signIn(): string {
  const [first] = readCodeBlocks('docs/pages/guide/signing-in.md').filter(
    ({ language }) => language === 'sh',
  );
  return first?.source ?? expect.fail('The page has no commands');
}

function operationOf({ method, url }: ExecutedCall): OperationId | undefined {
  const { origin, pathname } = new URL(url);
  if (origin !== sandbox.url) return undefined;
  const candidates = Object.values(operations).filter(
    (each) =>
      each.method === method &&
      new RegExp(`^/v1${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  // A path without parameters comes before one with: `/customers/create` is no customer.
  const [operation] = candidates.sort((a, b) => a.pathParameters.length - b.pathParameters.length);
  return operation?.operationId as OperationId | undefined;
}

function sorted(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined).sort();
}
