import type { Weight } from '../../src/diff/compare/change.js';
import type { JsonObject, JsonValue, Path } from '../../src/document/json.js';
import { readDocument, readYaml } from '../../src/document/read-document.js';
import { Sources } from '../../src/document/sources.js';
import { SpecDocument } from '../../src/document/spec-document.js';
import { writeOut } from '../../src/openapi/write-out.js';
import { openapi } from './generate-into.js';

type Draft = JsonValue | { [key: string]: Draft } | Draft[];

const sources = new Sources();
const source = readDocument(openapi);
if (!source.ok) throw new Error(JSON.stringify(source.findings));
const outcome = readYaml(writeOut(source.value).mended.text, 'openapi.yaml', sources);
if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
const { yaml, value } = outcome.value;

/** A copy of the interface, to be edited. */
export class SpecDraft {
  readonly value = structuredClone(value) as { [key: string]: Draft };

  get(...path: Path): Draft | undefined {
    let found: Draft | undefined = this.value;
    for (const part of path) found = (found as { [key: string]: Draft } | undefined)?.[part];
    return found;
  }

  /** Sets a member. Its holder must be there. */
  set(path: Path, to: Draft): void {
    const holder = this.#holder(path);
    holder[path.at(-1) ?? ''] = to;
  }

  remove(...path: Path): void {
    const holder = this.#holder(path);
    const key = path.at(-1) ?? '';
    if (!(key in holder)) throw new Error(`There is no ${path.join('/')}`);
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  }

  /** Moves a member that is there to another key of its holder. */
  rename(path: Path, to: string): void {
    const member = this.get(...path);
    if (member === undefined) throw new Error(`There is no ${path.join('/')}`);
    this.remove(...path);
    this.set([...path.slice(0, -1), to], member);
  }

  add(path: Path, ...items: Draft[]): void {
    const list = this.get(...path);
    if (!Array.isArray(list)) throw new Error(`There is no list ${path.join('/')}`);
    this.set(path, [...list, ...items]);
  }

  drop(path: Path, item: Draft): void {
    const list = this.get(...path);
    if (!Array.isArray(list) || !list.includes(item)) throw new Error(`There is no ${item}`);
    this.set(
      path,
      list.filter((each) => each !== item),
    );
  }

  operation(id: string): Path {
    const paths = this.get('paths') as { [path: string]: { [method: string]: JsonObject } };
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation['operationId'] === id) return ['paths', path, method];
      }
    }
    throw new Error(`There is no operation ${id}`);
  }

  #holder(path: Path): { [key: string | number]: Draft } {
    const holder = this.get(...path.slice(0, -1));
    if (typeof holder !== 'object' || holder === null) {
      throw new Error(`There is no ${path.slice(0, -1).join('/')}`);
    }
    return holder as { [key: string | number]: Draft };
  }

  /**
   * Returns the document, in which an edited part has the position of the nearest element that was
   * there before.
   */
  document(): SpecDocument {
    return new SpecDocument(this.value as JsonObject, yaml, sources);
  }
}

/** Returns the path of a schema of the components, or of one of its properties. */
export function schema(name: string, ...properties: string[]): Path {
  return ['components', 'schemas', name, ...properties.flatMap((each) => ['properties', each])];
}

/** Edits by the weight that they must have (D-40) and the text of the change that decides it. */
export type SpecEdits = Partial<
  Readonly<Record<Weight | 'none', Readonly<Record<string, (draft: SpecDraft) => void>>>>
>;
