import type { IncomingHttpHeaders } from 'node:http';
import { decoded } from './described-request.js';
import { type Sent, sentTexts, type ValueReader } from './read-values.js';

/** A parameter as the spec declares it (Parameter Object, OpenAPI 3.1 §4.8.12). */
export interface Parameter extends ValueReader {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly style: string;
  readonly explode: boolean;
  /** True if it counts as absent when it is empty. */
  readonly isAbsentIfEmpty: boolean;
  /** The members of an object that the spec names. */
  readonly members: readonly string[];
  /** True for an object that can have others. */
  readonly isOpen: boolean;
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
  const { pairs: all, errors } = readPairs(search, '/query');
  const own = parameters.filter((parameter) => parameter.in === 'query');
  const others = credentials.filter((name) => !own.some((parameter) => parameter.name === name));
  const pairs = all.filter(([name]) => !others.includes(name));
  const named = own.filter((parameter) => !isSpread(parameter));
  const isNamed = (name: string) => named.some((parameter) => isOf(name, parameter));
  const spread = own.filter(isSpread);
  const isMember = (name: string) => spread.some(({ members }) => members.includes(name));
  // A name that nobody declares belongs to the first object that can have it.
  const open = spread.find(({ isOpen }) => isOpen);
  const isIn = (name: string, parameter: Parameter) =>
    parameter.members.includes(name) ||
    (parameter === open && !isNamed(name) && !isMember(name)) ||
    (name === parameter.name && hasOtherForms(parameter));
  const values = own.map((parameter) => {
    const mine = pairs.filter(([name]) => (isSpread(parameter) ? isIn : isOf)(name, parameter));
    const isAbsent = parameter.isAbsentIfEmpty && mine.every(([, raw]) => raw === '');
    const isSent = mine.length > 0 && !isAbsent;
    return [parameter.name, isSent ? parameter.read(sentIn(mine, parameter)) : undefined] as const;
  });
  const unknown = pairs.filter(
    ([name]) => !isNamed(name) && !spread.some((parameter) => isIn(name, parameter)),
  );
  return {
    query: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    errors: [
      ...errors,
      ...unknown.map(([name]) => ({ path: `/query/${name}`, message: 'is not a parameter' })),
    ],
  };
}

/** Each name of a form is looked up in each of its schemas, so that more names would take long. */
const mostNames = 1000;
const mostValues = 10_000;
/** A pattern can take long for a long name, which has no `maxLength`. */
const longestName = 1000;

/** Returns why a query or a form is too large to be read, or undefined. */
export function excessOf(names: readonly string[]): string | undefined {
  if (names.length > mostValues) return `must NOT have more than ${mostValues} values`;
  if (names.some((name) => name.length > longestName)) {
    return `must NOT have names of more than ${longestName} characters`;
  }
  const hasMore = new Set(names).size > mostNames;
  return hasMore ? `must NOT have more than ${mostNames} different names` : undefined;
}

/** Returns the pairs of a query or a form, and errors for those that are not percent-encoded. */
export function readPairs(text: string, place: string) {
  const sent = text.split('&').filter((pair) => pair !== '');
  const excess = excessOf(sent.map((pair) => pair.split('=', 1).join()));
  if (excess !== undefined) return { pairs: [], errors: [{ path: place, message: excess }] };
  const pairs: Pair[] = [];
  const errors: RequestError[] = [];
  for (const pair of sent) {
    const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const [name, raw] = [decoded(pair.slice(0, end)), pair.slice(end + 1)];
    if (name !== undefined && decoded(raw) !== undefined) pairs.push([name, raw]);
    else {
      const path = `${place}/${name ?? pair.slice(0, end)}`;
      errors.push({ path, message: 'must be UTF-8 in percent-encoding' });
    }
  }
  return { pairs, errors };
}

/** The members of an object in the style `form` with `explode` are parameters by themselves. */
function isSpread({ forms, style, explode }: Parameter): boolean {
  return forms.some(({ type }) => type === 'object') && style === 'form' && explode;
}

function hasOtherForms({ forms }: Pick<Parameter, 'forms'>): boolean {
  return forms.some(({ type }) => type !== 'object');
}

function isOf(key: string, { name, style }: Parameter): boolean {
  return key === name || (style === 'deepObject' && memberIn(key, name) !== undefined);
}

/** Returns `from` for `created[from]`. */
function memberIn(key: string, name: string): string | undefined {
  return key.startsWith(name) ? /^\[([^[\]]+)\]$/.exec(key.slice(name.length))?.[1] : undefined;
}

function sentIn(pairs: readonly Pair[], { forms, name, style, explode }: Parameter): Sent {
  const own = pairs.filter(([key]) => key === name).map(([, raw]) => raw);
  const raw = explode ? own : own.flatMap((each) => each.split(separators[style] ?? ','));
  const sent = { text: own.length === 1 ? textOf(own.join()) : undefined, items: raw.map(textOf) };
  if (!forms.some(({ type }) => type === 'object')) return sent;
  if (style === 'deepObject') {
    const named = pairs.map(([key, value]): Pair => [memberIn(key, name) ?? key, value]);
    return own.length > 0 ? sent : { members: textsByName(named) };
  }
  if (explode) {
    const isNoObject = own.length === pairs.length && hasOtherForms({ forms });
    return isNoObject ? sent : { members: textsByName(pairs) };
  }
  return { ...sent, members: membersOf(sent.items) };
}

/** Reads the headers, which have the style `simple`. */
export function readHeaders(
  headers: IncomingHttpHeaders,
  parameters: readonly Parameter[],
): object {
  const sent = new Map(Object.entries(headers));
  const values = parameters
    .filter((parameter) => parameter.in === 'header')
    .flatMap(({ name, read, forms }) => {
      const text = sent.get(name.toLowerCase())?.toString();
      if (text === undefined) return [];
      // RFC 9110 §5.6.1 has empty items ignored.
      const all = text.split(',').map((item) => item.trim());
      const items = all.filter((item) => item !== '');
      const members = forms.some(({ type }) => type === 'object') ? membersOf(all) : undefined;
      return [[name, read({ text, items, members })] as const];
    });
  return Object.fromEntries(values);
}

export function readPath(
  params: Readonly<Record<string, string | string[]>>,
  parameters: readonly Parameter[],
): object {
  const values = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, read }) => [name, read(sentTexts([String(params[name])]))] as const);
  return Object.fromEntries(values);
}

export function readForm(text: string, { read }: ValueReader) {
  const { pairs, errors } = readPairs(text, '/body');
  return { body: read({ items: [], members: textsByName(pairs), isForm: true }), errors };
}

/** Returns the members of `from,2026,to,2027`, which has names and values in turns, if not many. */
function membersOf(texts: readonly string[]): Map<string, string[]> | undefined {
  const pairs = texts.flatMap((each, index): Pair[] =>
    index % 2 === 0 ? [[each, texts[index + 1] ?? '']] : [],
  );
  return texts.length % 2 === 0 && pairs.length <= mostNames ? byName(pairs) : undefined;
}

function textsByName(pairs: readonly Pair[]): Map<string, string[]> {
  return byName(pairs.map(([name, raw]) => [name, textOf(raw)]));
}

/** Returns all values of each name. */
export function byName<Value>(pairs: Iterable<readonly [string, Value]>): Map<string, Value[]> {
  const values = new Map<string, Value[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** Decodes a text that can be decoded. */
function textOf(raw: string): string {
  return decoded(raw) ?? raw;
}
