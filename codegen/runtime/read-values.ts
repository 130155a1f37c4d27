import { isJsonArray, isJsonObject, type JsonObject, type Part } from '../src/document/json.js';
import {
  type Form,
  formsIn,
  keyOf,
  memberSchemas,
  partKeywords,
  partsOf,
  partsWithItems,
  schemasOfItems,
} from '../src/openapi/schema-parts.js';
import { numberIn } from './described-request.js';

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
  const formsOf = formsIn(spec);

  function readerOf(...schemas: readonly Part[]): ValueReader {
    const key = keyOf(schemas);
    const reader = known.get(key) ?? createReader(schemas);
    known.set(key, reader);
    return reader;
  }

  function createReader(schemas: readonly Part[]): ValueReader {
    const forms = formsOf(schemas);
    // JSON is the same value in all forms.
    const object = forms.find(({ type }) => type === 'object');
    const ofText = forms.filter((form) => form.type !== 'object' || form === object);
    let isValid: ((value: unknown) => boolean) | undefined;
    return {
      forms,
      read(sent) {
        const values = (sent.members === undefined ? ofText : forms)
          .map((form) => readAs(form, sent))
          .filter((each) => each !== undefined);
        if (values.length < 2) return values.length === 1 ? values[0] : asSent(sent);
        isValid ??= isValidBy(schemas);
        // `007` is the text of a string rather than that of the number 7.
        const exact = values.filter((each) => isWrittenSo(each, sent));
        const others = values.filter((each) => !exact.includes(each));
        const value = [...exact, ...others].find(isValid);
        return value === undefined ? values[0] : value;
      },
      schemasOfMember(name) {
        return schemas
          .flatMap((schema) => partsOf(spec, schema, partKeywords))
          .flatMap((part) => memberSchemas(part, name))
          .flatMap((member) => partsWithItems(spec, member).map(({ value }) => value));
      },
    };
  }

  /** Returns undefined if no value of the type can have been sent so. */
  function readAs({ type, schemas }: Form, { text, items, members, isForm }: Sent): unknown {
    if (type === 'array' && items !== undefined) {
      const readers = schemasOfItems(schemas).map((inner) => readerOf(...inner));
      return items.map((text, index) => (readers[index] ?? readers.at(-1))?.read({ text, isForm }));
    }
    if (type === 'object' && members !== undefined) {
      const own = new Set(schemas.flatMap(({ value }) => Object.keys(value['properties'] ?? {})));
      const hasPatterns = schemas.some(({ value }) => value['patternProperties'] !== undefined);
      // A request can have many names that no schema has, which are read alike.
      let ofOthers: ValueReader | undefined;
      const readerOfMember = (name: string) => {
        const isOther = !hasPatterns && !own.has(name);
        if (isOther && ofOthers) return ofOthers;
        const reader = readerOf(...schemas.flatMap((each) => memberSchemas(each, name)));
        if (isOther) ofOthers = reader;
        return reader;
      };
      const read = ([name, texts]: [string, readonly string[]]) =>
        [name, readerOfMember(name).read({ ...sentTexts(texts), isForm })] as const;
      return Object.fromEntries([...members].map(read));
    }
    if (text === undefined) return undefined;
    if (type !== 'object' && type !== 'array') return scalars[type]?.(text);
    return isForm ? jsonIn(text, type) : undefined;
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

/** Returns true if a value of one text, or a list of them, was sent as its own text, or as JSON. */
function isWrittenSo(value: unknown, { text, items }: Sent): boolean {
  if (Array.isArray(value) && items !== undefined) {
    return value.every((item, index) => isWrittenSo(item, { text: items[index] }));
  }
  return value === null || typeof value === 'object' || String(value) === text;
}
