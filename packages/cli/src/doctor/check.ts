import { explain } from '../explain.js';
import { type ExitCode, exitCodeOf, exitCodes } from '../failure.js';

/** The result of a check of `adx doctor`. */
export interface Check {
  readonly name: string;
  /** `skipped`: it cannot be checked, because of another problem. */
  readonly result: 'ok' | 'problem' | 'skipped';
  /** The address, the settings or the error that the check found. */
  readonly found: string;
  /** How to mend the problem. */
  readonly advice?: string;
  /** The exit code of the problem. */
  readonly exitCode?: ExitCode;
}

export function ok(name: string, found: string): Check {
  return { name, result: 'ok', found };
}

export function problem(
  name: string,
  found: string,
  advice: string,
  exitCode: ExitCode = exitCodes.failed,
): Check {
  return { name, result: 'problem', found, advice, exitCode };
}

export function skipped(name: string, found: string): Check {
  return { name, result: 'skipped', found };
}

/** A check that needs another one, which found a problem. */
export function notChecked(name: string): Check {
  return skipped(name, 'not checked, because of the problem above');
}

/** Runs a check. An error of it is a problem. */
export async function orProblem(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return problem(name, explain(error), 'Run `adx doctor` again later.', exitCodeOf(error));
  }
}
