import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { postgresEnvironment } from './postgres-environment.js';
import type { Account } from './unprivileged-account.js';

/** A database cluster to make. */
export interface NewCluster {
  readonly binaries: string;
  /** Where it shall lie; the folder above exists. */
  readonly dataPath: string;
  readonly account: Account | undefined;
  readonly user: string;
  readonly password: string;
  /** Whether it shall be on disk for certain when this returns. */
  readonly durable: boolean;
}

const UNFINISHED = 'postgres.unfinished-';
const PASSWORD = '.postgres-password-';

/**
 * Makes an empty database cluster: UTF-8, the C locale whatever the system's, SCRAM passwords. It
 * stands under its name only when it is complete.
 *
 * @throws Error with what `initdb` printed
 */
export async function initCluster(cluster: NewCluster): Promise<void> {
  const { account, dataPath } = cluster;
  const folder = dirname(dataPath);
  await removeLeftovers(folder);
  const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`);
  const passwordFile = join(folder, `${PASSWORD}${randomUUID()}`);
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600, flag: 'wx' });
    if (account !== undefined) {
      await chown(unfinished, account.uid, account.gid);
      await chown(passwordFile, account.uid, account.gid);
    }
    await runInitdb(cluster, unfinished, passwordFile);
    await rename(unfinished, dataPath);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Of a process that was killed; its `initdb` may still be at work there, and fails then. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names) {
    if (!name.startsWith(UNFINISHED) && !name.startsWith(PASSWORD)) continue;
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function runInitdb(cluster: NewCluster, folder: string, passwordFile: string): Promise<void> {
  const child = spawn(
    join(cluster.binaries, 'bin/initdb'),
    [
      `--pgdata=${folder}`,
      `--username=${cluster.user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--no-instructions',
      ...(cluster.durable ? [] : ['--no-sync']),
    ],
    {
      ...cluster.account,
      cwd: '/',
      env: postgresEnvironment(),
      // Away from the terminal's group: an interrupt is for this process to handle.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, output, errors] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  if (code !== 0) {
    throw new Error(`A database could not be made in ${cluster.dataPath}:\n${output}${errors}`);
  }
}
