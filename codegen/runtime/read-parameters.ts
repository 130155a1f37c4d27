import type { IncomingHttpHeaders } from 'node:http';

export type Shape = 'single' | 'list' | 'object';

/** A parameter as the spec declares it (Parameter Object, OpenAPI 3.1 §4.8.12). */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly style: string;
  readonly explode: boolean;
  readonly shape: Shape;
  /** The members of an object that can have no others; undefined if it can. */
  readonly members: readonly string[] | undefined;
}

/** A part of a request that the spec does not allow, such as `/query/limit`. */
export interface RequestError {
  readonly path: string;
  readonly message: string;
}

/** A parameter of the URL: its name, and its value as it is written there. */
type Pair = readonly [name: string, raw: string];

/** How the items of a list are separated in the URL, if they are in one parameter. */
const separators: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|\+/,
  pipeDelimited: /%7C|\|/i,
};

/** @param credentials the names under which security schemes have their keys */
export function readQuery(
  search: string,
  parameters: readonly Parameter[],
  credentials: readonly string[],
): { readonly query: object; readonly errors: readonly RequestError[] } {
  const all = search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): Pair => {
      const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
      return [decoded(pair.slice(0, end)), pair.slice(end + 1)];
    });
  const pairs = all.filter(([name]) => !credentials.includes(name));
  const own = parameters.filter((parameter) => parameter.in === 'query');
  const named = own.filter((parameter) => !isSpread(parameter));
  const isNamed = (name: string) => named.some((parameter) => isOf(name, parameter));
  const isIn = (name: string, { members }: Parameter) =>
    members ? members.includes(name) : !isNamed(name);
  const values = own.map((parameter) => {
    const mine = pairs.filter(([name]) => (isSpread(parameter) ? isIn : isOf)(name, parameter));
    return [parameter.name, readValue(mine, parameter)] as const;
  });
  const spread = own.filter(isSpread);
  const unknown = pairs.filter(
    ([name]) => !isNamed(name) && !spread.some((parameter) => isIn(name, parameter)),
  );
  return {
    query: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    errors: unknown.map(([name]) => ({ path: `/query/${name}`, message: 'is not a parameter' })),
  };
}

/** The members of an object in the style `form` with `explode` are parameters by themselves. */
function isSpread({ shape, style, explode }: Parameter): boolean {
  return shape === 'object' && style === 'form' && explode;
}

function isOf(key: string, { name, style }: Parameter): boolean {
  return key === name || (style === 'deepObject' && key.startsWith(`${name}[`));
}

function readValue(pairs: readonly Pair[], { name, shape, style, explode }: Parameter): unknown {
  const [first] = pairs;
  if (first === undefined) return undefined;
  if (shape === 'object' && (style === 'deepObject' || explode)) {
    return collected(
      pairs.map(([key, raw]) => [
        style === 'deepObject' ? key.slice(name.length + 1, -1) : key,
        decoded(raw),
      ]),
    );
  }
  if (shape === 'single' || explode) return oneOrMore(pairs.map(([, raw]) => decoded(raw)));
  const items = pairs.flatMap(([, raw]) => raw.split(separators[style] ?? ',').map(decoded));
  return shape === 'list' ? items : inTurns(items);
}

/** Reads the headers, which have the style `simple`. */
export function readHeaders(
  headers: IncomingHttpHeaders,
  parameters: readonly Parameter[],
): object {
  const values = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, shape }) => {
      const value = headers[name.toLowerCase()];
      const text = Array.isArray(value) ? value.join(',') : value;
      if (shape === 'single' || text === undefined) return [name, text] as const;
      const items = text.split(',').map((item) => item.trim());
      return [name, shape === 'list' ? items : inTurns(items)] as const;
    });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Returns an object of names and values. A name that occurs several times has a list. */
export function collected<Value>(pairs: readonly (readonly [string, Value])[]): object {
  const values = new Map<string, Value[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, oneOrMore(all)]));
}

function oneOrMore<Value>(values: readonly Value[]): Value | readonly Value[] | undefined {
  return values.length > 1 ? values : values[0];
}

/** Returns `from,2026,to,2027` as an object. */
function inTurns(items: readonly string[]): object {
  const names = items.filter((_item, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [name, items[index * 2 + 1] ?? '']));
}

/** Decodes a text; one that is not URL-encoded stays as it is. */
function decoded(raw: string): string {
  const text = raw.replaceAll('+', ' ');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
