import { isUtf8 } from 'node:buffer';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import express, { type Request, type RequestHandler } from 'express';
import {
  childOf,
  formatFragment,
  type JsonObject,
  type Part,
  type Path,
} from '../src/document/json.js';
import { bodyKind, withoutParameters } from '../src/openapi/media-type.js';
import { describeRequest, member, partOf } from './described-request.js';
import { defaultFillers, type FillDefaults } from './fill-defaults.js';
import { type Form, readFormWithFiles, withFiles } from './read-form.js';
import {
  type Parameter,
  type RequestError,
  readForm,
  readHeaders,
  readPath,
  readQuery,
} from './read-parameters.js';
import { type ValueReader, valueReaders } from './read-values.js';
import { createAjv, validatable } from './validator.js';

// express-openapi-validator splits lists at encoded separators, does not convert the texts of
// forms, and refuses an absent optional body.

/** A request that is refused with this status. Handlers of security schemes can throw it too. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly RequestError[];

  constructor(status: number, title: string, errors: readonly RequestError[] = []) {
    super(title);
    this.status = status;
    this.errors = errors;
  }
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly requestTypes: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface ValidRequest {
  readonly path: object;
  readonly query: object;
  readonly headers: object;
  readonly body: unknown;
  readonly contentType: string | undefined;
}

interface RequestReader {
  readonly parsers: readonly RequestHandler[];
  /** @throws Refusal with the status 400 or 415 */
  readonly read: (request: Request) => ValidRequest;
}

/** Checks a value against a schema, and adds its defaults. */
type Check = (value: object) => RequestError[];

interface BodyReader {
  readonly check: Check;
  /** Reads the texts of a form. */
  readonly form: ValueReader | undefined;
}

type Bodies = ReadonlyMap<string, BodyReader>;

/** @param limit the largest body, such as `1mb` */
export function requestReaders(document: object, limit: string) {
  // Everything reads this one, so that paths in it lead to the same schemas.
  const spec = validatable(document);
  // A parameter or body is read up to its first mistake, because a list can have thousands.
  const ajv = createAjv(spec);
  const fillerOf = defaultFillers(spec);
  const checkOf = (schema: JsonObject, isFilled: boolean) =>
    checkBy(ajv.compile(schema), isFilled ? fillerOf(schema) : () => {});
  const readerOf = valueReaders(spec, (schemas) => {
    const all = schemas.map(({ path }) => referenceTo(path));
    const check = checkOf({ properties: { value: { allOf: all } } }, false);
    return (value) => check({ value }).length === 0;
  });
  return ({ method, path, requestTypes, security }: Operation): RequestReader => {
    const { parameters: parts, body } = describeRequest(spec, path, method);
    const parameters = parts.map((part) => toParameter(part, readerOf));
    const credentials = security.flatMap((requirement) =>
      Object.keys(requirement)
        .map((name) => partOf(spec, 'components', 'securitySchemes', name).value)
        .flatMap((scheme) => (scheme['in'] === 'query' ? String(scheme['name']) : [])),
    );
    const checks = parts.map((part) => checkOf(schemaOf(part), true));
    const bodies = new Map(
      requestTypes.map((type): [string, BodyReader] => {
        const content = member(spec, body, 'content', type);
        const kind = bodyKind(type);
        const isForm = kind === 'form' || kind === 'multipart';
        const reader = () => readerOf(childOf(content, 'schema'));
        // The schema of XML describes its elements, of which a text has none.
        const isText = () => reader().forms.some((each) => each.type === 'string');
        const isChecked = kind !== 'bytes' && (kind !== 'text' || isText());
        // A body is a member of an object, so that its mistakes have paths as those of parameters.
        const schema = { properties: { body: isChecked ? referenceOf(content) : {} } };
        // A member that is absent from a PATCH does not change (RFC 7396).
        const check = checkOf(schema, method !== 'patch');
        return [type, { check, form: isForm ? reader() : undefined }];
      }),
    );
    return {
      parsers: parsersOf(bodies, limit),
      read(request) {
        const [, search = ''] = /\?(.*)/s.exec(request.originalUrl) ?? [];
        const { query, errors: unread } = readQuery(search, parameters, credentials);
        const headers = readHeaders(request.headers, parameters);
        const values = { path: readPath(request.params, parameters), query, headers };
        const content = readBody(request, bodies, body.value['required'] === true);
        const wrong = checks.flatMap((check) => check(values));
        const errors = [...wrong, ...unread, ...content.errors];
        if (errors.length > 0)
          throw new Refusal(400, 'The request does not match the interface.', shown(errors));
        return { ...values, body: content.body, contentType: content.type };
      },
    };
  };
}

