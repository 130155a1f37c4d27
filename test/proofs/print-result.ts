import { TestRunner } from 'vitest';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** What the test did, a line each. */
    results?: readonly string[];
  }
}

/** Prints what a proof did, such as `{ kills: 100 }`. `npm run prove -- --save` also writes it to docs/proofs.md. */
export function printResult(result: string | object): void {
  const line = typeof result === 'string' ? result : describe(result);
  process.stdout.write(`${line}\n`);
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta !== undefined) meta.results = [...(meta.results ?? []), line];
}

/** Returns `kills 100, repeated 2` for `{ kills: 100, repeated: 2 }`. */
function describe(result: object): string {
  return Object.entries(result)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}
