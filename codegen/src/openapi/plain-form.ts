import type { Finding } from '../document/finding.js';
import { componentName, pascalCase } from '../document/join-files.js';
import {
  formatFragment,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Path,
  parsePointer,
} from '../document/json.js';
import {
  canRefer,
  describedHeaders,
  isComponent,
  kindAt,
  kindOfMember,
} from '../document/openapi-places.js';
import type { SpecDocument, SpecNode } from '../document/spec-document.js';
import { plainSchema } from './plain-schema.js';

/**
 * Returns the document with everything in the one form that all later steps know, and a note for
 * each part that its author should rather write so.
 */
export function toPlainForm(document: SpecDocument) {
  const ignored = ignoredParameters(document);
  const form = new PlainForm(
    document.repaired(ignored.map(({ path }) => ({ kind: 'remove', path }))),
  );
  for (const { path } of ignored) {
    form.note(
      path,
      'OpenAPI ignores a parameter of this name; leave it out.',
      document.position(path),
    );
  }
  const value = form.write();
  return { document: form.document.withValue(value), notes: form.notes };
}

/** Returns the parameters that are headers which OpenAPI describes elsewhere (§4.8.12.2.1). */
function ignoredParameters(document: SpecDocument): SpecNode[] {
  const holders = (document.find(['paths'])?.members ?? []).flatMap((path) => [
    path,
    ...path.members,
  ]);
  const parameters = holders.flatMap((holder) => holder.get('parameters')?.items ?? []);
  return parameters.filter((use) => {
    const node = use.follow();
    const name = node.get('name')?.text?.toLowerCase() ?? '';
    return node.get('in')?.text === 'header' && describedHeaders.includes(name);
  });
}

class PlainForm {
  readonly notes: Finding[] = [];
  readonly document: SpecDocument;
  readonly #operationIds = new Set<string>();
  /** The schemas that are no components but have references, by their pointers. */
  readonly #schemas = new Map<string, { readonly name: string; readonly value: JsonValue }>();
  readonly #schemaNames: Set<string>;

  constructor(document: SpecDocument) {
    this.document = document;
    const schemas = document.find(['components', 'schemas'])?.members ?? [];
    this.#schemaNames = new Set(schemas.map(({ key }) => key));
    for (const { members } of document.find(['paths'])?.members ?? []) {
      for (const operation of members) {
        const id = operation.get('operationId')?.text;
        if (id !== undefined) this.#operationIds.add(id);
      }
    }
  }

  write(): JsonObject {
    const written = this.#object(this.document.value, 'document', []);
    if (this.#schemas.size === 0) return written;
    const added = [...this.#schemas.values()].map(({ name, value }) => [name, value]);
    const components = isJsonObject(written['components']) ? written['components'] : {};
    const schemas = isJsonObject(components['schemas']) ? components['schemas'] : {};
    const all = { ...schemas, ...Object.fromEntries(added) };
    return { ...written, components: { ...components, schemas: all } };
  }

  #value(value: JsonValue, kind: string, path: Path): JsonValue {
    if (isJsonArray(value)) {
      return value.map((item, index) => this.#value(item, kind, [...path, index]));
    }
    return isJsonObject(value) ? this.#object(value, kind, path) : value;
  }

  #object(value: JsonObject, kind: string, path: Path): JsonObject {
    const { $ref } = value;
    if (typeof $ref === 'string' && canRefer(kind)) {
      const target = this.document.find(parsePointer($ref));
      if (
        kind === 'schemas' &&
        target &&
        kindAt(target.path) === kind &&
        !isComponentOf(kind, $ref)
      ) {
        return this.#object({ ...value, $ref: this.#component(target) }, kind, path);
      }
      const isPath = kind === 'pathItems' && path[0] === 'paths';
      const isElsewhere = isComponent(kind) && !isComponentOf(kind, $ref);
      const isSame = target !== undefined && kindAt(target.path) === kind;
      if (isSame && isJsonObject(target.value) && (isPath || isElsewhere)) {
        const { $ref: _reference, ...own } = value;
        return this.#object({ ...target.value, ...own }, kind, path);
      }
    }
    const members = Object.entries(value).map(([key, member]) => [
      key,
      this.#value(member, kindOfMember(kind, key), [...path, key]),
    ]);
    const object: JsonObject = Object.fromEntries(members);
    if (kind === 'schemas')
      return plainSchema(object, (key, text) => this.note([...path, key], text));
    return kind === 'operation' ? this.#operation(object, path) : object;
  }

  /** Makes a component of a schema that stands elsewhere, and returns the reference to it. */
  #component({ path, value }: SpecNode): string {
    const place = formatFragment(path);
    const known = this.#schemas.get(place);
    const name = known?.name ?? componentName('', path, 'schemas', this.#schemaNames);
    if (!known) {
      this.#schemaNames.add(name);
      this.#schemas.set(place, { name, value: true });
      this.#schemas.set(place, { name, value: this.#value(value, 'schemas', path) });
    }
    return `#/components/schemas/${name}`;
  }

  /** Gives an operation the id and the responses that OpenAPI 3.1 does not require. */
  #operation(operation: JsonObject, path: Path): JsonObject {
    const { operationId: given, ...rest } = operation;
    const [section, template = '', method = '', ...inner] = path.map(String);
    // The id of a webhook or callback would be the name of another operation of the interface.
    if (section !== 'paths' || inner.length > 0) return rest;
    const shown = `${method.toUpperCase()} ${template}`;
    const operationId = given ?? this.#idOf(method, template);
    if (given === undefined) {
      this.note(path, `${shown} has no operationId; it is called ${operationId}.`);
    }
    const { responses } = operation;
    if (isJsonObject(responses) && Object.keys(responses).length > 0) {
      return { ...operation, operationId };
    }
    const place = this.document.find([...path, 'responses'])?.keyPosition;
    this.note(path, `${shown} has no responses.`, place);
    return { ...operation, operationId, responses: { default: { description: '' } } };
  }

  #idOf(method: string, template: string): string {
    const name = method + pascalCase(template);
    let id = name;
    for (let number = 2; this.#operationIds.has(id); number += 1) id = `${name}${number}`;
    this.#operationIds.add(id);
    return id;
  }

  note(path: Path, message: string, place = this.document.keyPosition(path)): void {
    this.notes.push({ ...place, rule: 'plain-form', message });
  }
}

function isComponentOf(kind: string, reference: string): boolean {
  return new RegExp(`^#/components/${kind}/[^/]+$`).test(reference);
}
