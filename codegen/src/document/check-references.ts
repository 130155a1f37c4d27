import type { Finding } from './finding.js';
import { parsePointer } from './json.js';
import type { SpecDocument, SpecNode } from './spec-document.js';

/**
 * Checks that every `$ref` leads to another place in this document, because the interface is one
 * file.
 */
export function checkReferences(document: SpecDocument): Finding[] {
  const findings: Finding[] = [];
  for (const node of referencesBelow(document.root)) {
    const message = problemOf(node);
    if (message !== undefined) findings.push({ ...node.position, rule: 'reference', message });
  }
  return findings;
}

/** Every `$ref` text at or below a node. */
function* referencesBelow(node: SpecNode): Generator<SpecNode> {
  const reference = node.get('$ref');
  if (reference?.text !== undefined) yield reference;
  for (const child of [...node.members, ...node.items]) yield* referencesBelow(child);
}

function problemOf(node: SpecNode): string | undefined {
  const seen: string[] = [];
  for (let reference = node.text; reference !== undefined; ) {
    if (!reference.startsWith('#/')) {
      return `${reference} points outside this document.`;
    }
    if (seen.includes(reference)) {
      return `${reference} refers to itself.`;
    }
    seen.push(reference);
    const target = node.document.find(parsePointer(reference));
    if (!target) {
      return `${reference} leads nowhere.`;
    }
    reference = target.reference;
  }
  return undefined;
}
