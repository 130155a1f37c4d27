import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository, runCommand } from '../support/run-command.js';

/** A clone of this repository. */
export interface Clone {
  readonly folder: string;
  readonly git: (...args: string[]) => Promise<string>;
  /** Runs a script of npm, with its output. */
  readonly npm: (...args: string[]) => Promise<Ended>;
  /** Replaces part of a file. */
  readonly edit: (path: string, from: string, to: string) => Promise<void>;
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Clones the last commit of this repository, with its libraries. */
export async function cloneRepository(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Clone> {
  await runCommand('git', ['clone', '--quiet', '--no-tags', repository, folder]);
  await linkLibraries(folder);
  const git = (...args: string[]) => runCommand('git', args, { cwd: folder });
  await git('config', 'user.name', 'Els Maes');
  await git('config', 'user.email', 'els@example.org');
  return {
    folder,
    git,
    npm: (...args) =>
      new Promise((resolve) => {
        const options = { cwd: folder, env: { ...process.env, ...env, NO_COLOR: '1' } };
        execFile('npm', ['run', '--silent', ...args], options, (error, stdout, stderr) =>
          resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
        );
      }),
    edit: async (path, from, to) => {
      const text = await readFile(join(folder, path), 'utf8');
      if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
      await writeFile(join(folder, path), text.replace(from, to));
    },
  };
}

/** Links the installed libraries, but the packages of the clone in place of those of this repository. */
async function linkLibraries(folder: string): Promise<void> {
  for (const installed of ['node_modules', 'codegen/node_modules']) {
    await mkdir(join(folder, installed));
    for (const name of await readdir(join(repository, installed))) {
      if (name === '@adx') continue;
      await symlink(join(repository, installed, name), join(folder, installed, name));
    }
  }
  await mkdir(join(folder, 'node_modules/@adx'));
  for (const name of await readdir(join(folder, 'packages'))) {
    await symlink(join(folder, 'packages', name), join(folder, 'node_modules/@adx', name));
  }
}
