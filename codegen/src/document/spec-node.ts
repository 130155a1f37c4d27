import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.js';
import { type Path, parsePointer } from './json-pointer.js';
import type { Position, SpecDocument } from './spec-document.js';

/** A value of the specification that knows its place. Asking for what is not there gives undefined. */
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

  /** The node a chain of keys leads to. */
  at(...keys: readonly string[]): SpecNode | undefined {
    return keys.reduce<SpecNode | undefined>((node, key) => node?.get(key), this);
  }

  get reference(): string | undefined {
    return this.get('$ref')?.text;
  }

  /** What the node refers to (Reference Object, OpenAPI 3.1 §4.8.23), or itself. */
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
