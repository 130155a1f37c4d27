import { readFrom, readNewestRelease } from './releases.js';
import { formatReport } from './report.js';
import { readApi, versionOf, weigh } from './weigh.js';

/**
 * Returns the report on a spec that breaks the newest release of its own major version (`info.version`), or
 * undefined if it breaks none.
 *
 * @param spec its path
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
