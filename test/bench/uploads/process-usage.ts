import { readdir, readFile } from 'node:fs/promises';

export interface ProcessUsage {
  readonly cpuSeconds: number;
  /** The largest resident memory in MiB. */
  readonly peakMebibytes: number;
}

export async function usageOf(pid: number | undefined): Promise<ProcessUsage> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  const { user, system } = await readTimes(`${pid}`);
  return { cpuSeconds: user + system, peakMebibytes: Number(peak) / 1024 };
}

export async function parentOf(pid: number): Promise<string> {
  return (await readTimes(`${pid}`)).parent;
}

/** Returns CPU time in seconds, with that of children that have ended. */
export async function cpuOfFamily(parent: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  let seconds = 0;
  for (const pid of pids) {
    const times = await readTimes(pid).catch(() => undefined);
    if (times === undefined || (pid !== parent && times.parent !== parent)) continue;
    seconds += times.user + times.system + (pid === parent ? times.ofEnded : 0);
  }
  return seconds;
}

async function readTimes(pid: string) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The times are hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
    .slice(11, 15)
    .map((field) => Number(field) / 100);
  return { parent: fields[1] ?? '', user, system, ofEnded: endedUser + endedSystem };
}