function toParameter(part: Part, readerOf: (schema: Part) => ValueReader): Parameter {
  const { name, required, allowEmptyValue, ...value } = part.value;
  const place = value['in'] as Parameter['in'];
  const style = String(value['style'] ?? (place === 'query' ? 'form' : 'simple'));
  const reader = readerOf(childOf(part, 'schema'));
  const objects = reader.forms
    .filter(({ type }) => type === 'object')
    .map(({ schemas }) => schemas.map((each) => each.value));
  return {
    ...reader,
    ...{ name: String(name), in: place, style },
    explode: Boolean(value['explode'] ?? style === 'form'),
    // OpenAPI ignores `allowEmptyValue` in other styles.
    isAbsentIfEmpty: allowEmptyValue === true && required !== true && style === 'form',
    members: objects.flat().flatMap((each) => Object.keys(each['properties'] ?? {})),
    isOpen: !objects.every((all) => all.some((each) => each['additionalProperties'] === false)),
  };
}

/** Returns the schema of an object with a member for each place, which has the parameters there. */
function schemaOf(parameter: Part): JsonObject {
  const { in: place, name, required } = parameter.value;
  const properties = { [String(name)]: referenceOf(parameter) };
  const here = { properties, required: required ? [String(name)] : [] };
  return { properties: { [place === 'header' ? 'headers' : String(place)]: here } };
}

/** Returns the schema of a parameter or body. Without one, every value is valid. */
function referenceOf({ value, path }: Part): JsonObject {
  return value['schema'] === undefined ? {} : referenceTo([...path, 'schema']);
}

function referenceTo(path: Path): JsonObject {
  return { $ref: `openapi${formatFragment(path)}` };
}

function parsersOf(bodies: Bodies, limit: string): RequestHandler[] {
  const parsers = {
    json: express.json,
    text: express.text,
    form: express.text,
    multipart: express.raw,
    bytes: express.raw,
  };
  return [...bodies].flatMap(([type, { form }]) => {
    const kind = bodyKind(type) ?? 'bytes';
    const parser = parsers[kind]({ type: withoutParameters(type), limit, strict: false, verify });
    if (kind !== 'multipart' || form === undefined) return parser;
    const readFiles: RequestHandler = (request, _response, next) => {
      if (Buffer.isBuffer(request.body) && typeOf(request, [...bodies.keys()]) === type) {
        request.body = readFormWithFiles(request, form);
        if (request.body === undefined) throw new Refusal(400, `The body is not ${type}.`);
      }
      next();
    };
    return [parser, readFiles];
  });
}

/** The requests whose body has no bytes, of which Express would make an object. */
const withoutBytes = new WeakSet<object>();

/** Refuses bytes that the parser would replace by other characters. */
function verify(request: object, _response: unknown, bytes: Buffer, encoding: string | null): void {
  if (bytes.length === 0) withoutBytes.add(request);
  // The decoder ignores other characters in the name of an encoding: `utf8`, `utf--8`.
  const name = encoding?.replaceAll(/:\d{4}$|[^a-z\d]/g, '') ?? '';
  // To decode 1 MB of it takes half a second.
  if (name.includes('utf7')) throw new Refusal(415, 'The body is UTF-7.');
  if (name.endsWith('utf8') && !isUtf8(bytes)) throw new Refusal(400, 'The body is not UTF-8.');
}

