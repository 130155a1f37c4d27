import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);
const resolve = createRequire(import.meta.url).resolve;

/** The parts of Node that the examples use: checking all its types would take most of the time. */
const nodeTypes = `
declare const process: { env: Record<string, string | undefined> };
declare module 'node:fs/promises' {
  export function mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
}`;

/** Partners use both compilers. Version 7 is several times faster. */
export type Compiler = 'typescript' | 'typescript-7';

/** Compiles `main0.ts`, `main1.ts` and so on, into a folder with the name of the resolution. */
export async function compileIn(
  project: string,
  compiler: Compiler,
  sources: readonly string[],
  module: string,
  moduleResolution: string,
) {
  const names = sources.map((_, index) => `main${index}.ts`);
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      // Checking the libraries of the compiler would take most of the time.
      skipDefaultLibCheck: true,
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      types: [],
      outDir: moduleResolution,
      module,
      moduleResolution,
    },
    files: ['node.d.ts', ...names],
  };
  await writeFile(join(project, 'node.d.ts'), nodeTypes);
  for (const [index, name] of names.entries()) {
    await writeFile(join(project, name), sources[index] ?? '');
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
  const program = join(resolve(`${compiler}/package.json`), '../bin/tsc');
  await run(process.execPath, [program], { cwd: project }).catch((error) =>
    expect.fail(error.stdout),
  );
}
