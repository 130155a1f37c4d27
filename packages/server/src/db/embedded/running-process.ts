import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What tells a process from a later one that got the same number. */
export interface RunningProcess {
  /** When it started, in whatever form the system tells. */
  readonly startMark: string;
  /** Its program and arguments, separated by spaces, a space after the last. */
  readonly commandLine: string;
}

/** Looks at a process of any user; undefined where none runs under that number, a dead one included. */
export function runningProcess(pid: number): RunningProcess | undefined {
  return existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): RunningProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses, with anything in it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { startMark: fields[19] ?? '', commandLine };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): RunningProcess | undefined {
  const ask = (field: string) =>
    execFileSync('ps', ['-ww', '-o', `${field}=`, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    }).trim();
  try {
    if (ask('stat').startsWith('Z')) return undefined;
    return { startMark: ask('lstart'), commandLine: `${ask('args')} ` };
  } catch {
    return undefined;
  }
}
