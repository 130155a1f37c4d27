import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { typeCheck } from '../../codegen/test/support/type-check.js';
import { programPath } from '../../packages/server/test/support/program-path.js';
import { buildPrograms, type Command, type Language, type Sources } from '../support/languages.js';

const typescript = createRequire(import.meta.url).resolve('@types/node/package.json');
const curlStandIn = fileURLToPath(
  new URL('../../packages/sandbox/test/curl-stand-in.mjs', import.meta.url),
);
/** Defines `curl` on machines that do not have it, and `adx`. */
const commands = `command -v curl > /dev/null || curl() { "$NODE" "$STAND_IN" "$@"; }
adx() { "$NODE" "$ADX" "$@"; }
`;

export interface ProgramEnd {
  readonly exitCode: number | string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export type SampleLanguage = 'TypeScript' | Language;

export type Environment = Readonly<Record<string, string>>;

/** Runs a program to its end. */
export type RunProgram = (name: string, environment: Environment) => Promise<ProgramEnd>;

/** A project of a partner, in which samples are compiled and run. */
export interface SampleProject {
  /** Checks programs in TypeScript with all checks of the compiler; returns its errors. */
  check(sources: Sources): Promise<string[]>;
  /** Builds programs of a language together. They run in the folder of the project. */
  build(language: SampleLanguage, sources: Sources): Promise<RunProgram>;
  /** Runs commands of a shell, with stand-ins for programs that the machine may not have. */
  shell(script: string, environment: Environment): Promise<ProgramEnd>;
  remove(): Promise<void>;
}

/** Creates a project within the repository, where the compiler finds the client. */
export async function createSampleProject(): Promise<SampleProject> {
  const folder = await mkdtemp(join(inject('runFolder'), 'samples-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const run = ([command, ...parameters]: Command, environment: Environment) =>
    runToEnd(command, parameters, folder, environment);
  const shell: SampleProject['shell'] = (script, environment) =>
    run(['sh', '-euc', commands + script], environment);
  async function writeAll(sources: Sources): Promise<string[]> {
    const files = Object.keys(sources).map((name) => join(folder, `${name}.ts`));
    await Promise.all(Object.values(sources).map((text, i) => writeFile(files[i] ?? '', text)));
    return files;
  }
  return {
    shell,
    async check(sources) {
      const config = {
        extends: '../../../tsconfig.json',
        compilerOptions: { types: ['node'], typeRoots: [join(typescript, '../..')] },
      };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      return typeCheck(folder, await writeAll(sources));
    },
    async build(language, sources) {
      if (language === 'curl') {
        return (name, environment) => shell(sources[name] ?? '', environment);
      }
      if (language !== 'TypeScript') {
        const commandOf = await buildPrograms(language, sources, folder);
        return (name, environment) => run(commandOf(name), environment);
      }
      const outdir = join(folder, 'built');
      await build({
        entryPoints: await writeAll(sources),
        outdir,
        bundle: true,
        splitting: true,
        conditions: ['adx-source', 'node'],
        platform: 'node',
        format: 'esm',
        target: 'node20',
        logLevel: 'error',
      });
      return (name, environment) =>
        run([process.execPath, join(outdir, `${name}.js`)], environment);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function runToEnd(
  command: string,
  parameters: readonly string[],
  cwd: string,
  environment: Environment,
): Promise<ProgramEnd> {
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    PATH,
    HOME,
    NODE: process.execPath,
    STAND_IN: curlStandIn,
    ADX: programPath('adx'),
    ...environment,
  };
  return new Promise((resolve) => {
    execFile(command, parameters, { cwd, env, timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : (error.code ?? 'killed'), stdout, stderr });
    });
  });
}
