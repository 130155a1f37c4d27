import { run } from './run.js';

/** Returns the status of each file that is changed or untracked: ` M openapi.yaml`. */
export async function uncommittedChanges(root: string): Promise<string[]> {
  const status = await run(root, 'git', 'status', '--porcelain');
  return status.split('\n').filter((line) => line !== '');
}

export async function tagsOfHead(root: string): Promise<string[]> {
  return (await run(root, 'git', 'tag', '--points-at', 'HEAD')).split('\n');
}

export async function hasTag(root: string, tag: string): Promise<boolean> {
  return (await run(root, 'git', 'tag', '--list', tag)) !== '';
}

/** Returns the commit that changed a path last; an empty string if the path is in none. */
export async function lastCommitOf(root: string, path: string): Promise<string> {
  return (await run(root, 'git', 'log', '-1', '--format=%H', '--', path)).trim();
}

export async function head(root: string): Promise<string> {
  return (await run(root, 'git', 'rev-parse', 'HEAD')).trim();
}

export async function commit(
  root: string,
  paths: readonly string[],
  message: string,
): Promise<void> {
  await run(root, 'git', 'add', '--', ...paths);
  await run(root, 'git', 'commit', '--quiet', '--message', message);
}

/** Restores files; those that the current commit does not have remain. */
export async function restore(root: string, paths: readonly string[]): Promise<void> {
  await run(root, 'git', 'reset', '--quiet');
  const known = (await run(root, 'git', 'ls-files', '--', ...paths)).split('\n').filter(Boolean);
  await run(root, 'git', 'checkout', '--quiet', 'HEAD', '--', ...known);
}

export async function tag(root: string, name: string, message: string): Promise<void> {
  await run(root, 'git', 'tag', '--annotate', name, '--message', message);
}
