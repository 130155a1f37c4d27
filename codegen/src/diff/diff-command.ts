import type { Output } from '../generate.js';
import type { Options } from '../options.js';
import {
  type Release,
  readFrom,
  readNewestRelease,
  readReleased,
  SourceError,
} from './releases.js';
import { formatJson, formatReport } from './report.js';
import { parseUsage } from './usage.js';
import { readApi, versionOf, weigh } from './weigh.js';

/**
 * Prints what changed since a release, and returns the exit code: 1 if a change is major (D-40), 2
 * if a file cannot be read.
 */
export async function diff(
  { spec, released, usage, json }: Pick<Options, 'spec' | 'released' | 'usage' | 'json'>,
  folder: string,
  { say, complain }: Output,
): Promise<number> {
  try {
    const current = readFrom(spec, folder);
    const release = await readRelease(released, spec, folder);
    const file = usage === undefined ? undefined : readFrom(usage, folder);
    const used = file && parseUsage(file.text, file.name);
    const weighing = await weigh(release, current);
    say(json ? formatJson(weighing, used) : formatReport(weighing, used));
    return weighing.bump === 'major' ? 1 : 0;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    complain(error.message);
    return 2;
  }
}

/**
 * Returns the report on a spec that breaks the newest release of its own major version.
 *
 * @param folder the folder that names in messages start from
 * @throws SourceError
 */
export async function findBreak(spec: string, folder: string): Promise<string | undefined> {
  const current = readFrom(spec, folder);
  const major = versionOf(await readApi(current))?.split('.')[0];
  const release = await readNewestRelease(spec, folder, major);
  const weighing = release && (await weigh(release, current));
  return weighing?.bump === 'major' ? formatReport(weighing) : undefined;
}

async function readRelease(
  released: string | undefined,
  spec: string,
  folder: string,
): Promise<Release> {
  if (released !== undefined) return readReleased(released, spec, folder);
  const newest = await readNewestRelease(spec, folder);
  if (newest === undefined)
    throw new SourceError(
      'There is no release beside the spec, such as releases/1.0.0/openapi.yaml.',
    );
  return newest;
}
