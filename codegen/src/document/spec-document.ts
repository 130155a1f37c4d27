import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  visit,
} from 'yaml';
import { aliasTargets, expandAliases } from './aliases.js';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Path,
  parsePointer,
} from './json.js';
import type { Position, Sources } from './sources.js';

interface Place {
  readonly key: unknown;
  readonly value: unknown;
}

/** A change that mends a mistake, so that the checks that follow find the other mistakes. */
export type Repair =
  | { readonly kind: 'remove'; readonly path: Path }
  /** Gives a member another key, or a text another value. */
  | { readonly kind: 'rename' | 'replace'; readonly path: Path; readonly to: string };

export interface Extent {
  /** The parts of the text: none if the element is absent, several if it is in several files. */
  readonly ranges: readonly Range[];
  /** Where the elements that contain it start. */
  readonly around: readonly number[];
}

/** A part of the text. It ends before `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The parsed spec with its text, so that every value has a position. */
export class SpecDocument {
  readonly value: JsonObject;
  readonly sources: Sources;
  readonly #yaml: Document.Parsed;

  constructor(value: JsonObject, yaml: Document.Parsed, sources: Sources) {
    this.value = value;
    this.sources = sources;
    this.#yaml = yaml;
  }

  /**
   * The text with its comments, as readers without this program have it: with all files, shared
   * parts and aliases written out. Readers of YAML 1.1 would take an unquoted `no` for false.
   */
  get text(): string {
    const yaml = this.#yaml.clone() as Document.Parsed;
    expandAliases(yaml);
    visit(yaml, {
      Node(_key, node) {
        if ('anchor' in node) delete node.anchor;
        // Readers of YAML 1.1 take 0o17 for a text.
        if (isScalar(node) && typeof node.value === 'number') delete node.format;
      },
    });
    yaml.setSchema('1.2', { compat: 'yaml-1.1' });
    return yaml.toString({ lineWidth: 0, flowCollectionPadding: false, singleQuote: true });
  }

  get root(): SpecNode {
    return new SpecNode(this, [], this.value);
  }

  find(path: Path): SpecNode | undefined {
    let value: JsonValue | undefined = this.value;
    const exactPath: (string | number)[] = [];
    for (const part of path) {
      if (isJsonArray(value)) {
        exactPath.push(Number(part));
        value = value[Number(part)];
      } else if (isJsonObject(value) && Object.hasOwn(value, part)) {
        exactPath.push(String(part));
        value = value[part];
      } else {
        return undefined;
      }
    }
    return value === undefined ? undefined : new SpecNode(this, exactPath, value);
  }

  /** Returns the document with changes, in which all that remains keeps its position. */
  repaired(repairs: readonly Repair[]): SpecDocument {
    if (repairs.length === 0) return this;
    return this.changed((yaml) => this.#repair(yaml, repairs));
  }

  #repair(yaml: Document.Parsed, repairs: readonly Repair[]): void {
    const anchored = aliasTargets(yaml);
    // All elements are found before the first change, which may move or rename others.
    const changes = repairs.map((repair) => ({ repair, element: elementAt(yaml, repair.path) }));
    for (const { repair, element } of changes) if (element) applyRepair(repair, element);
    if (anchored.size === 0) return;
    const left = aliasTargets(yaml);
    // An alias whose anchor is gone becomes the element itself.
    visit(yaml, { Alias: (_key, alias) => (left.get(alias) ? undefined : anchored.get(alias)) });
  }

  /** Returns the document after a change of its nodes, of which each keeps its position. */
  changed(change: (yaml: Document.Parsed) => void): SpecDocument {
    const yaml = this.#yaml.clone() as Document.Parsed;
    change(yaml);
    return new SpecDocument(yaml.toJS(), yaml, this.sources);
  }

