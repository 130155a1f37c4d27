import type { Operation } from '@adx/contract';
import { follow, type SpecParameter, type SpecSchema, spec, targetOf } from '@adx/contract/spec';
import type { Request } from 'express';

/**
 * Returns the schemas of a value in a request: its own, those that it refers to, and its alternatives.
 * Values are named as the validator does: `/body/a/b`, `/params/x`, `/query/x`, or `/headers/x` in lower case.
 */
export type SchemaLookup = (path: string) => readonly SpecSchema[];

const locations: Readonly<Record<string, string>> = {
  params: 'path',
  query: 'query',
  headers: 'header',
};

export function createSchemaLookup({
  method,
  path,
}: Pick<Operation, 'method' | 'path'>): SchemaLookup {
  const item = spec.paths[path];
  const body = follow(item?.[method]?.requestBody ?? {}).content?.['application/json']?.schema;
  const parameters = [...(item?.parameters ?? []), ...(item?.[method]?.parameters ?? [])].map(
    (parameter): SpecParameter => follow(parameter),
  );

  function schemasOf(location: string, name: string): SpecSchema[] {
    return parameters
      .filter((each) => each.in === locations[location] && isSameName(location, each.name, name))
      .map(({ schema, example }) => ({
        ...schema,
        ...(example !== undefined && { examples: [example] }),
      }));
  }

  return (place) => {
    const [location = '', ...names] = namesIn(place);
    const outer = location === 'body' ? [body ?? {}] : schemasOf(location, names.shift() ?? '');
    return names.reduce(
      (schemas, name) => schemas.flatMap((schema) => membersOf(schema, name)),
      outer.flatMap(formsOf),
    );
  };
}

function isSameName(location: string, name = '', sent: string): boolean {
  return location === 'headers' ? name.toLowerCase() === sent : name === sent;
}

/** Returns a schema, those that it refers to, and its alternatives. */
export function formsOf(schema: SpecSchema): SpecSchema[] {
  const parts = [targetOf(schema) ?? [], schema.allOf ?? [], schema.oneOf ?? []];
  return [schema, ...[...parts, schema.anyOf ?? []].flat().flatMap(formsOf)];
}

function membersOf({ properties, items }: SpecSchema, name: string): SpecSchema[] {
  return [properties?.[name] ?? [], items ?? []].flat().flatMap(formsOf);
}

/** Returns the value that the validator names so; undefined if it was not sent. */
export function valueAt(path: string, { body, params, query, headers }: Request): unknown {
  return namesIn(path).reduce<unknown>(
    (parent, name) =>
      typeof parent === 'object' && parent !== null ? Reflect.get(parent, name) : undefined,
    { body, params, query, headers },
  );
}

function namesIn(path: string): string[] {
  return path.split('/').slice(1);
}
