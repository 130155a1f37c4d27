import type { RequestDescription } from '@adx/contract/requests';
import type { SpecSchema } from '@adx/contract/spec';

/** An element of the interface whose use is counted (D-41). All its texts are from the spec. */
export interface UsedElement {
  readonly operation: string;
  /** The field, such as `body.address.street2`; empty for the operation itself. */
  readonly field: string;
  /** A value of an enumeration as JSON, such as `"nl"`; empty for the field itself. */
  readonly value: string;
}

/** A request as it was sent. */
export interface SentRequest {
  readonly body?: unknown;
  readonly query: unknown;
  readonly headers: unknown;
}

export interface UseReader {
  /** Returns what a request uses, each element once, and that of the operation. */
  readonly read: (request: SentRequest) => ReadonlySet<UsedElement>;
  /** The deprecated fields by name. The element of one that every call has is the operation. */
  readonly deprecatedFields: ReadonlyMap<string, UsedElement>;
}

/** The elements that are counted in values of a schema. */
interface Shape {
  /** The elements by the text of the value. */
  readonly values: Map<string, UsedElement>;
  readonly members: Member[];
  readonly items: Shape[];
  /** The shapes of parts and alternatives of the same value. */
  readonly parts: Shape[];
}

interface Member {
  readonly name: string;
  /** Undefined if every call has it. */
  readonly element: UsedElement | undefined;
  readonly shape: Shape;
}

interface Place {
  readonly field: string;
  readonly isInEveryCall: boolean;
}

/**
 * Creates the reader of an operation's requests, once, from its description. A schema that contains
 * itself has the names of the outermost one, so that the number of names is finite.
 *
 * It reads a request before its validation, which adds default values.
 *
 * @example
 * const { read } = createUseReader(describeOperation(operations.searchMandates));
 * read({ body: { sort: 'status' }, query: {}, headers: {} });
 * // the elements with the fields '', 'body.sort', and 'body.sort' with the value '"status"'
 */
export function createUseReader({
  operationId,
  parameters,
  requestBody,
}: RequestDescription & { readonly operationId: string }): UseReader {
  const elements = new Map<string, UsedElement>();
  const deprecatedFields = new Map<string, UsedElement>();

  /** Returns the same object for the same names, so that alternatives share it. */
  function elementOf(field: string, value = ''): UsedElement {
    const key = `${field} ${value}`;
    const element = elements.get(key) ?? { operation: operationId, field, value };
    elements.set(key, element);
    return element;
  }

  const call = elementOf('');

  /** @param outer - the schemas that contain this one */
  function shapeOf(
    schema: SpecSchema,
    place: Place,
    outer: ReadonlyMap<SpecSchema, Shape> = new Map(),
  ): Shape {
    const known = outer.get(schema);
    if (known !== undefined) return known;
    const shape: Shape = { values: new Map(), members: [], items: [], parts: [] };
    const within = new Map(outer).set(schema, shape);
    for (const value of valuesOf(schema)) {
      shape.values.set(String(value), elementOf(place.field, JSON.stringify(value)));
    }
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const isRequired = schema.required?.includes(name) ?? false;
      const isInEveryCall = place.isInEveryCall && isRequired;
      const field = `${place.field}.${name}`;
      const element = isInEveryCall ? undefined : elementOf(field);
      if (member['deprecated'] === true) deprecatedFields.set(field, element ?? call);
      shape.members.push({
        name,
        element,
        shape: shapeOf(member, { field, isInEveryCall }, within),
      });
    }
    for (const item of [...(schema.prefixItems ?? []), schema.items ?? []].flat()) {
      shape.items.push(shapeOf(item, { ...place, isInEveryCall: false }, within));
    }
    for (const part of schema.allOf ?? []) shape.parts.push(shapeOf(part, place, within));
    for (const form of [schema.oneOf ?? [], schema.anyOf ?? []].flat()) {
      shape.parts.push(shapeOf(form, { ...place, isInEveryCall: false }, within));
    }
    return shape;
  }

  function parametersIn(location: 'query' | 'header'): Member[] {
    return parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, isRequired, isDeprecated, value }) => {
        const field = `${location}.${name}`;
        const element = isRequired ? undefined : elementOf(field);
        if (isDeprecated) deprecatedFields.set(field, element ?? call);
        return {
          name: location === 'header' ? name.toLowerCase() : name,
          element,
          shape: shapeOf(value.schema, { field, isInEveryCall: isRequired }),
        };
      });
  }

  const body = requestBody && shapeOf(requestBody.schema, { field: 'body', isInEveryCall: true });
  const query = parametersIn('query');
  const headers = parametersIn('header');
  const callOnly = new Set([call]);
  if (body === undefined && query.length === 0 && headers.length === 0) {
    return { read: () => callOnly, deprecatedFields };
  }

  function read(request: SentRequest): Set<UsedElement> {
    const used = new Set([call]);
    if (body !== undefined) readValue(request.body, body, used);
    if (query.length > 0) readMembers(request.query, query, used);
    if (headers.length > 0) readMembers(request.headers, headers, used);
    return used;
  }
  return { read, deprecatedFields };
}

function readValue(value: unknown, shape: Shape, used: Set<UsedElement>): void {
  if (Array.isArray(value)) {
    for (const item of shape.items) for (const each of value) readValue(each, item, used);
  } else if (typeof value === 'object' && value !== null) {
    readMembers(value, shape.members, used);
  } else if (shape.values.size > 0) {
    const element = shape.values.get(String(value));
    if (element !== undefined) used.add(element);
  }
  for (const part of shape.parts) readValue(value, part, used);
}

function readMembers(object: unknown, members: readonly Member[], used: Set<UsedElement>): void {
  for (const { name, element, shape } of members) {
    if (!Object.hasOwn(object as object, name)) continue;
    if (element !== undefined) used.add(element);
    readValue((object as Record<string, unknown>)[name], shape, used);
  }
}

function valuesOf(schema: SpecSchema): readonly unknown[] {
  return schema.enum ?? ('const' in schema ? [schema.const] : []);
}
