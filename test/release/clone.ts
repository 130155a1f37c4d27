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

/**
 * Clones this repository, with its libraries.
 *
 * @param env - for the scripts of npm; undefined removes a variable
 */
export async function cloneRepository(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Clone> {
  await runCommand('git', ['clone', '--quiet', '--no-tags', repository, folder]);
  const git = (...args: string[]) => runCommand('git', args, { cwd: folder });
  if (await hasSameLibraries(folder)) await linkLibraries(folder);
  else await runCommand('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
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

/** Returns true if all libraries of the clone are installed here, in the same versions. */
async function hasSameLibraries(folder: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([librariesOf(repository), librariesOf(folder)]);
  return Object.entries(theirs).every(
    ([path, { version, link }]) => link || ours[path]?.version === version,
  );
}

type Libraries = Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;

async function librariesOf(folder: string): Promise<Libraries> {
  return JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')).packages;
}

/**
 * Links the installed libraries, but the packages of the clone in place of those of this
 * repository.
 */
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
