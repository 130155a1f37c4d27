import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  visit,
} from 'yaml';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Path,
  parsePointer,
} from './json.js';

/** Line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The key or index that holds an element, and the element itself. */
interface Place {
  readonly key: unknown;
  readonly value: unknown;
}

/** A change that mends a mistake, so that the checks that follow find the other mistakes. */
export type Repair =
  | { readonly kind: 'remove'; readonly path: Path }
  /** Gives a member another key, or a text another value. */
  | { readonly kind: 'rename' | 'replace'; readonly path: Path; readonly to: string };

/** Where an element stands in the text. */
export interface Extent {
  readonly start: Position;
  /** The position behind it; undefined if the element is absent. */
  readonly end: Position | undefined;
  /** The positions of the elements that contain it. */
  readonly around: readonly Position[];
}

/** The parsed spec with its text, so that every value has a position. */
export class SpecDocument {
  /** The text as it was read, with LF line ends. */
  readonly text: string;
  readonly value: JsonObject;
  readonly #yaml: Document.Parsed;
  readonly #lines: LineCounter;

  constructor(text: string, value: JsonObject, yaml: Document.Parsed, lines: LineCounter) {
    this.text = text;
    this.value = value;
    this.#yaml = yaml;
    this.#lines = lines;
  }

  get root(): SpecNode {
    return new SpecNode(this, [], this.value);
  }

  /** The node at a path, or undefined where the path leads nowhere. */
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
    const yaml = this.#yaml.clone() as Document.Parsed;
    const anchored = new Map<Alias, Node | undefined>();
    visit(yaml, { Alias: (_key, alias) => void anchored.set(alias, alias.resolve(yaml)) });
    // All elements are found before the first change, which may move or rename others.
    const changes = repairs.map((repair) => ({ repair, element: elementAt(yaml, repair.path) }));
    for (const { repair, element } of changes) if (element) applyRepair(repair, element);
    // An alias whose anchor is gone becomes the element itself.
    visit(yaml, {
      Alias: (_key, alias) => (alias.resolve(yaml) ? undefined : anchored.get(alias)),
    });
    return new SpecDocument(this.text, yaml.toJS(), yaml, this.#lines);
  }

  /** The part of the text that an element takes, and the places of the elements around it. */
  extent(path: Path): Extent {
    const around = path.map((_part, length) => path.slice(0, length));
    const { key, value } = placeOf(this.#yaml, path);
    const isThere = this.find(path) !== undefined;
    return {
      start: this.#positionOf(key ?? value),
      end: isThere ? this.#positionAt(endOf(isNode(value) ? value : key)) : undefined,
      around: around.flatMap((each) => [this.position(each), this.keyPosition(each)]),
    };
  }

  /**
   * Returns the position at which a reader should look for an element: the text of a scalar or list
   * item, the key of a mapping or list. A path that leads nowhere gives its nearest ancestor.
   */
  position(path: Path): Position {
    const { key, value } = placeOf(this.#yaml, path);
    const pointsAtText = key === undefined || (isScalar(value) && value.value !== null);
    return this.#positionOf(pointsAtText ? value : key);
  }

  /** The position of the key that holds an element. */
  keyPosition(path: Path): Position {
    const { key, value } = placeOf(this.#yaml, path);
    return this.#positionOf(key ?? value);
  }

  #positionOf(node: unknown): Position {
    return this.#positionAt(startOf(node));
  }

  #positionAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Returns the element at a path, or its nearest ancestor if the path leads nowhere. */
function placeOf(yaml: Document.Parsed, path: Path): Place {
  let place: Place = { key: undefined, value: yaml.contents };
  for (const part of path) {
    const container = resolved(yaml, place.value);
    if (isMap(container)) {
      const pair = container.items.find((item) => keyText(item.key) === String(part));
      if (!pair) break;
      place = pair;
    } else if (isSeq(container)) {
      const item = container.items[Number(part)];
      if (item === undefined) break;
      place = { key: undefined, value: item };
    } else {
      break;
    }
  }
  return place;
}

/** An element that exists: a pair of a mapping or an item of a list, among its siblings. */
interface Element {
  readonly siblings: unknown[];
  readonly element: unknown;
}

function elementAt(yaml: Document.Parsed, path: Path): Element | undefined {
  const holder = resolved(yaml, placeOf(yaml, path.slice(0, -1)).value);
  if (!isMap(holder) && !isSeq(holder)) return undefined;
  const last = path.at(-1);
  const element = isMap(holder)
    ? holder.items.find(({ key }) => keyText(key) === String(last))
    : holder.items[Number(last)];
  return element === undefined ? undefined : { siblings: holder.items, element };
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

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function endOf(node: unknown): number {
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

/** A key as JSON has it: `200:` and `'200':` are the same. */
function keyText(key: unknown): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
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

  /** The members of a mapping, in the order they are written. */
  get members(): SpecNode[] {
    return Object.entries(this.object ?? {}).map(([key, value]) => this.#child(key, value));
  }

  /** The items of a list. */
  get items(): SpecNode[] {
    return isJsonArray(this.value) ? this.value.map((item, index) => this.#child(index, item)) : [];
  }

  get(key: string): SpecNode | undefined {
    const value = this.object && Object.hasOwn(this.object, key) ? this.object[key] : undefined;
    return value === undefined ? undefined : this.#child(key, value);
  }

  /** The node that a chain of keys leads to. */
  at(...keys: readonly string[]): SpecNode | undefined {
    return keys.reduce<SpecNode | undefined>((node, key) => node?.get(key), this);
  }

  get reference(): string | undefined {
    return this.get('$ref')?.text;
  }

  /**
   * The target of the node's reference (Reference Object, OpenAPI 3.1 §4.8.23), or the node itself.
   */
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
