import { checkReferences } from '../document/check-references.js';
import { checkSections } from '../document/check-sections.js';
import { checkStructure, checkVersion } from '../document/check-structure.js';
import type { Checked, Finding, Outcome } from '../document/finding.js';
import { joinFiles } from '../document/join-files.js';
import type { Extent, SpecDocument } from '../document/spec-document.js';
import type { SpecFiles } from '../document/spec-files.js';
import { checkKeywords } from './check-keywords.js';
import { toPlainForm } from './plain-form.js';
import { writeOut } from './write-out.js';

/**
 * Joins the files of a spec and writes out its shared parts, and returns all mistakes at once; only
 * one if it is not OpenAPI 3.1. Each check gets the document as if the mistakes before were mended.
 */
export async function checkDocument(
  document: SpecDocument,
  files: SpecFiles,
): Promise<Outcome<CheckedDocument>> {
  const version = checkVersion(document);
  if (version.length > 0) return { ok: false, findings: version };

  const sections = checkSections(document);
  const joined = joinFiles(sections.mended, files);
  const keywords = checkKeywords(joined.mended);
  const written = writeOut(keywords.mended);
  const references = checkReferences(written.mended);
  const structure = await checkStructure(references.mended);
  const unreferenced = [...written.unread, ...references.unread];
  const findings = [
    ...sections.findings,
    ...joined.findings,
    ...written.findings,
    ...references.findings,
    ...withoutConsequences(structure.findings, unreferenced),
    ...withoutConsequences(keywords.findings, structure.unread),
  ];
  const unread = [...unreferenced, ...structure.unread];
  const { document: mended, notes } = toPlainForm(structure.mended);
  const value = { findings, mended, unread, notes: withoutConsequences(notes, unread) };
  return { ok: true, value };
}

interface CheckedDocument extends Checked {
  /** Parts of the spec that the mended document writes in another form, which is recommended. */
  readonly notes: readonly Finding[];
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
