import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type LineCounter } from 'yaml';
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

  /**
   * Returns the document with changes, in which all that remains keeps its position.
   *
   * @param repairs in the order of the document
   */
  repaired(repairs: readonly Repair[]): SpecDocument {
    if (repairs.length === 0) return this;
    const yaml = this.#yaml.clone() as Document.Parsed;
    // The last one first, because a removal moves the items behind it.
    for (const repair of repairs.toReversed()) applyRepair(yaml, repair);
    return new SpecDocument(this.text, yaml.toJS(), yaml, this.#lines);
  }

  /** Returns true if there is an element at a path, and a position is in it or in its key. */
  holds(path: Path, { line, column }: Position): boolean {
    if (this.find(path) === undefined) return false;
    const { key, value } = placeOf(this.#yaml, path);
    const offset = (this.#lines.lineStarts[line - 1] ?? 0) + column - 1;
    return startOf(key ?? value) <= offset && offset < endOf(isNode(value) ? value : key);
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
    const { line, col } = this.#lines.linePos(startOf(node));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Returns the element at a path, or its nearest ancestor if the path leads nowhere. */
function placeOf(yaml: Document.Parsed, path: Path): Place {
  let place: Place = { key: undefined, value: yaml.contents };
  for (const part of path) {
    const container = isAlias(place.value) ? place.value.resolve(yaml) : place.value;
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

function applyRepair(yaml: Document.Parsed, repair: Repair): void {
  const { kind, path } = repair;
  if (kind === 'remove') {
    const { value: holder } = placeOf(yaml, path.slice(0, -1));
    const last = path.at(-1);
    if (isSeq(holder)) holder.items.splice(Number(last), 1);
    if (isMap(holder)) holder.items = holder.items.filter(({ key }) => keyText(key) !== last);
    return;
  }
  const { key, value } = placeOf(yaml, path);
  const text = kind === 'rename' ? key : value;
  if (isScalar(text)) text.value = repair.to;
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
