import { basename, dirname, resolve } from 'node:path';
import { type Document, isDocument, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { expandAliases } from './aliases.js';
import { closest, orMeant } from './closest.js';
import type { Finding } from './finding.js';
import { decodeFragment, type Path, parsePointer } from './json.js';
import { referenceTo } from './openapi-places.js';
import { readYaml } from './read-document.js';
import type { Position, Sources } from './sources.js';
import { keyText, pairOf } from './spec-document.js';
import type { SpecFiles } from './spec-files.js';

/** The target of a reference, behind all references that are nothing else. */
export interface Target {
  readonly node: Node;
  /** The path from the root of the spec, or of another file. */
  readonly path: Path;
  readonly isInSpec: boolean;
  /** The key that holds it; undefined for items of lists and whole files. */
  readonly key: Scalar | undefined;
  /** The mistake in a misspelt pointer, whose target is the one that was probably meant. */
  readonly mistake?: string | undefined;
}

export interface Failure {
  /** Undefined for a file that is not YAML. It has findings of its own. */
  readonly mistake: string | undefined;
}

/** The text of a reference, as a part of a file. */
type Reference = Scalar<string>;

/** Follows references from file to file. Each file is read once. */
export class ReferenceReader {
  readonly #files: SpecFiles;
  readonly #sources: Sources;
  /** The documents by their absolute path. */
  readonly #documents = new Map<string, Document.Parsed | Failure>();
  /** Absolute paths by the paths that messages show. */
  readonly #paths = new Map<string, string>();
  readonly findings: Finding[] = [];

  constructor(spec: Document.Parsed, files: SpecFiles, sources: Sources) {
    this.#files = files;
    this.#sources = sources;
    this.#documents.set(files.spec, spec);
    this.#paths.set(files.shown(files.spec), files.spec);
  }

  follow(reference: Reference): Target | Failure {
    return this.#follow(reference, []);
  }

  /** Returns true for a reference of the spec's own file to itself, which can stay as it is. */
  isWithinSpec(reference: Reference): boolean {
    return reference.value.startsWith('#') && this.fileOf(reference) === this.#files.spec;
  }

  positionOf(node: Node): Position {
    return this.#sources.positionAt(node.range?.[0] ?? 0);
  }

  fileOf(node: Node): string {
    return this.#paths.get(this.positionOf(node).file) ?? this.#files.spec;
  }

  /** Returns the file and the pointer to which a reference leads, as messages show them. */
  shown(reference: Reference): string {
    const { file, pointer } = this.#parse(reference);
    return `${this.#files.shown(file)}${pointer}`;
  }

  #parse(reference: Reference): { readonly file: string; readonly pointer: string } {
    const from = this.fileOf(reference);
    const [, name = '', pointer = ''] = /^([^#]*)(.*)$/s.exec(reference.value) ?? [];
    return { file: name === '' ? from : resolve(dirname(from), decodeFragment(name)), pointer };
  }

  #follow(reference: Reference, before: readonly string[]): Target | Failure {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(reference.value)) {
      return { mistake: `${reference.value} is a URL. References lead to files only.` };
    }
    const { file, pointer } = this.#parse(reference);
    const shown = this.shown(reference);
    if (before.includes(shown)) return { mistake: `${shown} refers to itself.` };
    const document = this.#read(file);
    if ('mistake' in document) return document;
    if (!/^(?:#?$|#\/)/.test(pointer)) {
      const path = 'write the path of its target after the #, such as #/$defs/Name';
      return { mistake: `${shown} leads nowhere; ${path}.` };
    }
    if (!document.contents) return { mistake: `${shown} leads nowhere.` };
    const isInSpec = file === this.#files.spec;
    const start: Target = { node: document.contents, path: [], isInSpec, key: undefined };
    const seen = [...before, shown];
    const target = this.#find(start, parsePointer(pointer), shown, seen);
    return 'node' in target && isLone(target.node) ? this.#through(target, seen) : target;
  }

  #read(file: string): Document.Parsed | Failure {
    const known = this.#documents.get(file);
    if (known) return known;
    const document = this.#readAnew(file);
    this.#documents.set(file, document);
    return document;
  }

  #readAnew(file: string): Document.Parsed | Failure {
    const shown = this.#files.shown(file);
    const text = this.#files.read(file);
    if (text === undefined) {
      const name = basename(file);
      const spec = this.#documents.get(this.#files.spec);
      const meant = referenceTo(name, (path) => isDocument(spec) && spec.hasIn(path));
      const names = this.#files.namesBeside(file);
      return {
        mistake: `${shown} cannot be read${meant ? `; did you mean ${meant}?` : orMeant(name, names)}`,
      };
    }
    this.#paths.set(shown, file);
    const outcome = readYaml(text, shown, this.#sources);
    if (!outcome.ok) {
      this.findings.push(...outcome.findings);
      return { mistake: undefined };
    }
    expandAliases(outcome.value.yaml);
    return outcome.value.yaml;
  }

  #find(
    start: Target,
    names: readonly string[],
    shown: string,
    before: readonly string[],
  ): Target | Failure {
    let place = start;
    for (const name of names) {
      if (!memberOf(place, name)) {
        const through = this.#through(place, before);
        if (!('node' in through)) return through;
        place = through;
      }
      const next = memberOf(place, name);
      const keys = isMap(place.node) ? place.node.items.map(({ key }) => keyText(key)) : [];
      const meant = next ? undefined : closest(name, keys);
      const other = meant === undefined ? undefined : memberOf(place, meant);
      const mistake = `${shown} leads nowhere${orMeant(name, keys)}`;
      if (next) place = next;
      else if (other) place = { ...other, mistake: place.mistake ?? mistake };
      else return { mistake };
    }
    return place;
  }

  /** The target of a place that holds a reference to another file, or the place itself. */
  #through(place: Target, before: readonly string[]): Target | Failure {
    const reference = referenceOf(place.node);
    if (reference === undefined || this.isWithinSpec(reference)) return place;
    const target = this.#follow(reference, before);
    return 'node' in target ? { ...target, mistake: place.mistake ?? target.mistake } : target;
  }
}

export function referenceOf(node: unknown): Reference | undefined {
  const value = pairOf(node, '$ref')?.value;
  return isScalar(value) && typeof value.value === 'string' ? (value as Reference) : undefined;
}

export function isLone(node: unknown): boolean {
  return referenceOf(node) !== undefined && isMap(node) && node.items.length === 1;
}

function memberOf({ node, path, isInSpec, mistake }: Target, name: string): Target | undefined {
  const pair = pairOf(node, name);
  const member = isSeq(node) ? node.items[Number(name)] : pair?.value;
  if (!member) return undefined;
  const key = isScalar(pair?.key) ? pair.key : undefined;
  return { node: member as Node, path: [...path, name], isInSpec, key, mistake };
}
