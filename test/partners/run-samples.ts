import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { typeCheck } from '../../codegen/test/support/type-check.js';
import { programPath } from '../../packages/server/test/support/program-path.js';

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

/** A project of a partner, in which samples are compiled and run. */
export interface SampleProject {
  /** Checks programs in TypeScript with all checks of the compiler; returns its errors. */
  check(sources: Sources): Promise<string[]>;
  /** Builds programs in TypeScript, which can then be run. */
  build(sources: Sources): Promise<void>;
  runTypeScript(name: string, environment: Environment): Promise<ProgramEnd>;
  run(command: string, source: string, environment: Environment): Promise<ProgramEnd>;
  remove(): Promise<void>;
}

/** Programs by their names. */
type Sources = Readonly<Record<string, string>>;
export type Environment = Readonly<Record<string, string>>;

/** Creates a project within the repository, where the compiler finds the client. */
export async function createSampleProject(): Promise<SampleProject> {
  const folder = await mkdtemp(join(inject('runFolder'), 'samples-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const run = (command: string, parameters: readonly string[], environment: Environment) =>
    runToEnd(command, parameters, folder, environment);
  async function writeAll(sources: Sources): Promise<string[]> {
    const files = Object.keys(sources).map((name) => join(folder, `${name}.ts`));
    await Promise.all(Object.values(sources).map((text, i) => writeFile(files[i] ?? '', text)));
    return files;
  }
  return {
    async check(sources) {
      const config = {
        extends: '../../../tsconfig.json',
        compilerOptions: { types: ['node'], typeRoots: [join(typescript, '../..')] },
      };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      return typeCheck(folder, await writeAll(sources));
    },
    async build(sources) {
      await build({
        entryPoints: await writeAll(sources),
        outdir: join(folder, 'built'),
        bundle: true,
        splitting: true,
        conditions: ['adx-source', 'node'],
        platform: 'node',
        format: 'esm',
        target: 'node20',
        logLevel: 'error',
      });
    },
    runTypeScript: (name, environment) =>
      run(process.execPath, [join(folder, 'built', `${name}.js`)], environment),
    async run(command, source, environment) {
      if (command === 'sh') return run('sh', ['-euc', commands + source], environment);
      await writeFile(join(folder, 'sample'), source);
      return run(command, ['sample'], environment);
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
