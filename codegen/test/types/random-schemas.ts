import type { JsonObject, JsonValue } from '../../src/document/json.js';
import { isJsonArray, isJsonObject } from '../../src/document/json.js';

/** Schemas with names, to which random ones refer. */
export const named: Readonly<Record<string, JsonObject>> = {
  Open: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } },
  Closed: {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string' }, c: { type: ['boolean', 'null'] } },
    additionalProperties: false,
  },
  Untyped: { properties: { b: { type: 'number' } }, required: ['b'] },
  Anything: { type: 'object' },
  Numbers: { type: 'object', additionalProperties: { type: 'number' } },
  Nullable: { type: ['object', 'null'], properties: { a: { type: 'string' } } },
  Word: { type: 'string', enum: ['red', 'blue'] },
  Node: {
    type: 'object',
    required: ['nodes'],
    properties: { nodes: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
  },
  Cat: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' }, a: { type: 'integer' } },
  },
  Dog: {
    type: 'object',
    required: ['kind', 'c'],
    properties: { kind: { enum: ['Dog', 'bark', 'woof'] }, c: { type: 'string' } },
  },
  Pet: {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind', mapping: { bark: 'Dog', meow: 'Cat', purr: 'Cat' } },
  },
};

const names = ['a', 'b', 'c', 'd', 'x-y'];
const scalars: readonly JsonValue[] = ['red', 'meow', 'bark', '', 1, 0, -2.5, true, false, null];
const limits: Readonly<Record<string, JsonObject>> = {
  string: { minLength: 2, pattern: '^[a-z]' },
  number: { minimum: 0, multipleOf: 2 },
  integer: { exclusiveMaximum: 1 },
};

