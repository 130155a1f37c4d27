import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningProcess } from './running-process.js';

/** The server process of a cluster, as its `postmaster.pid` describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly status: 'starting' | 'ready' | 'stopping';
}

const POLL_MS = 10;
/** Recovery after a crash takes as long as there is to recover. */
const START_MS = 300_000;
const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 10_000;

/** The running postmaster of a cluster; undefined where none runs, whatever its files say. */
export async function runningPostmaster(dataPath: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataPath, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid = '', , , port = '', , , , status = ''] = text.split('\n');
  if (!runs(dataPath, Number(pid))) return undefined;
  const known = (['ready', 'stopping'] as const).find((state) => state === status.trim());
  return { pid: Number(pid), port: Number(port), status: known ?? 'starting' };
}

/** Waits for a cluster's postmaster to take connections; undefined where it ends first, or takes minutes. */
export async function waitUntilReady(
  dataPath: string,
  ended: () => boolean,
): Promise<Postmaster | undefined> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && !ended()) {
    const postmaster = await runningPostmaster(dataPath);
    if (postmaster?.status === 'ready') return postmaster;
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Waits for a postmaster to end; whether it did in the time given, in ms. */
export async function waitUntilGone(
  dataPath: string,
  pid: number,
  ms = FAST_STOP_MS,
): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (runs(dataPath, pid)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * Stops a postmaster as PostgreSQL's "fast" mode does, ending all sessions, and at once where that
 * takes longer than half a minute.
 *
 * @throws Error when it does not end
 */
export async function stopPostmaster(dataPath: string, pid: number): Promise<void> {
  if (!runs(dataPath, pid)) return;
  process.kill(pid, 'SIGINT');
  if (await waitUntilGone(dataPath, pid)) return;
  process.kill(pid, 'SIGQUIT');
  if (await waitUntilGone(dataPath, pid, IMMEDIATE_STOP_MS)) return;
  throw new Error(`PostgreSQL in ${dataPath} (process ${pid}) does not stop`);
}

/** Whether a process is the postmaster of a cluster, and not some other that got its number. */
export function runs(dataPath: string, pid: number): boolean {
  return runningProcess(pid)?.commandLine.includes(` -D ${dataPath} `) ?? false;
}
