import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../src/document/json.js';
import { childOf, numberIn, type Part, target } from './described-request.js';

// Ajv converts types while it tries the alternatives of a schema, one after the other, so that each
// of them meets what the ones before it left behind.

/** Texts that were sent for a value. Its schema says of which type it is. */
export interface Sent {
  /** The text, if there is exactly one. */
  readonly text?: string | undefined;
  /** The items, if it is a list. An item is none. */
  readonly items?: readonly string[] | undefined;
  /** The texts of each member, if it is an object. */
  readonly members?: ReadonlyMap<string, readonly string[]> | undefined;
  /** True in a form, where objects, and lists in lists, are JSON (OpenAPI 3.1 §4.8.15). */
  readonly isForm?: boolean | undefined;
}

/** A type that a value can have, and the schemas that it matches then. */
interface Form {
  readonly type: string;
  readonly schemas: readonly Part[];
}

/** Reads what was sent as a value of a schema. */
export interface ValueReader {
  /** The types that the value can have, in the order of the spec. */
  readonly forms: readonly Form[];
  /**
   * Returns the first value that the schema allows. If it allows none, it is one that Ajv refuses.
   */
  readonly read: (sent: Sent) => unknown;
  /** Returns the schemas of a member and of its items, if the value is an object. */
  readonly schemasOfMember: (name: string) => JsonObject[];
}

/** How a text is read, by the type of the schema. */
const scalars: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  number: numberIn,
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  null: (text) => (text === '' ? null : undefined),
};

/**
 * @param isValidBy makes the check of values that match several schemas at once, without converting
 * them
 */
export function valueReaders(
  spec: object,
  isValidBy: (schemas: readonly Part[]) => (value: unknown) => boolean,
): (...schemas: readonly Part[]) => ValueReader {
  const known = new Map<unknown, ValueReader>();

  function readerOf(...schemas: readonly Part[]): ValueReader {
    const [only, ...others] = schemas;
    const key = others.length > 0 ? JSON.stringify(schemas.map(({ path }) => path)) : only?.value;
    const reader = known.get(key) ?? createReader(schemas);
    known.set(key, reader);
    return reader;
  }

  function createReader(schemas: readonly Part[]): ValueReader {
    const forms = combined(schemas.map((each) => alternativesOf(spec, each))).flatMap((each) =>
      typesOf(each.map(({ value }) => value)).map((type) => ({ type, schemas: each })),
    );
    let isValid: ((value: unknown) => boolean) | undefined;
    return {
      forms,
      read(sent) {
        const values = forms.map((form) => readAs(form, sent)).filter((each) => each !== undefined);
        if (values.length < 2) return values.length === 1 ? values[0] : asSent(sent);
        isValid ??= isValidBy(schemas);
        // `007` is the text of a string rather than that of the number 7.
        const exact = values.filter((each) => isWrittenSo(each, sent));
        const value = [...exact, ...values].find(isValid);
        return value === undefined ? values[0] : value;
      },
      schemasOfMember(name) {
        const members = forms
          .filter(({ type }) => type === 'object')
          .flatMap((form) => readerOf(...memberSchemas(form.schemas, name)).forms);
        const items = members
          .filter(({ type }) => type === 'array')
          .flatMap((form) => readerOf(...itemSchemas(form.schemas, 0)).forms);
        return [...members, ...items].flatMap((form) => form.schemas.map(({ value }) => value));
      },
    };
  }

  /** Returns undefined if no value of the type can have been sent so. */
  function readAs({ type, schemas }: Form, { text, items, members, isForm }: Sent): unknown {
    if (type === 'array' && items !== undefined) {
      return items.map((item, index) =>
        readerOf(...itemSchemas(schemas, index)).read({ text: item, isForm }),
      );
    }
    if (type !== 'object' && type !== 'array') {
      return text === undefined ? undefined : scalars[type]?.(text);
    }
    if (members === undefined || type === 'array') {
      return isForm && text !== undefined ? jsonIn(text, type) : undefined;
    }
    const values = [...members].map(([name, texts]): [string, unknown] => [
      name,
      readerOf(...memberSchemas(schemas, name)).read({ ...sentTexts(texts), isForm }),
    ]);
    return Object.fromEntries(values);
  }

  return readerOf;
}

export function sentTexts(texts: readonly string[]): Sent {
  return { text: texts.length === 1 ? texts[0] : undefined, items: texts };
}