/** Random schemas, and random values that are often valid by them. */
export class RandomSchemas {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns a schema that names its types, as do its alternatives and parts together. */
  schema(depth: number): JsonValue {
    if (depth <= 0 || this.#chance(0.25)) return this.#scalar();
    return this.#pick<() => JsonValue>([
      () => this.#object(depth),
      () => this.#object(depth),
      () => this.#array(depth),
      () => ({
        $ref: this.#reference(),
        ...(this.#chance(0.4) && this.#objectKeywords(depth, true)),
      }),
      () => this.#combined(depth),
      () => this.#combined(depth),
      () => ({ type: ['object', 'null', this.#type()], ...this.#objectKeywords(depth) }),
      () => ({ type: ['array', 'string'], ...this.#arrayKeywords(depth) }),
      () => this.#pick<JsonValue>([true, false, {}, { $ref: this.#reference() }]),
    ])();
  }

  #scalar(): JsonObject {
    const type = this.#type();
    return this.#pick<() => JsonObject>([
      () => ({ type, ...(this.#chance(0.2) && limits[type]) }),
      () => ({ type: [...new Set([type, this.#type()])] }),
      () => ({ enum: this.#some([...scalars, { a: 1 }, [1], []]) }),
      () => ({ type: ['string', 'null'], enum: this.#some(['red', 'blue', null, 'green']) }),
      () => ({ const: this.#pick<JsonValue>([...scalars, { a: 1, b: ['x'] }, ['red', 1]]) }),
    ])();
  }

  #object(depth: number, isPart = false): JsonObject {
    return { type: 'object', ...this.#objectKeywords(depth, isPart) };
  }

  #objectKeywords(depth: number, isPart = false): JsonObject {
    const declared = !isPart && this.#chance(0.2) ? [] : this.#some(names);
    const properties = declared.map((name) => [
      name,
      isPart ? this.#memberOfPart(name, depth - 1) : this.schema(depth - 1),
    ]);
    const required = this.#some(this.#chance(0.3) ? names : declared).slice(0, 2);
    return {
      ...(declared.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(this.#chance(0.5) && { required }),
      ...(this.#chance(0.4) && {
        additionalProperties: this.#pick<JsonValue>([false, false, true, {}, this.#scalar()]),
      }),
      // Ajv throws a TypeError for patterns in two alternatives.
      ...(!isPart && this.#chance(0.1) && { patternProperties: { '^x-': this.#scalar() } }),
      ...(this.#chance(0.05) && { dependentRequired: { a: ['b'] }, minProperties: 1 }),
    };
  }

  /**
   * A member that is an object here may be another value in other parts. TypeScript takes such a
   * value for an object, unless some member is required.
   */
  #memberOfPart(name: string, depth: number): JsonValue {
    if (name === 'c' && this.#chance(0.5)) return { ...this.#object(depth, true), required: ['a'] };
    if (name === 'd' && this.#chance(0.5)) return this.#array(depth);
    const { enum: values, const: value, ...schema } = this.#scalar();
    if (values === undefined && value === undefined) return schema;
    return { enum: this.#some(scalars) };
  }

  #array(depth: number): JsonObject {
    return { type: 'array', ...this.#arrayKeywords(depth) };
  }

  #arrayKeywords(depth: number): JsonObject {
    const prefix = Array.from({ length: 1 + this.#below(3) }, () => this.schema(depth - 1));
    const least = this.#below(4);
    return {
      ...(this.#chance(0.4) && { prefixItems: prefix }),
      ...(this.#chance(0.7) && { items: this.#chance(0.2) ? false : this.schema(depth - 1) }),
      ...(this.#chance(0.4) && { minItems: least }),
      ...(this.#chance(0.4) && { maxItems: least + this.#below(3) }),
      ...(this.#chance(0.05) && { uniqueItems: true, contains: { type: 'string' } }),
    };
  }

  /** Returns parts of objects, which may leave the type to the others. */
  #combined(depth: number): JsonObject {
    const part = (): JsonObject =>
      this.#pick<() => JsonObject>([
        () => this.#objectKeywords(depth - 1, true),
        () => ({ required: [this.#pick(names)] }),
        () => this.#object(depth - 1, true),
        () => ({ $ref: this.#reference() }),
      ])();
    const parts = Array.from({ length: 1 + this.#below(3) }, part);
    const whole = this.#pick<JsonObject>([{ type: 'object' }, this.#object(depth - 1, true)]);
    return this.#pick<() => JsonObject>([
      () => ({ ...whole, allOf: parts }),
      () => ({ ...whole, [this.#pick(['anyOf', 'oneOf'])]: parts }),
      () => ({ ...whole, type: ['object', 'null'], allOf: parts }),
      () => ({ oneOf: [this.#scalar(), this.#object(depth - 1), this.#array(depth - 1)] }),
      () => ({ anyOf: [{ $ref: this.#reference() }, this.#scalar()] }),
      () => ({ type: 'string', anyOf: [{ const: 'red' }, { enum: ['meow', 'blue'] }] }),
      () => ({ ...whole, not: { required: ['d'] }, if: { required: ['a'] }, else: {} }),
    ])();
  }

  #reference(): string {
    return `#/components/schemas/${this.#pick(Object.keys(named))}`;
  }

  #type(): string {
    return this.#pick(['string', 'integer', 'number', 'boolean', 'null']);
  }

  /** Returns a value that meets most keywords of a schema, sometimes with a mistake. */
  value(schema: JsonValue | undefined, depth = 4): JsonValue {
    if (this.#chance(0.06)) return this.#pick<JsonValue>([...scalars, {}, [], { a: 'red' }]);
    if (!isJsonObject(schema) || depth === 0) return this.#pick(scalars);
    const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
    if (isJsonArray(values) && values.length > 0) return this.#pick(values);
    const parts = this.#partsOf(schema);
    const only = parts.find((part) => part['enum'] ?? part['const']);
    if (only) return this.value(only, depth - 1);
    const types = parts.flatMap(({ type }) => type ?? []).map(String);
    const type = this.#pick(types.length > 0 ? types : ['object']);
    if (type === 'array') return this.#items(parts, depth);
    if (type === 'object') return this.#members(parts, depth);
    const candidates = { string: ['red', 'meow', ''], boolean: [true, false], null: [null] };
    return this.#pick<JsonValue>(candidates[type as 'string'] ?? [0, 1, -2.5, 4]);
  }

  #items(parts: readonly JsonObject[], depth: number): JsonValue {
    const [prefix = []] = parts.map((part) => part['prefixItems']).filter(isJsonArray);
    const items = parts.map((part) => part['items']).find((each) => each !== undefined);
    const [least = 0] = parts.flatMap(({ minItems }) => Number(minItems ?? 0));
    const length = this.#chance(0.5) ? least : this.#below(5);
    return Array.from({ length }, (_, index) => this.value(prefix[index] ?? items, depth - 1));
  }

  #members(parts: readonly JsonObject[], depth: number): JsonValue {
    const required = parts.flatMap((part) => (part['required'] ?? []) as string[]);
    const kept = names.filter((name) => required.includes(name) || this.#chance(0.3));
    if (this.#chance(0.05)) kept.pop();
    const entries = [...kept, ...required].map((name) => {
      const schemas = parts.flatMap(({ properties, additionalProperties }) =>
        [(properties as JsonObject | undefined)?.[name] ?? additionalProperties ?? []].flat(),
      );
      const known = schemas.find((each) => isJsonObject(each) && Object.keys(each).length > 0);
      return [name, this.value(known ?? schemas[0], depth - 1)];
    });
    if (this.#chance(0.1)) entries.push(['other', this.#pick(scalars)]);
    return Object.fromEntries(entries);
  }

  /** Returns a schema, its parts, and one of its alternatives. */
  #partsOf(schema: JsonValue, depth = 6): JsonObject[] {
    if (!isJsonObject(schema) || depth === 0) return [];
    const { $ref, allOf, anyOf, oneOf } = schema;
    const target = typeof $ref === 'string' ? named[$ref.split('/').at(-1) ?? ''] : undefined;
    const choices = [anyOf, oneOf].filter(isJsonArray).map((each) => this.#pick(each));
    const parts = [...(target ? [target] : []), ...(isJsonArray(allOf) ? allOf : []), ...choices];
    return [schema, ...parts.flatMap((part) => this.#partsOf(part, depth - 1))];
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick.');
    return item;
  }

  /** Returns at least one of the items, in their order. */
  #some<Item>(items: readonly Item[]): Item[] {
    const kept = items.filter(() => this.#chance(0.5));
    return kept.length > 0 ? kept : items.slice(0, 1);
  }
}
