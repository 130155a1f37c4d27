import { runningProcess } from './running-process.js';

/** A process, written down so that others can tell later whether it still runs. */
export interface ProcessMark {
  readonly pid: number;
  readonly startMark: string;
}

/** The mark of this process. */
export function ownMark(): ProcessMark {
  return { pid: process.pid, startMark: runningProcess(process.pid)?.startMark ?? '' };
}

/** Whether the very process that left the mark still runs. */
export function isRunning({ pid, startMark }: ProcessMark): boolean {
  return runningProcess(pid)?.startMark === startMark;
}
