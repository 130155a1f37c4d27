import { test } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';

/** Counts a test file that cannot be loaded as failed. Stryker sees only that it has no tests. */
export default class MutateRunner extends VitestTestRunner {
  override async importFile(path: string, source: 'collect' | 'setup'): Promise<unknown> {
    try {
      return await super.importFile(path, source);
    } catch (error) {
      // Stryker asks for the tests that reach the mutation, of which the file has none now.
      this.config.testNamePattern = undefined;
      test('the file can be loaded', () => {
        throw error;
      });
      return undefined;
    }
  }
}
