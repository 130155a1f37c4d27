import { closest } from '../document/closest.js';
import type { Finding, Mended } from '../document/finding.js';
import { isComponent, kindAt, kindOfMember } from '../document/openapi-places.js';
import type { Repair, SpecDocument, SpecNode } from '../document/spec-document.js';
import { meantKeyword } from './plain-schema.js';

/** The members of operations (OpenAPI 3.1 §4.8.10). */
const ofOperations = (
  'tags summary description externalDocs operationId parameters requestBody responses callbacks ' +
  'deprecated security servers'
).split(' ');

/**
 * Checks the names of keywords of schemas, of members of operations, and of `$ref`. A misspelt one
 * is renamed, or removed if it cannot be what was meant, so that nothing else is reported that
 * follows from it.
 */
export function checkKeywords(document: SpecDocument): Mended {
  const findings: Finding[] = [];
  const repairs: Repair[] = [];
  for (const { node, to, ...mistake } of misspeltBelow(document.root)) {
    const message = `${node.key} is ${mistake.reason}; did you mean ${to}?`;
    findings.push({ ...node.keyPosition, rule: mistake.rule, message });
    const { path } = node;
    const meant = [...path.slice(0, -1), to];
    const isText = node.text !== undefined;
    const canBeMeant = to === '$ref' ? isText : !isText || !kindAt(meant).endsWith('schemas');
    if (document.find(meant) !== undefined) continue;
    repairs.push(canBeMeant ? { kind: 'rename', path, to } : { kind: 'remove', path });
  }
  return { findings, mended: document.repaired(repairs) };
}

interface Misspelt {
  readonly node: SpecNode;
  readonly to: string;
  readonly rule: string;
  readonly reason: string;
}

function* misspeltBelow(holder: SpecNode, kind = 'document'): Generator<Misspelt> {
  for (const item of holder.items) yield* misspeltBelow(item, kind);
  for (const node of holder.members) {
    const mistake = mistakeIn(node, kind);
    if (mistake) yield mistake;
    yield* misspeltBelow(node, kindOfMember(kind, mistake?.to ?? node.key));
  }
}

function mistakeIn(node: SpecNode, kind: string): Misspelt | undefined {
  const { key } = node;
  const of = (to: string | undefined, rule: string, reason: string) =>
    to === undefined ? undefined : { node, to, rule, reason };
  if (kind === 'schemas') return of(meantKeyword(key), 'schema', 'not a keyword of schemas');
  if (kind === 'operation' && !ofOperations.includes(key) && !key.startsWith('x-')) {
    return of(closest(key, ofOperations), 'openapi', 'not allowed here by OpenAPI 3.1');
  }
  const isReference = isComponent(kind) && key !== '$ref' && /^\$?ref$/i.test(key);
  return isReference ? of('$ref', 'reference', 'no reference') : undefined;
}
