import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { excuses } from './excused-statements.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A file to which processes append the statements of the excuses that they needed. */
    usedExcuses: string;
  }
}

/** Fails a run of all tests if an excuse was not needed. */
export default function reportUnusedExcuses(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'adx-wall-'));
  const file = join(folder, 'used');
  writeFileSync(file, '');
  project.provide('usedExcuses', file);
  return () => {
    const used = new Set(readFileSync(file, 'utf8').split('\n'));
    rmSync(folder, { recursive: true });
    const unused = excuses.filter(({ statement }) => !used.has(statement));
    if (process.env['ADX_TEST_WHOLE'] === undefined || unused.length === 0) return;
    // Vitest prints an error of this function and still exits with 0.
    process.exitCode = 1;
    const lines = unused.map(({ statement }) => statement).join('\n');
    process.stderr.write(`Remove from test/wall/excused-statements.ts (D-57):\n${lines}\n`);
  };
}
