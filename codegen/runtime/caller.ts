import { bodyKind, contentFor, isRange, withoutParameters } from '../src/openapi/media-type.js';

interface Operation {
  readonly operationId: string;
  readonly baseUrl?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly queryStyles: Readonly<Record<string, QueryStyle>>;
  readonly requestTypes: readonly string[];
  readonly responseTypes: Readonly<Record<string, readonly string[]>>;
}

/** How a parameter of the query is written, if not in the style `form` (OpenAPI 3.1 §4.8.12). */
interface QueryStyle {
  readonly style: string;
  readonly explode: boolean;
}

/** Where a call carries what a security scheme requires. */
type SecurityScheme =
  | { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly in: 'bearer' | 'basic' | 'connection' };

/** A key or token, or `username:password` for HTTP basic. A function is asked before each call. */
type Credential = string | (() => string | Promise<string>);

export interface ClientOptions<Scheme extends string> {
  /** The address of the service. By default that of the first server of each operation. */
  readonly baseUrl?: string;
  /** Keys, tokens and passwords, by security scheme. */
  readonly credentials?: { readonly [Name in Scheme]?: Credential };
  /** Used instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Gets every response, for its status and headers. Its body belongs to the client. */
  readonly onResponse?: (response: Response) => void;
}

/** The service responded with an error, or with a status that is no success. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly operation: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body of the response: the value of JSON, a text, or bytes; undefined if it has none. */
  readonly body: unknown;

  constructor(operation: string, { status, headers }: Response, body: unknown) {
    super(`${operation} failed with status ${status}`);
    this.operation = operation;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';

interface CallInit {
  readonly body?: unknown;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly idempotent?: boolean;
}

type Path = readonly (string | Readonly<Record<string, string | number | boolean>>)[];

/** Makes the calls of the generated methods. */
export interface Caller {
  /**
   * @param path texts, and path parameters by their names
   * @throws ResponseError
   */
  call<Success>(
    operation: string,
    method: Method,
    path: Path,
    options: CallOptions | undefined,
    init?: CallInit,
  ): Promise<Success>;
}

export function createCaller<Scheme extends string>(
  operations: Readonly<Record<string, Operation>>,
  schemes: Readonly<Record<Scheme, SecurityScheme>>,
  options: ClientOptions<Scheme>,
  defaultUrl: string,
): Caller {
  const { credentials: given = {}, fetch: send = fetch } = options;
  return {
    async call<Success>(
      name: string,
      method: Method,
      path: Path,
      { signal, onResponse }: CallOptions = {},
      { body, query, headers }: CallInit = {},
    ): Promise<Success> {
      const operation = operations[name];
      if (operation === undefined) throw new TypeError(`There is no operation ${name}`);
      const credentials = await credentialsOf(operation, schemes, given);
      const search = [...Object.entries(query ?? {}), ...credentials.query]
        .flatMap(([key, value]) => queryPairs(key, value, operation.queryStyles[key]))
        .join('&');
      const [requestType] = operation.requestTypes;
      const baseUrl = options.baseUrl ?? operation.baseUrl ?? defaultUrl;
      const address = baseUrl.replace(/\/$/, '') + addressOf(path);
      const request = new Request(search === '' ? address : `${address}?${search}`, {
        method: method.toUpperCase(),
        headers: {
          accept: acceptOf(operation),
          // The boundary of a form with files is not known before it is written.
          ...(body !== undefined &&
            requestType !== undefined &&
            bodyKind(requestType) !== 'multipart' && { 'content-type': requestType }),
          ...headerTexts(headers ?? {}),
          ...credentials.headers,
        },
        ...(body !== undefined && { body: written(body, requestType) }),
        ...(signal && { signal }),
      });
      const response = await send(request);
      onResponse?.(response);
      const answer = await parse(response, contentFor(operation.responseTypes, response.status));
      if (!response.ok) throw new ResponseError(operation.operationId, response, answer);
      return answer as Success;
    },
  };
}

/** Returns the credentials of the first security requirement for which there are any. */
async function credentialsOf(
  { operationId, security }: Operation,
  schemes: Readonly<Record<string, SecurityScheme>>,
  given: Readonly<Record<string, Credential | undefined>>,
) {
  const headers: Record<string, string> = {};
  const query: [string, string][] = [];
  const cookies: string[] = [];
  // The certificate of the connection belongs to `fetch`.
  const isSent = (name: string) => schemes[name]?.in !== 'connection';
  const names = security.map((requirement) => Object.keys(requirement).filter(isSent));
  const met =
    names.find((each) => each.length > 0 && each.every((name) => given[name] !== undefined)) ??
    // An empty requirement says that credentials are optional.
    names.find((each) => each.length === 0);
  if (met === undefined && security.length > 0) {
    throw new TypeError(
      `${operationId} needs credentials for ${names.map((each) => each.join(' and ')).join(', or ')}`,
    );
  }
  for (const name of met ?? []) {
    const [scheme, credential] = [schemes[name], given[name]];
    const text = typeof credential === 'function' ? await credential() : credential;
    if (scheme === undefined || text === undefined) continue;
    if (scheme.in === 'header') headers[scheme.name] = text;
    else if (scheme.in === 'query') query.push([scheme.name, text]);
    else if (scheme.in === 'cookie') cookies.push(`${scheme.name}=${text}`);
    else if (scheme.in === 'bearer') headers['authorization'] = `Bearer ${text}`;
    else headers['authorization'] = `Basic ${base64(text)}`;
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  return { headers, query };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** @throws TypeError if a parameter is empty or would address another resource */
function addressOf(path: Path): string {
  const parts = path.flatMap((part) => (typeof part === 'string' ? part : encoded(part)));
  return parts.join('');
}

function encoded(parameters: Exclude<Path[number], string>): string[] {
  return Object.entries(parameters).map(([name, value]) => {
    if (/^\.{0,2}$/.test(`${value ?? ''}`)) {
      throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

/** Returns `ids=1&ids=2`, or in another style `ids=1|2` or `ids[from]=1` (OpenAPI 3.1 §4.8.12). */
export function queryPairs(
  name: string,
  value: unknown,
  { style, explode }: QueryStyle = { style: 'form', explode: true },
): string[] {
  const key = encodeURIComponent(name);
  const one = (text: unknown) => encodeURIComponent(String(text));
  if (!isGiven(value)) return [];
  if (Array.isArray(value)) {
    if (explode || value.length === 0) return value.map((item) => `${key}=${one(item)}`);
    const separator = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ',';
    return [`${key}=${joined(name, value.map(one), separator)}`];
  }
  if (typeof value !== 'object') return [`${key}=${one(value)}`];
  if (style !== 'deepObject' && !explode) return [`${key}=${itemsOf(value).map(one).join(',')}`];
  const members = Object.entries(value).filter(([, member]) => isGiven(member));
  return members.flatMap(([member, items]) => {
    const memberKey = style === 'deepObject' ? `${key}[${one(member)}]` : one(member);
    return [items].flat().map((item) => `${memberKey}=${one(item)}`);
  });
}

/** A text cannot be null. */
function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null;
}

/** @throws TypeError if an item contains the separator, which would make two items of it */
function joined(name: string, items: readonly unknown[], separator: string): string {
  const item = items.find((each) => String(each).includes(separator));
  if (item !== undefined) throw new TypeError(`${item} is not a possible item of ${name}`);
  return items.join(separator);
}

export function headerTexts(headers: object): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => isGiven(value));
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      typeof value === 'object' ? joined(name, itemsOf(value), ',') : String(value),
    ]),
  );
}

/** Returns the items of a list, or the names and values of an object in turns. */
function itemsOf(value: object): unknown[] {
  const members = Object.entries(value).filter(([, member]) => isGiven(member));
  return Array.isArray(value) ? value : members.flat();
}

function acceptOf({ responseTypes }: Operation): string {
  const types = Object.values(responseTypes).flatMap(([type]) => type ?? []);
  return [...new Set(types)].join(', ') || '*/*';
}

function written(
  body: unknown,
  mediaType = '',
): string | URLSearchParams | FormData | Uint8Array<ArrayBuffer> {
  const kind = bodyKind(mediaType);
  if (kind === 'json') return JSON.stringify(body);
  if (kind === 'text' || kind === 'bytes' || body instanceof FormData) {
    return body as string | FormData | Uint8Array<ArrayBuffer>;
  }
  const form = kind === 'form' ? new URLSearchParams() : new FormData();
  const given = Object.entries(body as object).filter(([, value]) => isGiven(value));
  for (const [name, value] of given) {
    for (const item of [value].flat()) {
      if (item instanceof Blob && form instanceof FormData) form.append(name, item);
      // Objects in forms are JSON (OpenAPI 3.1 §4.8.15).
      else form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item));
    }
  }
  return form;
}

/** Reads a body by its content type. It is bytes where the spec has a range, such as `*\/*`. */
async function parse(response: Response, types: readonly string[] = []): Promise<unknown> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length === 0) return undefined;
  const sent = withoutParameters(response.headers.get('content-type') ?? '');
  const isNamed = types.some((type) => withoutParameters(type) === sent);
  const kind = types.some(isRange) && !isNamed ? 'bytes' : bodyKind(sent);
  if (kind === 'bytes' || kind === 'multipart' || kind === undefined) return bytes;
  const text = new TextDecoder().decode(bytes);
  if (kind === 'text') return text;
  if (kind === 'form') return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch (error) {
    // A proxy may send anything.
    if (!response.ok) return text;
    throw error;
  }
}
