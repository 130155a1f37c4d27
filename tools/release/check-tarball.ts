import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemAffectsResolutionKind, problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { Refusal } from './run.js';
import type { Tarball } from './tarball.js';

/**
 * Checks that what a tarball exports exists in it, and that its types are found as its code is.
 *
 * @throws Refusal with all findings
 */
export async function checkTarball({ name, file }: Tarball): Promise<void> {
  const content = await readFile(file);
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(content).buffer } });
  const lints = messages.map((each) => formatMessage(each, pkg, { color: false }) ?? each.code);
  // A package that is a command alone exports nothing.
  const findings = [...lints, ...('exports' in pkg ? await checkTypes(content) : [])];
  if (findings.length === 0) return;
  throw new Refusal(
    [`${name} cannot be published:`, ...findings.map((finding) => `  ${finding}`)].join('\n'),
  );
}

/** How the users of the packages find them: as ES modules, or without `exports`. */
const resolutions = ['node10', 'node16-esm', 'bundler'] as const;

async function checkTypes(content: Buffer): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(content)));
  if (!result.types) return ['It has no types.'];
  return result.problems
    .filter((problem) =>
      resolutions.some((it) => problemAffectsResolutionKind(problem, it, result)),
    )
    .map((problem) => `${problemKindInfo[problem.kind].title}: ${JSON.stringify(problem)}`);
}
