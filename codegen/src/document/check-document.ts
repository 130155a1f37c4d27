import { checkReferences } from './check-references.js';
import { checkStructure, checkVersion } from './check-structure.js';
import { closest } from './closest.js';
import type { Checked, Finding, Outcome } from './finding.js';
import { joinFiles } from './join-files.js';
import type { Path } from './json.js';
import { sections as ofComponents } from './openapi-places.js';
import type { Extent, Repair, SpecDocument } from './spec-document.js';
import type { SpecFiles } from './spec-files.js';

/**
 * Joins the files of a spec, and returns all mistakes at once; only one if it is not OpenAPI 3.1.
 * Each check gets the document as if the mistakes before were mended.
 */
export async function checkDocument(
  document: SpecDocument,
  files: SpecFiles,
): Promise<Outcome<Checked>> {
  const version = checkVersion(document);
  if (version.length > 0) return { ok: false, findings: version };

  const sections = checkSections(document);
  const joined = joinFiles(sections.mended, files);
  const references = checkReferences(joined.mended);
  const structure = await checkStructure(references.mended);
  const unreferenced = [...joined.unread, ...references.unread];
  const findings = [
    ...sections.findings,
    ...joined.findings,
    ...references.findings,
    ...withoutConsequences(structure.findings, unreferenced),
  ];
  const unread = [...unreferenced, ...structure.unread];
  return { ok: true, value: { findings, mended: structure.mended, unread } };
}

/** Drops the findings in an unread element, or at an element that contains one. */
export function withoutConsequences(
  findings: readonly Finding[],
  unread: readonly Extent[],
): Finding[] {
  return findings.filter(
    ({ offset }) =>
      !unread.some(
        ({ ranges, around }) =>
          ranges.some(({ start, end }) => start <= offset && offset < end) ||
          around.includes(offset),
      ),
  );
}

/**
 * Checks sections before anything else: otherwise every reference into a misspelt section would be
 * a mistake, and misspelt paths would hide all others.
 */
function checkSections(document: SpecDocument): Omit<Checked, 'unread'> {
  const top = checkMembers(document, [], ['paths', 'components']);
  const inner = checkMembers(top.mended, ['components'], ofComponents);
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
