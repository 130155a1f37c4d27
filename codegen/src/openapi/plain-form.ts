import type { Finding } from '../document/finding.js';
import { componentName, freeName, pascalCase } from '../document/join-files.js';
import {
  formatFragment,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  type Path,
  parsePointer,
} from '../document/json.js';
import {
  canRefer,
  describedHeaders,
  isComponent,
  kindAt,
  rewritten,
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
  readonly #operationIds: Set<string>;
  /** The schemas that are no components but have references, by their pointers. */
  readonly #schemas = new Map<string, { readonly name: string; readonly value: JsonValue }>();
  readonly #schemaNames: Set<string>;

  constructor(document: SpecDocument) {
    this.document = document;
    const schemas = document.find(['components', 'schemas'])?.members ?? [];
    this.#schemaNames = new Set(schemas.map(({ key }) => key));
    const operations = (document.find(['paths'])?.members ?? []).flatMap(({ members }) => members);
    this.#operationIds = new Set(operations.flatMap((each) => each.get('operationId')?.text ?? []));
  }

  write(): JsonObject {
    const written = this.#rewritten(this.document.value, 'document', []);
    if (this.#schemas.size === 0) return written;
    const added = [...this.#schemas.values()].map(({ name, value }) => [name, value]);
    const components = objectOf(written['components']);
    const schemas = { ...objectOf(components['schemas']), ...Object.fromEntries(added) };
    return { ...written, components: { ...components, schemas } };
  }

  #rewritten(object: JsonObject, kind: string, path: Path): JsonObject {
    const leave = (each: JsonObject, its: string, at: Path) => {
      if (its === 'operation') return this.#operation(each, at);
      const note = (key: string, text: string) => this.note([...at, key], text);
      return its === 'schemas' ? plainSchema(each, note) : each;
    };
    return rewritten(object, leave, (each, its, at) => this.#inPlace(each, its, at), kind, path);
  }

  /** Returns what a reference leads to, unless that is a component, which a schema becomes. */
  #inPlace(object: JsonObject, kind: string, path: Path): JsonObject {
    const { $ref, ...own } = object;
    if (typeof $ref !== 'string' || !canRefer(kind)) return object;
    const target = this.document.find(parsePointer($ref));
    if (target === undefined || kindAt(target.path) !== kind) return object;
    const isElsewhere = isComponent(kind) && !isComponentOf(kind, $ref);
    if (kind === 'schemas')
      return isElsewhere ? { ...object, $ref: this.#component(target) } : object;
    const isPath = kind === 'pathItems' && path[0] === 'paths' && path.length === 2;
    if (!isJsonObject(target.value) || !(isPath || isElsewhere)) return object;
    return this.#inPlace({ ...target.value, ...own }, kind, path);
  }

  /** Makes a component of a schema that stands elsewhere, and returns the reference to it. */
  #component({ path, value }: SpecNode): string {
    const place = formatFragment(path);
    const known = this.#schemas.get(place);
    const name = known?.name ?? componentName('', path, 'schemas', this.#schemaNames);
    if (!known) {
      this.#schemaNames.add(name);
      this.#schemas.set(place, { name, value: true });
      const written = isJsonObject(value) ? this.#rewritten(value, 'schemas', path) : value;
      this.#schemas.set(place, { name, value: written });
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
    const id = freeName(method + pascalCase(template), this.#operationIds);
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
