import { escapeUnprintable } from './unprintable.js';

/** The result of a check of `doctor`. */
export interface Check {
  readonly name: string;
  /** `skipped`: it cannot be checked, because of another problem. */
  readonly result: 'ok' | 'problem' | 'skipped';
  /** The version, the address, the settings or the error that the check found. */
  readonly found: string;
  /** How to mend the problem. */
  readonly advice?: string;
  /** The exit code of the problem. */
  readonly exitCode?: number;
}

export function ok(name: string, found: string): Check {
  return { name, result: 'ok', found };
}

export function problem(name: string, found: string, advice: string, exitCode = 1): Check {
  return { name, result: 'problem', found, advice, exitCode };
}

export function skipped(name: string, found = 'not checked, because of the problem above'): Check {
  return { name, result: 'skipped', found };
}

/** Formats each check as a line, followed by the advice. */
export function formatChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .flatMap(({ name, result, found, advice }) => [
      `${result.padEnd(7)}  ${name.padEnd(width)}  ${found}`,
      ...(advice === undefined ? [] : [`${' '.repeat(11 + width)}${advice}`]),
    ])
    .map((line) => `${escapeUnprintable(line)}\n`)
    .join('');
}
