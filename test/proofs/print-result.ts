import { TestRunner } from 'vitest';
import { isProof } from '../support/rounds.js';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** The results of the test, a line each. */
    results?: readonly string[];
  }
}

/**
 * Prints what a proof did, such as `{ kills: 100 }`. `npm run prove -- --save` also writes it to
 * docs/proofs.md. A test that a proof repeats prints nothing.
 */
export function printResult(result: string | object): void {
  const line = describe(result);
  if (isProof) process.stdout.write(`${line}\n`);
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta !== undefined) meta.results = [...(meta.results ?? []), line];
}

/** Returns `kills 100, repeated mails 2` for `{ kills: 100, repeatedMails: 2 }`. */
function describe(result: unknown): string {
  if (Array.isArray(result)) return result.length === 0 ? 'none' : result.map(describe).join('; ');
  if (typeof result !== 'object' || result === null) return String(result);
  return Object.entries(result)
    .map(([name, value]) => `${wordsOf(name)} ${bracketed(value)}`)
    .join(', ');
}

function bracketed(value: unknown): string {
  const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isNested ? `(${describe(value)})` : describe(value);
}

function wordsOf(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
