import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { repository } from '../support/run-command.js';
import { withRun } from './proofs-page.js';

/**
 * Writes the section of each file to docs/proofs.md when it ends. `npm run prove -- --save` uses
 * it.
 */
export default class SaveProofs implements Reporter {
  private startedAt = new Date();
  private load = 0;

  // Proofs run one file after the other.
  onTestModuleStart(): void {
    this.startedAt = new Date();
    [this.load = 0] = loadavg();
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()]
      .map((test) => ({
        title: test.fullName,
        state: test.result().state,
        results: test.meta().results ?? [],
      }))
      .filter(({ state }) => state !== 'skipped');
    if (module.state() === 'failed' && tests.every(({ state }) => state === 'passed')) {
      tests.push({ title: 'the file', state: 'failed', results: [] });
    }
    const run = {
      file: relative(repository, module.moduleId),
      startedAt: this.startedAt,
      minutes: (Date.now() - this.startedAt.getTime()) / 60_000,
      machine: `Node ${process.versions.node}, ${availableParallelism()} cores`,
      load: this.load,
      tests,
    };
    const page = join(repository, 'docs/proofs.md');
    const exists = (file: string) => existsSync(join(repository, file));
    writeFileSync(page, withRun(readFileSync(page, 'utf8'), run, exists));
  }
}