function readBody(request: Request, bodies: Bodies, isRequired: boolean) {
  const types = [...bodies.keys()];
  const none = { body: undefined, type: undefined, errors: [] };
  const isEmpty = Number(request.headers['content-length'] ?? 0) === 0;
  const isAbsent =
    (isEmpty && request.headers['transfer-encoding'] === undefined) || withoutBytes.has(request);
  const type = typeOf(request, types);
  const kind = bodyKind(type ?? '');
  if (types.length === 0 || (isAbsent && (type === undefined || kind === 'json'))) {
    if (!isRequired) return none;
    return { ...none, errors: [{ path: '/body', message: 'is required' }] };
  }
  const reader = type === undefined ? undefined : bodies.get(type);
  if (reader === undefined) throw new Refusal(415, `The body must be ${types.join(' or ')}.`);
  // Express does not read it if the caller closed its side of the connection in the meantime.
  if (request.body === undefined) throw new Refusal(400, 'The body was not received.');
  if (kind === 'multipart') {
    const { texts, files, errors: unread }: Form = request.body;
    const value = { body: reader.form?.read({ items: [], members: texts, isForm: true }) };
    const errors = unread.length > 0 ? unread : reader.check(value);
    return { type, errors, body: errors.length > 0 ? undefined : withFiles(value.body, files) };
  }
  const { body, errors } = reader.form
    ? readForm(String(request.body ?? ''), reader.form)
    : { body: request.body, errors: [] };
  return { type, body, errors: errors.length > 0 ? errors : reader.check({ body }) };
}

/** Returns the media type of the spec that a body has: the one with most parameters in common. */
function typeOf(request: Request, types: readonly string[]): string | undefined {
  const sent = parametersOf(request.get('content-type') ?? '');
  const candidates = types
    .filter((type) => request.is(withoutParameters(type)))
    .toSorted((a, b) => parametersOf(b).length - parametersOf(a).length);
  const isSent = (type: string) => parametersOf(type).every((each) => sent.includes(each));
  return candidates.find(isSent) ?? candidates[0];
}

/** Returns `['v=2']` for `application/json; V="2"`. */
function parametersOf(mediaType: string): string[] {
  const [, ...parameters] = mediaType.toLowerCase().split(';');
  return parameters.map((each) => each.replaceAll(/[\s"]/g, '')).filter((each) => each !== '');
}

/** Each mistake can name all values of an enum, so that thousands would make a large answer. */
const mostErrors = 100;

/** Returns the first mistakes. The last one can sum up those before it. */
function firstOf<Mistake>(errors: readonly Mistake[]): Mistake[] {
  return [...errors.slice(0, mostErrors - 1), ...errors.slice(mostErrors - 1).slice(-1)];
}

/** Each mistake can name the same long name, so that 100 would make a large answer too. */
function shown(errors: readonly RequestError[]): RequestError[] {
  const cut = (text: string) => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
  return firstOf(errors).map(({ path, message }) => ({ path: cut(path), message: cut(message) }));
}

function checkBy(validate: ValidateFunction, fill: FillDefaults): Check {
  return (value) => {
    try {
      if (!validate(value)) return firstOf(validate.errors ?? []).flatMap(toError);
      fill(value);
      return [];
    } catch (error) {
      // The stack overflows.
      if (!(error instanceof RangeError)) throw error;
      return [{ path: '/body', message: 'is too long or nested too deeply' }];
    }
  };
}

/** The error of a condition is dropped: the schema under `then` or `else` reports its own. */
function toError({ instancePath, keyword, message = '', params }: ErrorObject): RequestError[] {
  if (keyword === 'if') return [];
  const { additionalProperty, unevaluatedProperty, allowedValue, allowedValues } = params;
  const values = 'allowedValue' in params ? [allowedValue] : allowedValues;
  const allowed = values?.map((value: unknown) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  const detail = additionalProperty ?? unevaluatedProperty ?? allowed?.join(', ');
  return [
    { path: instancePath, message: detail === undefined ? message : `${message}: ${detail}` },
  ];
}
