import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRoot } from '../data-folder.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Unprivileged users that most systems have, the preferred one first. */
const candidates = ['postgres', 'nobody'];

/**
 * Returns the user that PostgreSQL runs as, because it refuses to run as root: the owner of the
 * data folder, or an unprivileged user if that is root. Undefined if this process is not root.
 *
 * @throws Error if the system has no such user
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

/** Returns true if the user can enter a folder. It tries, because the modes alone do not tell. */
export function canEnter(account: Account | undefined, folder: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}

/**
 * Returns true if nobody but root, this user and the account can change a folder, or put another in
 * its place. In a sticky folder such as /tmp, users can only remove their own files.
 */
export function isPrivate(account: Account | undefined, folder: string): boolean {
  const owners = [0, process.getuid?.(), account?.uid];
  // A link could have been planted by another user, and lead to a folder of this user.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const real = realpathSync(folder);
  for (let path = real; ; path = dirname(path)) {
    const { uid, mode } = lstatSync(path);
    const isSticky = path !== real && (mode & 0o1000) !== 0;
    if (!owners.includes(uid) || ((mode & 0o022) !== 0 && !isSticky)) return false;
    if (path === dirname(path)) return true;
  }
}
