import { basename, extname } from 'node:path';
import {
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Pair,
  Scalar,
  YAMLMap,
} from 'yaml';
import { expandAliases } from './aliases.js';
import { type Finding, type Mended, oncePerMessage } from './finding.js';
import { formatFragment, isJsonArray, isJsonObject, type JsonValue, type Path } from './json.js';
import { canRefer, isComponent, kindOfMember } from './openapi-places.js';
import { isLone, ReferenceReader, referenceOf, type Target } from './read-references.js';
import { keyText, pairOf, type SpecDocument } from './spec-document.js';
import type { SpecFiles } from './spec-files.js';

/**
 * Makes one document of all files, in which references are local and elements keep their positions.
 * A reference that cannot be followed still names its file.
 */
export function joinFiles(document: SpecDocument, files: SpecFiles): Mended {
  if (!namesFiles(document.value)) return { findings: [], mended: document };
  const findings: Finding[] = [];
  const joined = document.changed((yaml) => {
    const reader = new ReferenceReader(yaml, files, document.sources);
    findings.push(...oncePerMessage(new Joiner(yaml, reader).join()), ...reader.findings);
  });
  return { findings, mended: joined };
}

/** Returns true if a `$ref` or the mapping of a discriminator names another file. */
function namesFiles(value: JsonValue, kind = 'document'): boolean {
  if (isJsonArray(value)) return value.some((item) => namesFiles(item, kind));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, member]) => {
    const kindOfIt = kindOfMember(kind, key);
    if (typeof member !== 'string') return namesFiles(member, kindOfIt);
    if (key === '$ref' && canRefer(kind)) return !member.startsWith('#');
    return kindOfIt === 'mapping' && isReference(member) && !member.startsWith('#');
  });
}

