import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Under whom PostgreSQL runs where this process is root, which PostgreSQL refuses. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Accounts that systems have for the purpose, the better one first. */
const CANDIDATES = ['postgres', 'nobody'];

/** Whether this process is root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account to run PostgreSQL under: the one that owns the files, or where that is root an
 * existing unprivileged one. Undefined where this process is not root and PostgreSQL runs as itself.
 *
 * @throws Error when there is no account to use
 */
export function databaseAccount(owner: Account): Account | undefined {
  if (!isRoot()) return undefined;
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const candidate of CANDIDATES) {
    const [, , uid, gid] = accounts.find(([name]) => name === candidate) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `PostgreSQL does not run as root, and no account ${CANDIDATES.join(' or ')} exists to run it under; ` +
      'start the service as another user, or set DATABASE_URL',
  );
}

/** Whether the account can reach what lies in a folder; tried, as modes alone do not tell. */
export function canEnter(account: Account | undefined, folder: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}
