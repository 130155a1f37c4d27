/** The result of a check of `adx-server doctor`. */
export interface Check {
  readonly name: string;
  /** `skipped`: it cannot be checked, because of another problem. */
  readonly result: 'ok' | 'problem' | 'skipped';
  /** The version, the address or the error that the check found. */
  readonly found: string;
  /** How to mend the problem. */
  readonly advice?: string;
}

export function ok(name: string, found: string): Check {
  return { name, result: 'ok', found };
}

export function problem(name: string, found: string, advice: string): Check {
  return { name, result: 'problem', found, advice };
}

export function skipped(name: string): Check {
  return { name, result: 'skipped', found: 'not checked, because of the problem above' };
}