  /** Returns a document of the same text that has another value. */
  withValue = (value: JsonObject) => new SpecDocument(value, this.#yaml, this.sources);

  /** Returns the parts of the text that an element takes, and the places of those around it. */
  extent(path: Path): Extent {
    const around = path.map((_part, length) => path.slice(0, length));
    const { key, value } = placeOf(this.#yaml, path);
    const isThere = this.find(path) !== undefined;
    return {
      ranges: isThere ? [...rangesOf(key), ...rangesOf(value)] : [],
      around: around.flatMap((each) => [this.position(each).offset, this.keyPosition(each).offset]),
    };
  }

  /**
   * Returns where a reader should look: at a scalar or list item, or at the key of a mapping or
   * list unless it is in another file. A path that leads nowhere gives its nearest ancestor.
   */
  position(path: Path): Position {
    const { key, value } = placeOf(this.#yaml, path);
    if (key === undefined || (isScalar(value) && value.value !== null)) {
      return this.#positionOf(value);
    }
    const ofKey = this.#positionOf(key);
    const ofValue = isNode(value) ? this.#positionOf(value) : ofKey;
    return ofKey.file === ofValue.file ? ofKey : ofValue;
  }

  keyPosition(path: Path): Position {
    const { key, value } = placeOf(this.#yaml, path);
    return this.#positionOf(key ?? value);
  }

  #positionOf(node: unknown): Position {
    return this.sources.positionAt(isNode(node) ? (node.range?.[0] ?? 0) : 0);
  }
}

/** Returns the element at a path, or its nearest ancestor if the path leads nowhere. */
export function placeOf(yaml: Document.Parsed, path: Path): Place {
  let place: Place = { key: undefined, value: yaml.contents };
  for (const part of path) {
    const member = memberOf(resolved(yaml, place.value), part);
    if (member === undefined) break;
    place = isPair(member) ? member : { key: undefined, value: member };
  }
  return place;
}

/** Returns a pair of a mapping, or an item of a list. */
function memberOf(holder: unknown, part: string | number): unknown {
  return isSeq(holder) ? holder.items[Number(part)] : pairOf(holder, String(part));
}

/** An element that exists: a pair of a mapping or an item of a list, among its siblings. */
interface Element {
  readonly siblings: unknown[];
  readonly element: unknown;
}

function elementAt(yaml: Document.Parsed, path: Path): Element | undefined {
  const holder = resolved(yaml, placeOf(yaml, path.slice(0, -1)).value);
  const element = memberOf(holder, path.at(-1) ?? '');
  return isCollection(holder) && element ? { siblings: holder.items, element } : undefined;
}

function applyRepair(repair: Repair, { siblings, element }: Element): void {
  if (repair.kind === 'remove') {
    const index = siblings.indexOf(element);
    if (index >= 0) siblings.splice(index, 1);
    return;
  }
  const value = isPair(element) ? element.value : element;
  const text = repair.kind === 'rename' && isPair(element) ? element.key : value;
  if (isScalar(text)) text.value = repair.to;
}

function resolved(yaml: Document.Parsed, node: unknown): unknown {
  return isAlias(node) ? node.resolve(yaml) : node;
}

/** Returns the range of a node, and those of its parts that stand elsewhere. */
function* rangesOf(node: unknown, around?: Range): Generator<Range> {
  if (isPair(node)) {
    yield* rangesOf(node.key, around);
    yield* rangesOf(node.value, around);
  } else if (isNode(node) && node.range) {
    const [start, end] = node.range;
    const isInside = around !== undefined && around.start <= start && end <= around.end;
    const range = isInside ? around : { start, end };
    if (!isInside) yield range;
    for (const part of isCollection(node) ? node.items : []) yield* rangesOf(part, range);
  }
}

/** Returns a key as JSON has it: `200:` and `'200':` are the same. */
export function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

/** Returns the pair of a mapping that has a key. */
export function pairOf(node: unknown, name: string): Pair | undefined {
  return isMap(node) ? node.items.find(({ key }) => keyText(key) === name) : undefined;
}

/** A value of the spec that knows its place. Absent members are undefined. */
export class SpecNode {
  readonly document: SpecDocument;
  readonly path: Path;
  readonly value: JsonValue;

  constructor(document: SpecDocument, path: Path, value: JsonValue) {
    this.document = document;
    this.path = path;
    this.value = value;
  }

  get position(): Position {
    return this.document.position(this.path);
  }

  get keyPosition(): Position {
    return this.document.keyPosition(this.path);
  }

  /** The key or index under which the node stands; empty for the root. */
  get key(): string {
    return String(this.path.at(-1) ?? '');
  }

  get text(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  get object(): JsonObject | undefined {
    return isJsonObject(this.value) ? this.value : undefined;
  }

  get members(): SpecNode[] {
    return Object.entries(this.object ?? {}).map(([key, value]) => this.#child(key, value));
  }

  get items(): SpecNode[] {
    return isJsonArray(this.value) ? this.value.map((item, index) => this.#child(index, item)) : [];
  }

  get(key: string): SpecNode | undefined {
    const value = this.object && Object.hasOwn(this.object, key) ? this.object[key] : undefined;
    return value === undefined ? undefined : this.#child(key, value);
  }

  at(...keys: readonly string[]): SpecNode | undefined {
    return keys.reduce<SpecNode | undefined>((node, key) => node?.get(key), this);
  }

  get reference(): string | undefined {
    return this.get('$ref')?.text;
  }

  /** Returns the target of its reference (OpenAPI 3.1 §4.8.23), or the node itself. */
  follow(): SpecNode {
    const seen = new Set<string>();
    let node: SpecNode = this;
    while (node.reference !== undefined && !seen.has(node.reference)) {
      seen.add(node.reference);
      const target = this.document.find(parsePointer(node.reference));
      if (!target) break;
      node = target;
    }
    return node;
  }

  #child(key: string | number, value: JsonValue): SpecNode {
    return new SpecNode(this.document, [...this.path, key], value);
  }
}
