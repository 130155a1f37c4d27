import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface RunningProgram {
  readonly pid: number;
  /** The text that was found in its output: the first group of the expression. */
  readonly found: string;
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/**
 * Waits until the output of a program matches.
 *
 * @throws Error with its output if it ends before
 */
export async function untilReady(child: ChildProcess, until: RegExp): Promise<RunningProgram> {
  let output = '';
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const found = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk;
        const match = until.exec(output);
        if (match !== null) resolve(match[1] ?? '');
      });
    }
    exited.then(() => reject(new Error(`The program has ended: ${output}`)));
  });
  return {
    ...{ pid: child.pid ?? Number.NaN, found, exited },
    output: () => output,
    kill: (signal) => void child.kill(signal),
  };
}
