import { closest } from './closest.js';
import type { Finding } from './finding.js';
import type { Path } from './json.js';
import { sections } from './openapi-places.js';
import type { Repair, SpecDocument } from './spec-document.js';

/**
 * Checks sections before anything else: otherwise every reference into a misspelt section would be
 * a mistake, and misspelt paths would hide all others.
 */
export function checkSections(document: SpecDocument): {
  readonly findings: readonly Finding[];
  readonly mended: SpecDocument;
} {
  const top = checkMembers(document, [], ['paths', 'components']);
  const inner = checkMembers(top.mended, ['components'], sections);
  return { findings: [...top.findings, ...inner.findings], mended: inner.mended };
}

function checkMembers(document: SpecDocument, path: Path, names: readonly string[]) {
  const place = document.find(path);
  const keys = (place?.members ?? []).map(({ key }) => key);
  const findings: Finding[] = [];
  const repairs: Repair[] = [];
  for (const name of keys.filter((key) => !names.includes(key) && !key.startsWith('x-'))) {
    const meant = closest(
      name,
      names.filter((each) => !keys.includes(each)),
    );
    if (meant === undefined) continue;
    const message = `${name} is not allowed here by OpenAPI 3.1; did you mean ${meant}?`;
    const member = [...path, name];
    findings.push({ ...document.keyPosition(member), rule: 'openapi', message });
    repairs.push({ kind: 'rename', path: member, to: meant });
  }
  return { findings, mended: document.repaired(repairs) };
}
