import { closest, orMeant } from './closest.js';
import type { Checked, Finding } from './finding.js';
import { formatFragment, type Path, parsePointer } from './json.js';
import { canRefer, kindOfMember } from './openapi-places.js';
import type { Extent, Repair, SpecDocument, SpecNode } from './spec-document.js';

/** Checks references. A misspelt `$ref` is repaired; the holder of another wrong one is removed. */
export function checkReferences(document: SpecDocument): Checked {
  const findings: Finding[] = [];
  const repairs: Repair[] = [];
  const unread: Extent[] = [];
  for (const node of referencesBelow(document.root)) {
    const problem = problemOf(node);
    if (problem === undefined) continue;
    findings.push({ ...node.position, rule: 'reference', message: problem.message });
    if (problem.meant === undefined) {
      const holder = node.path.slice(0, -1);
      repairs.push({ kind: 'remove', path: holder });
      unread.push(document.extent(holder));
    } else {
      repairs.push({ kind: 'replace', path: node.path, to: problem.meant });
    }
  }
  return { findings, mended: document.repaired(repairs), unread };
}

export function* referencesBelow(node: SpecNode, kind = 'document'): Generator<SpecNode> {
  const reference = canRefer(kind) ? node.get('$ref') : undefined;
  if (reference?.text !== undefined) yield reference;
  for (const item of node.items) yield* referencesBelow(item, kind);
  for (const child of node.members) yield* referencesBelow(child, kindOfMember(kind, child.key));
}

interface Problem {
  readonly message: string;
  readonly meant?: string | undefined;
}

function problemOf(node: SpecNode): Problem | undefined {
  const seen: string[] = [];
  for (let reference = node.text; reference !== undefined; ) {
    if (!reference.startsWith('#/')) {
      return { message: `${reference} leads nowhere.` };
    }
    if (seen.includes(reference)) {
      return { message: `${reference} refers to itself.` };
    }
    seen.push(reference);
    const path = parsePointer(reference);
    const target = node.document.find(path);
    if (!target) return danglingReference(node.document, reference, path);
    reference = target.reference;
  }
  return undefined;
}

/** Looks for a target of almost the same name in the section that the reference names. */
function danglingReference(document: SpecDocument, reference: string, path: Path): Problem {
  const name = String(path.at(-1));
  const section = path.slice(0, -1);
  const names = (document.find(section)?.members ?? []).map(({ key }) => key);
  const meant = closest(name, names);
  return {
    message: `${reference} leads nowhere${orMeant(name, names)}`,
    ...(meant !== undefined && { meant: formatFragment([...section, meant]) }),
  };
}
