import { type DescribedValue, numberIn, type RequestDescription } from '@adx/contract/requests';
import type { SpecSchema } from '@adx/contract/spec';
import type { Request } from 'express';

/**
 * Returns the schemas of a value and its alternatives. Values are named as the validator does:
 * `/body/a/b`, `/params/x`, `/query/x`, or `/headers/x` in lower case.
 */
export type SchemaLookup = (path: string) => readonly SpecSchema[];

/** The places of parameters in the spec, by the parts of a request that hold them. */
const locations: Readonly<Record<string, string>> = {
  params: 'path',
  query: 'query',
  headers: 'header',
};

export function createSchemaLookup({ parameters, requestBody }: RequestDescription): SchemaLookup {
  function outerValue(location: string, names: string[]): DescribedValue | undefined {
    if (location === 'body') return requestBody;
    const sent = names.shift();
    const here = parameters.filter((each) => each.in === locations[location]);
    return here.find(({ name }) => nameIn(location, name) === sent)?.value;
  }

  return (place) => {
    const [location = '', ...names] = namesIn(place);
    const outer = outerValue(location, names);
    const value = names.reduce((each, name) => each?.field(name) ?? each?.items(), outer);
    return value?.forms ?? [];
  };
}

/**
 * Returns the function that makes the validator refuse what only JavaScript takes for a number in
 * parameters, such as `0x1F`, ` 12`, `+5` and `1e999`: it would convert them before it validates.
 */
export function createNumberCheck({ parameters }: RequestDescription): (request: Request) => void {
  const numbers = Object.entries(locations).flatMap(([location, place]) =>
    parameters
      .filter((each) => each.in === place && isNumeric(each.value))
      .map(({ name }) => ({ location, name: nameIn(location, name) })),
  );
  return (request) => {
    if (numbers.length === 0) return;
    // Otherwise Express would parse the query again.
    Object.defineProperty(request, 'query', { value: request.query, configurable: true });
    for (const { location, name } of numbers) {
      const holder: object = Reflect.get(request, location);
      const sent: unknown = Reflect.get(holder, name);
      if (sent === undefined) continue;
      Reflect.set(holder, name, Array.isArray(sent) ? sent.map(withoutOdd) : withoutOdd(sent));
    }
  };
}

/** Returns true for numbers and lists of them. */
function isNumeric(value: DescribedValue): boolean {
  const types = [value, value.items()].flatMap(({ forms }) => forms.flatMap(({ type }) => type));
  return types.includes('integer') || types.includes('number');
}

/** Replaces a text that is no number by one that the validator sees to be none. */
function withoutOdd(sent: unknown): unknown {
  return typeof sent === 'string' && numberIn(sent) === undefined ? 'NaN' : sent;
}

function nameIn(location: string, name: string): string {
  return location === 'headers' ? name.toLowerCase() : name;
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
