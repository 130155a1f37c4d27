import type { Checked, Finding } from '../document/finding.js';
import { isComponent, kindOfMember } from '../document/openapi-places.js';
import type { Repair, SpecDocument, SpecNode } from '../document/spec-document.js';
import { meantKeyword } from './plain-schema.js';

/**
 * Checks the names of the keywords of schemas, and of `$ref`. A misspelt one is renamed, so that
 * nothing else is reported that follows from it.
 */
export function checkKeywords(document: SpecDocument): Omit<Checked, 'unread'> {
  const findings: Finding[] = [];
  const repairs: Repair[] = [];
  for (const { node, kind, to } of misspeltBelow(document.root)) {
    const message =
      kind === 'schemas'
        ? `${node.key} is not a keyword of schemas`
        : `${node.key} is no reference`;
    const rule = kind === 'schemas' ? 'schema' : 'reference';
    findings.push({ ...node.keyPosition, rule, message: `${message}; did you mean ${to}?` });
    const isFree = document.find([...node.path.slice(0, -1), to]) === undefined;
    if (isFree && (to !== '$ref' || node.text !== undefined)) {
      repairs.push({ kind: 'rename', path: node.path, to });
    }
  }
  return { findings, mended: document.repaired(repairs) };
}

interface Misspelt {
  readonly node: SpecNode;
  readonly kind: string;
  readonly to: string;
}

function* misspeltBelow(holder: SpecNode, kind = 'document'): Generator<Misspelt> {
  for (const item of holder.items) yield* misspeltBelow(item, kind);
  for (const node of holder.members) {
    const to = meantName(node, kind);
    if (to !== undefined) yield { node, kind, to };
    yield* misspeltBelow(node, kindOfMember(kind, to ?? node.key));
  }
}

function meantName({ key }: SpecNode, kind: string): string | undefined {
  if (kind === 'schemas') return meantKeyword(key);
  return isComponent(kind) && key !== '$ref' && /^\$?ref$/i.test(key) ? '$ref' : undefined;
}