/** The mapping of a discriminator has references and names of schemas (OpenAPI 3.1 §4.8.25). */
function isReference(text: string): boolean {
  return /[#/]|\.(?:ya?ml|json)$/.test(text);
}

type Reference = Scalar<string>;

class Joiner {
  readonly #spec: YAMLMap;
  readonly #reader: ReferenceReader;
  readonly #findings: Finding[] = [];
  /** The names of components by their section and node. */
  readonly #names = new Map<string, Map<Node, string>>();
  readonly #newComponents: { readonly node: Node; readonly section: string }[] = [];
  /** References get their new text last, because they are followed as they are written. */
  readonly #changed = new Map<Scalar, string>();
  readonly #seen = new Set<Node>();

  constructor(yaml: Document.Parsed, reader: ReferenceReader) {
    expandAliases(yaml);
    this.#spec = yaml.contents as YAMLMap;
    this.#reader = reader;
  }

  join(): Finding[] {
    this.#fillComponents();
    this.#read(this.#spec, 'document', () => undefined);
    for (const { node, section } of this.#newComponents) {
      this.#read(node, section, () => undefined);
    }
    for (const [reference, text] of this.#changed) reference.value = text;
    return this.#findings;
  }

  /** Gives the components of the spec that are in other files their content. */
  #fillComponents(): void {
    for (const section of this.#fill(pairOf(this.#spec, 'components'))?.items ?? []) {
      const kind = kindOfMember('components', keyText(section.key)).slice(1);
      if (!isComponent(kind)) continue;
      const names = this.#namesIn(kind);
      const members = this.#fill(section)?.items ?? [];
      for (const { key, value } of members.filter((member) => !isLone(member.value))) {
        names.set(value as Node, keyText(key));
      }
      for (const member of members) {
        const target = this.#contentOf(member);
        if (target === undefined || names.has(target)) continue;
        names.set(target, keyText(member.key));
        member.value = target;
      }
    }
  }

  /** Puts the target of a reference to another file in its place. Mistakes are reported later. */
  #fill(pair: Pair | undefined): YAMLMap | undefined {
    const content = pair && this.#contentOf(pair);
    if (content) pair.value = content;
    return isMap(pair?.value) ? pair.value : undefined;
  }

  #contentOf(pair: Pair): Node | undefined {
    const reference = referenceOf(pair.value);
    if (reference === undefined || !isLone(pair.value) || this.#reader.isWithinSpec(reference)) {
      return undefined;
    }
    const target = this.#reader.follow(reference);
    const isFound = 'node' in target && !target.isInSpec && target.mistake === undefined;
    return isFound && !contains(target.node, pair.value) ? target.node : undefined;
  }

  #read(node: unknown, kind: string, replace: (by: Node) => void): void {
    if (isScalar(node) && kind === 'mapping') this.#readMapping(node);
    if (!isMap(node) && !isSeq(node)) return;
    const reference = canRefer(kind) ? referenceOf(node) : undefined;
    if (reference !== undefined && !this.#reader.isWithinSpec(reference)) {
      if (!isComponent(kind)) {
        this.#putInPlace(node, reference, kind, replace);
        return;
      }
      this.#refer(reference, kind);
    }
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    if (isMap(node)) {
      for (const pair of node.items) {
        this.#read(pair.value, kindOfMember(kind, keyText(pair.key)), (by) => {
          pair.value = by;
        });
      }
    } else {
      for (const [index, item] of node.items.entries()) {
        this.#read(item, kind, (by) => {
          node.items[index] = by;
        });
      }
    }
  }

  #readMapping(node: Scalar): void {
    if (typeof node.value !== 'string' || !isReference(node.value)) return;
    const reference = node as Reference;
    if (!this.#reader.isWithinSpec(reference)) this.#refer(reference, 'schemas');
  }

  /** Puts the target in the place of a reference where OpenAPI has no components. */
  #putInPlace(holder: Node, reference: Reference, kind: string, replace: (by: Node) => void): void {
    if (!isLone(holder)) {
      this.#fail(reference, 'This $ref has other members beside it.');
      return;
    }
    const target = this.#follow(reference);
    if (target === undefined) return;
    if (contains(target.node, holder)) {
      this.#failCircle(reference);
      return;
    }
    replace(target.node);
    this.#read(target.node, kind, replace);
  }

  #refer(reference: Reference, section: string): void {
    const target = this.#follow(reference);
    if (target === undefined) return;
    const name = target.isInSpec ? undefined : this.#nameOf(target, section);
    if (target.isInSpec) this.#changed.set(reference, formatFragment(target.path));
    else if (name === undefined) this.#failCircle(reference);
    else this.#changed.set(reference, formatFragment(['components', section, name]));
  }

  #follow(reference: Reference): Target | undefined {
    const target = this.#reader.follow(reference);
    if (!('node' in target)) {
      this.#fail(reference, target.mistake);
      return undefined;
    }
    if (target.mistake !== undefined) this.#report(reference, target.mistake);
    return target;
  }

  #fail(reference: Reference, mistake: string | undefined): void {
    if (mistake !== undefined) this.#report(reference, mistake);
    // The joined document has local references only, but for those that failed.
    this.#changed.set(reference, this.#reader.shown(reference));
  }

  #failCircle(reference: Reference): void {
    this.#fail(reference, `${this.#reader.shown(reference)} refers to itself.`);
  }

  #report(reference: Reference, message: string): void {
    this.#findings.push({ ...this.#reader.positionOf(reference), rule: 'reference', message });
  }

  /** The name of the component that a target is or becomes; undefined if it contains them all. */
  #nameOf(target: Target, section: string): string | undefined {
    const names = this.#namesIn(section);
    const known = names.get(target.node);
    if (known !== undefined) return known;
    const components = memberMap(memberMap(this.#spec, 'components'), section);
    if (contains(target.node, components)) return undefined;
    const file = this.#reader.fileOf(target.node);
    const name = componentName(file, target.path, section, new Set(names.values()));
    names.set(target.node, name);
    const key = new Scalar(name);
    key.range = target.key?.range ?? target.node.range ?? null;
    components.items.push(new Pair(key, target.node));
    this.#newComponents.push({ node: target.node, section });
    return name;
  }

  #namesIn(section: string): Map<Node, string> {
    const names = this.#names.get(section) ?? new Map<Node, string>();
    this.#names.set(section, names);
    return names;
  }
}

/**
 * Returns the last part of the pointer or the name of the file, in PascalCase for schemas and
 * files.
 *
 * @param taken with one of these names, the name gets a number
 */
export function componentName(
  file: string,
  path: Path,
  section: string,
  taken: ReadonlySet<string>,
): string {
  const ofFile = pascalCase(basename(file, extname(file)));
  const last = String(path.at(-1) ?? '');
  const isNamed = section !== 'schemas' && /^[a-z]\w*$/i.test(last);
  const own = isNamed ? last : pascalCase(last);
  const candidates = [own, `${ofFile}${own}`, `${pascalCase(section)}${ofFile}${own}`];
  const name = candidates.find((each) => /^[a-z]/i.test(each)) ?? own;
  return freeName(name, taken);
}

/** Returns a name, or with a number if it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
  return free;
}

/** Returns letters and digits of ASCII, as OpenAPI requires of components. */
export function pascalCase(text: string): string {
  const words =
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[a-z0-9]+/gi) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function contains(node: unknown, other: unknown): boolean {
  if (node === other) return true;
  if (isPair(node)) return contains(node.value, other);
  return isCollection(node) && node.items.some((item) => contains(item, other));
}

/** Returns the mapping that a member holds. It is created if there is none. */
function memberMap(map: YAMLMap, name: string): YAMLMap {
  const pair = pairOf(map, name) ?? new Pair(new Scalar(name));
  if (!map.items.includes(pair)) map.items.push(pair);
  if (!isMap(pair.value)) pair.value = new YAMLMap();
  return pair.value as YAMLMap;
}
