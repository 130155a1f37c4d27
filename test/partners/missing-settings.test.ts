import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSampleProject, type SampleProject } from './run-samples.js';
import { installedPrograms } from './whole-programs.js';

let project: SampleProject;
beforeAll(async () => {
  project = await createSampleProject();
});
afterAll(() => project.remove());

/** In TypeScript the client says what is missing, which has tests of its own. */
const programs = (['sync', 'upload'] as const)
  .flatMap(installedPrograms)
  .filter(({ language }) => language !== 'TypeScript');

test.each(programs)(
  'D-54 the program $name in $language ends at once without its settings, and names one',
  async ({ language, source }) => {
    const run = await project.build(language, { program: source });
    const { exitCode, stdout, stderr } = await run('program', {});
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toMatch(/ADX_(URL|API_KEY|USERNAME|PASSWORD)/);
  },
);
