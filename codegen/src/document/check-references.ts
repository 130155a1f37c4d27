import { closest, orMeant } from './closest.js';
import { type Checked, type Finding, oncePerMessage } from './finding.js';
import { formatFragment, type Path, parsePointer } from './json.js';
import { canRefer, isComponent, kindAt, kindOfMember, referenceTo } from './openapi-places.js';
import type { Extent, Repair, SpecDocument, SpecNode } from './spec-document.js';

/** Checks references. A misspelt `$ref` is repaired; the holder of another wrong one is removed. */
export function checkReferences(document: SpecDocument): Checked {
  const findings: Finding[] = [];
  const repairs: Repair[] = [];
  const unread: Extent[] = [];
  for (const node of referencesBelow(document.root)) {
    const problem = problemOf(node);
    if (problem === undefined) continue;
    if (problem.message) {
      findings.push({ ...node.position, rule: 'reference', message: problem.message });
    }
    if (problem.meant === undefined) {
      const holder = node.path.slice(0, -1);
      repairs.push({ kind: 'remove', path: holder });
      unread.push(document.extent(holder));
    } else {
      repairs.push({ kind: 'replace', path: node.path, to: problem.meant });
    }
  }
  return { findings: oncePerMessage(findings), mended: document.repaired(repairs), unread };
}

export function* referencesBelow(node: SpecNode, kind = 'document'): Generator<SpecNode> {
  const reference = canRefer(kind) ? node.get('$ref') : undefined;
  if (reference?.text !== undefined) yield reference;
  // The mapping of a discriminator has names of schemas too.
  if (kind === 'mapping' && node.text?.startsWith('#/')) yield node;
  for (const item of node.items) yield* referencesBelow(item, kind);
  for (const child of node.members) yield* referencesBelow(child, kindOfMember(kind, child.key));
}

interface Problem {
  /** Undefined if it only follows from the problem of another reference. */
  readonly message: string | undefined;
  readonly meant?: string | undefined;
}

function problemOf(node: SpecNode): Problem | undefined {
  const seen = new Set<string>();
  for (let reference = node.text; reference !== undefined; ) {
    // `joinFiles` has reported a reference that still names a file.
    if (!reference.startsWith('#')) return { message: undefined };
    if (!reference.startsWith('#/')) return anchorReference(node.document, reference);
    if (seen.has(reference)) {
      // Only the references of the circle itself are wrong.
      const isInCircle = seen.has(formatFragment(node.path.slice(0, -1)));
      return { message: isInCircle ? `${reference} refers to itself.` : undefined };
    }
    seen.add(reference);
    const path = parsePointer(reference);
    const target = node.document.find(path);
    if (target && reference === node.text) {
      const problem = wrongSection(node, reference, path);
      if (problem) return problem;
    }
    if (!target && reference !== node.text) return { message: undefined };
    if (!target) return danglingReference(node.document, reference, path);
    reference = target.reference;
  }
  return undefined;
}

/** Finds a reference to a schema, for example, in the place of a response. */
function wrongSection(node: SpecNode, reference: string, path: Path): Problem | undefined {
  const kind = kindAt(node.path.slice(0, -1));
  const [components, section = '', ...names] = path;
  const isOther = components === 'components' && isComponent(String(section)) && section !== kind;
  if (!isOther || !isComponent(kind)) return undefined;
  const there = ['components', kind, ...names];
  const meant = node.document.find(there) && formatFragment(there);
  const end = meant === undefined ? '.' : `; did you mean ${meant}?`;
  const message = `${reference} is in components/${section}, but must be in components/${kind}${end}`;
  return { message, meant };
}

/** Looks for a target of almost the same name in the section that the reference names. */
function danglingReference(document: SpecDocument, reference: string, path: Path): Problem {
  const name = String(path.at(-1));
  const section = path.slice(0, -1);
  const holders = [1, 2].map((length) => document.find(section.slice(0, length)));
  // The check of the structure reports a section that is no mapping.
  if (holders.some((each) => each && !each.object)) return { message: undefined };
  const holder = document.find(section);
  if (!holder) return misplacedReference(document, reference, name);
  const names = holder.members.map(({ key }) => key);
  // Any other guess would be a cause of further findings.
  const meant = closest(name, names, 1);
  const message = `${reference} leads nowhere${orMeant(name, names)}`;
  return { message, ...(meant !== undefined && { meant: formatFragment([...section, meant]) }) };
}

/** Looks for a component of the name, as for `#/definitions/Thing`. */
function misplacedReference(
  document: SpecDocument,
  reference: string,
  name: string,
  otherwise = '.',
): Problem {
  const meant = referenceTo(name, (path) => document.find(path) !== undefined);
  const end = meant ? `; did you mean ${meant}?` : otherwise;
  return { message: `${reference} leads nowhere${end}`, meant };
}

/** Looks for the schema with an anchor, which only some tools follow. */
function anchorReference(document: SpecDocument, reference: string): Problem {
  const [anchored] = withAnchor(document.root, reference.slice(1));
  const meant = anchored && formatFragment(anchored.path);
  if (meant) return { message: `${reference} is an anchor; write ${meant}.`, meant };
  const example = '; write the path of its target, such as #/components/schemas/Name.';
  const name = String(parsePointer(reference).at(-1));
  return misplacedReference(document, reference, name, /^#./.test(reference) ? example : '.');
}

function* withAnchor(node: SpecNode, name: string): Generator<SpecNode> {
  if ([node.get('$anchor'), node.get('$dynamicAnchor')].some((each) => each?.text === name)) {
    yield node;
  }
  for (const child of [...node.members, ...node.items]) yield* withAnchor(child, name);
}
