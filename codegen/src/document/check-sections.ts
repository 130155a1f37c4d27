import { closest } from './closest.js';
import type { Finding, Mended } from './finding.js';
import type { Path } from './json.js';
import { sections } from './openapi-places.js';
import type { Repair, SpecDocument } from './spec-document.js';

/**
 * Checks sections before anything else: otherwise every reference into a misspelt section would be
 * a mistake, and misspelt paths would hide all others.
 */
export function checkSections(document: SpecDocument): Mended {
  const messageOf = (name: string, meant: string | undefined) => {
    const reason = name.startsWith('x-') ? 'has no effect' : 'is not allowed here by OpenAPI 3.1';
    return meant && `${name} ${reason}; did you mean ${meant}?`;
  };
  const known = ['paths', 'components', 'x-derived'];
  const top = checkMembers(document, [], known, 'openapi', messageOf);
  const inner = checkMembers(top.mended, ['components'], sections, 'openapi', messageOf);
  return { findings: [...top.findings, ...inner.findings], mended: inner.mended };
}

/**
 * Reports the members of an element that `names` does not have, and renames the misspelt ones. Of
 * extensions only those that are meant to be one of the names are reported.
 *
 * @param messageOf returns undefined for a member that is reported elsewhere
 */
export function checkMembers(
  document: SpecDocument,
  path: Path,
  names: readonly string[],
  rule: string,
  messageOf: (name: string, meant: string | undefined) => string | undefined,
): Mended {
  const place = document.find(path);
  const keys = (place?.members ?? []).map(({ key }) => key);
  const findings: Finding[] = [];
  const repairs: Repair[] = [];
  for (const name of keys.filter((key) => !names.includes(key))) {
    const isExtension = name.startsWith('x-');
    const free = names.filter(
      (each) => !keys.includes(each) && each.startsWith('x-') === isExtension,
    );
    const meant = closest(name, free);
    if (isExtension && meant === undefined) continue;
    const message = messageOf(name, meant);
    if (message === undefined) continue;
    const member = [...path, name];
    findings.push({ ...document.keyPosition(member), rule, message });
    if (meant !== undefined) repairs.push({ kind: 'rename', path: member, to: meant });
  }
  return { findings, mended: document.repaired(repairs) };
}