/** Returns the object or list that a text encodes. */
function jsonIn(text: string, type: 'object' | 'array'): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return (type === 'array' ? isJsonArray(value) : isJsonObject(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

function asSent({ text, items, members }: Sent): unknown {
  if (text !== undefined || members === undefined) return text ?? items;
  return Object.fromEntries([...members].map(([name, texts]) => [name, asSent(sentTexts(texts))]));
}

/** Returns true if a value of one text, or a list of them, was sent as its own text. */
function isWrittenSo(value: unknown, { text, items }: Sent): boolean {
  if (Array.isArray(value) && items !== undefined) {
    return value.every((item, index) => String(item) === items[index]);
  }
  return value === null || typeof value === 'object' || String(value) === text;
}

/**
 * Returns the schemas that a value matches together, for each choice of one alternative in every
 * `oneOf` and `anyOf`.
 */
function alternativesOf(spec: object, part: Part): Part[][] {
  const { value } = part;
  const inner = (each: Part) => alternativesOf(spec, each);
  const listed = (keyword: string) =>
    Object.keys(value[keyword] ?? []).map((index) => inner(childOf(childOf(part, keyword), index)));
  const choices = ['oneOf', 'anyOf'].filter((keyword) => value[keyword] !== undefined);
  const { $ref } = value;
  return combined([
    [[part]],
    ...(typeof $ref === 'string' ? [inner(target(spec, $ref))] : []),
    ...listed('allOf'),
    ...choices.map((keyword) => listed(keyword).flat()),
  ]);
}

/** Returns every combination of one choice of each, the first one of those that are read alike. */
function combined(all: readonly Part[][][]): Part[][] {
  return all.reduce(
    (before, choices) => {
      const different = new Map<string, Part[]>();
      for (const parts of before.flatMap((one) => choices.map((other) => [...one, ...other]))) {
        const key = keyOf(parts);
        if (!different.has(key)) different.set(key, parts);
      }
      return [...different.values()];
    },
    [[]] as Part[][],
  );
}

/** Returns the same text for schemas that are read alike. */
function keyOf(schemas: readonly Part[]): string {
  const keys = schemas.map(({ value, path }) =>
    withMembers.some((keyword) => value[keyword] !== undefined)
      ? path
      : readBy.map((keyword) => value[keyword]),
  );
  return [...new Set(keys.map((key) => JSON.stringify(key)))].join();
}

const withMembers = 'properties patternProperties additionalProperties items prefixItems'.split(
  ' ',
);
const readBy = 'type enum const format contentEncoding contentMediaType'.split(' ');

/** Returns the types that all schemas have in common. `integer` is read as any number. */
function typesOf(schemas: readonly JsonObject[]): string[] {
  const named = schemas
    .filter(({ type }) => type !== undefined)
    .map(({ type }) => [type].flat().map((name) => (name === 'integer' ? 'number' : String(name))));
  const [first, ...others] = named;
  if (first) return first.filter((type) => others.every((types) => types.includes(type)));
  if (schemas.some(({ properties }) => properties !== undefined)) return ['object'];
  const values = schemas.flatMap(({ enum: values = [], ...schema }) => [
    ...(values as readonly JsonValue[]),
    ...('const' in schema ? [schema['const']] : []),
  ]);
  const types = values.map((value) => (value === null ? 'null' : typeof value));
  return types.length === 0 ? ['string'] : [...new Set(types)];
}

function itemSchemas(schemas: readonly Part[], index: number): Part[] {
  return schemas.flatMap((each) => {
    const own = Object(each.value['prefixItems'])[index];
    if (own !== undefined) return childOf(childOf(each, 'prefixItems'), String(index));
    return each.value['items'] === undefined ? [] : childOf(each, 'items');
  });
}

function memberSchemas(schemas: readonly Part[], name: string): Part[] {
  return schemas.flatMap((each) => {
    const { properties = {}, patternProperties = {}, additionalProperties } = each.value;
    const patterns = Object.keys(patternProperties ?? {})
      .filter((pattern) => new RegExp(pattern, 'u').test(name))
      .map((pattern) => childOf(childOf(each, 'patternProperties'), pattern));
    const isOwn = Object.hasOwn(Object(properties), name);
    const named = isOwn ? [childOf(childOf(each, 'properties'), name), ...patterns] : patterns;
    if (named.length > 0) return named;
    return additionalProperties === undefined ? [] : childOf(each, 'additionalProperties');
  });
}
