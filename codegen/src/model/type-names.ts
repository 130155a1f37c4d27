import { freeName } from '../document/join-files.js';
import type { SpecNode } from '../document/spec-document.js';
import { referencedSchema, withoutProse } from '../openapi/schema-object.js';
import type { Alias, TypeReference } from './api-model.js';
import { identifier, pascalCase } from './names.js';

/** The names of schemas, and aliases for what has no name. */
export class TypeNames {
  readonly #schemas = new Map<string, string>();
  /** The taken names: types that others are made of, and the contract's other types. */
  readonly #taken = new Set(
    (
      'FileOrFiles FormWithFiles NonNullable Object Omit Operation OperationId Record ' +
      'SecurityScheme WithRequired'
    ).split(' '),
  );
  readonly #aliases = new Map<string, Alias>();

  constructor(schemas: readonly string[]) {
    for (const name of schemas) this.#schemas.set(name, this.#take(pascalCase(identifier(name))));
  }

  get aliases(): Alias[] {
    return [...this.#aliases.values()];
  }

  ofSchema(name: string): string {
    return this.#schemas.get(name) ?? name;
  }

  /** Returns the type of a schema: the one that it refers to, a list of such, or the alias. */
  of(schema: SpecNode | undefined, alias: Alias): TypeReference {
    if (schema === undefined) return { kind: 'unknown' };
    const items = isPlainList(schema) ? schema.get('items') : undefined;
    const named = items ?? schema;
    const name = Object.keys(withoutProse(named)).join() === '$ref' && referencedSchema(named);
    if (typeof name !== 'string') return this.alias(alias);
    const model = { kind: 'model', name: this.ofSchema(name) } as const;
    return items === undefined ? model : { kind: 'array', items: model };
  }

  /** Returns a type with a name like that of the alias, the same for the same type. */
  alias({ typeName, description, type }: Alias): TypeReference {
    const key = JSON.stringify(type);
    const known = this.#aliases.get(key);
    const name = known?.typeName ?? this.#take(typeName);
    this.#aliases.set(key, known ?? { typeName: name, description, type });
    return { kind: 'alias', name };
  }

  #take(name: string): string {
    const free = freeName(name, this.#taken);
    this.#taken.add(free);
    return free;
  }
}

/** Returns true for a list of any length whose items are alike. */
function isPlainList(schema: SpecNode): boolean {
  const keywords = ['type', 'items', 'minItems', 'maxItems', 'uniqueItems'];
  const length = schema.get('maxItems')?.value;
  return (
    schema.get('type')?.text === 'array' &&
    Object.keys(withoutProse(schema)).every((keyword) => keywords.includes(keyword)) &&
    (schema.get('minItems')?.value ?? 0) !== length
  );
}
