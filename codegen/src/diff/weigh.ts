import { type Finding, formatFinding, inReadingOrder } from '../document/finding.js';
import { readDocument } from '../document/read-document.js';
import { checkDocument } from '../openapi/check-document.js';
import { type OpenApiObject, readOpenApi } from '../openapi/openapi-object.js';
import { heaviest, type Weight } from './compare/change.js';
import { compareSpecs } from './compare/compare-specs.js';
import { type Release, type Source, SourceError } from './releases.js';

export type Weighing = Awaited<ReturnType<typeof weigh>>;

/** @throws SourceError if one of them is not valid OpenAPI 3.1 */
export async function weigh(release: Release, current: Source) {
  const [before, after] = [await readApi(release), await readApi(current)];
  const changes = compareSpecs(before, after);
  const bump: Weight | 'none' = heaviest(changes) ?? 'none';
  const version = release.version ?? versionOf(before);
  return { bump, changes, released: { name: release.name, api: before, version } };
}

/** @throws SourceError with all mistakes that OpenAPI 3.1 has a name for */
export async function readApi({ name, text, files }: Source): Promise<OpenApiObject> {
  const outcome = readDocument(text, name);
  if (!outcome.ok) throw new SourceError(format(outcome.findings));
  const checked = await checkDocument(outcome.value, files);
  if (!checked.ok) throw new SourceError(format(checked.findings));
  const { findings, mended } = checked.value;
  if (findings.length > 0) throw new SourceError(format(inReadingOrder(findings)));
  return readOpenApi(mended);
}

function format(findings: readonly Finding[]): string {
  return findings.map(formatFinding).join('\n');
}

/** Returns `info.version` with three numbers: `1.0` is `1.0.0`. */
export function versionOf({ root }: OpenApiObject): string | undefined {
  const text = root.at('info', 'version')?.text ?? '';
  const [, major, minor = '0', patch = '0'] = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(text) ?? [];
  return major === undefined ? undefined : `${major}.${minor}.${patch}`;
}
