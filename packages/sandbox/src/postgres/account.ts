import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A user of the system, as `spawn` takes it. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Unprivileged users that most systems have, the better one first. */
const candidates = ['postgres', 'nobody'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root; for root it is the owner of the
 * data folder, or an existing unprivileged user where root owns that too.
 *
 * @returns undefined where this process is not root, and PostgreSQL runs as the same user
 * @throws Error where the system has no such user
 */
export function accountFor(owner: Account): Account | undefined {
  if (!isRoot()) return undefined;
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const candidate of candidates) {
    const [, , uid, gid] = users.find(([name]) => name === candidate) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user ${candidates.join(' or ')}: start the sandbox as another user`,
  );
}

/** Returns true if the user can enter a folder; found out by trying, since modes alone do not say. */
export function canEnter(account: Account | undefined, folder: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}

/** Gives a file that root has made to the owner of its folder, who has to be able to remove it. */
export async function giveToOwnerOfFolder(path: string): Promise<void> {
  if (!isRoot()) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
}
