import type { DescribedValue, RequestDescription } from '@adx/contract/requests';
import type { SpecSchema } from '@adx/contract/spec';
import type { Request } from 'express';

/**
 * Returns the schemas of a value and its alternatives. Values are named as the validator does:
 * `/body/a/b`, `/params/x`, `/query/x`, or `/headers/x` in lower case.
 */
export type SchemaLookup = (path: string) => readonly SpecSchema[];

const locations: Readonly<Record<string, string>> = {
  params: 'path',
  query: 'query',
  headers: 'header',
};

export function createSchemaLookup({ parameters, requestBody }: RequestDescription): SchemaLookup {
  function outerValue(location: string, names: string[]): DescribedValue | undefined {
    if (location === 'body') return requestBody;
    const sent = names.shift();
    const isSent = (name: string) => (location === 'headers' ? name.toLowerCase() : name) === sent;
    return parameters.find((each) => each.in === locations[location] && isSent(each.name))?.value;
  }

  return (place) => {
    const [location = '', ...names] = namesIn(place);
    const outer = outerValue(location, names);
    const value = names.reduce((each, name) => each?.field(name) ?? each?.items(), outer);
    return value?.forms ?? [];
  };
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
