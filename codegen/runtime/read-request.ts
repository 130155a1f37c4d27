import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import express, { type Request, type RequestHandler } from 'express';
import { formatFragment, type JsonObject } from '../src/document/json.js';
import { discriminatorKeyword } from '../src/openapi/discriminator.js';
import { bodyKind, withoutParameters } from '../src/openapi/media-type.js';
import { describeRequest, follow, member, type Part, partOf } from './described-request.js';
import {
  type Parameter,
  type RequestError,
  readForm,
  readHeaders,
  readQuery,
  type Shape,
} from './read-parameters.js';

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

/** @param limit the largest body, such as `1mb` */
export function requestReaders(spec: object, limit: string) {
  const ajv = {
    parameters: createAjv(spec, { coerceTypes: 'array', useDefaults: true, allErrors: true }),
    form: createAjv(spec, { coerceTypes: 'array', useDefaults: true }),
    json: createAjv(spec, { useDefaults: true }),
    // A member that is absent from a PATCH does not change (RFC 7396).
    patch: createAjv(spec, {}),
  };
  return ({ method, path, requestTypes, security }: Operation): RequestReader => {
    const { parameters: parts, body } = describeRequest(spec, path, method);
    const parameters = parts.map((part) => toParameter(spec, part));
    const credentials = security.flatMap((requirement) =>
      Object.keys(requirement)
        .map((name) => partOf(spec, 'components', 'securitySchemes', name).value)
        .flatMap((scheme) => (scheme['in'] === 'query' ? String(scheme['name']) : [])),
    );
    const validateParameters = ajv.parameters.compile(schemaOfParameters(spec, parts));
    const jsonAjv = method === 'patch' ? ajv.patch : ajv.json;
    const bodies = new Map(
      requestTypes.map((type) => {
        const kind = bodyKind(type);
        const schema = kind === 'bytes' ? {} : schemaOf(member(spec, body, 'content', type));
        // A body is a member of an object, because Ajv cannot convert a value by itself.
        return [
          type,
          (kind === 'form' ? ajv.form : jsonAjv).compile({ properties: { body: schema } }),
        ];
      }),
    );
    return {
      parsers: parsersOf(requestTypes, limit),
      read(request) {
        const [, search = ''] = /\?(.*)/s.exec(request.originalUrl) ?? [];
        const { query, errors: unknown } = readQuery(search, parameters, credentials);
        const headers = readHeaders(request.headers, parameters);
        const values = { path: { ...request.params }, query, headers };
        const content = readBody(request, bodies, body.value['required'] === true);
        const errors = [...errorsOf(validateParameters, values), ...unknown, ...content.errors];
        if (errors.length > 0)
          throw new Refusal(400, 'The request does not match the interface.', errors);
        return { ...values, body: content.body, contentType: content.type };
      },
    };
  };
}

/** Bodies are read up to their first mistake, because Ajv takes quadratic time for many. */
function createAjv(spec: object, options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    ...options,
  });
  addFormats.default(ajv);
  ajv.addKeyword(discriminatorKeyword(spec));
  return ajv.addSchema(spec, 'openapi');
}

function toParameter(spec: object, part: Part): Parameter {
  const { value } = part;
  const place = value['in'] as Parameter['in'];
  const style = String(value['style'] ?? (place === 'query' ? 'form' : 'simple'));
  const explode = Boolean(value['explode'] ?? style === 'form');
  const schema = member(spec, part, 'schema').value;
  const isClosed = schema['additionalProperties'] === false;
  const members = isClosed ? Object.keys(schema['properties'] ?? {}) : undefined;
  const shape = shapeOf(spec, schema);
  return { name: String(value['name']), in: place, style, explode, shape, members };
}

/** Lists and objects are recognized by their `type`, also in parts and alternatives. */
function shapeOf(spec: object, schema: JsonObject): Shape {
  const types = [schema['type']].flat();
  if (types.includes('array')) return 'list';
  if (types.includes('object') || schema['properties'] !== undefined) return 'object';
  const parts = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((each) => each ?? []);
  const shapes = (parts as JsonObject[]).map((value) =>
    shapeOf(spec, follow(spec, { value, path: [] }).value),
  );
  return shapes.find((shape) => shape !== 'single') ?? 'single';
}

function schemaOfParameters(spec: object, parts: readonly Part[]): object {
  const places = { path: 'path', query: 'query', header: 'headers' };
  const properties = Object.entries(places).map(([place, name]) => {
    const here = parts.filter(({ value }) => value['in'] === place);
    const schemas = here.map((part) => {
      const { default: fallback } = member(spec, part, 'schema').value;
      const schema = { ...schemaOf(part), ...(fallback !== undefined && { default: fallback }) };
      return [part.value['name'], schema];
    });
    const required = here.flatMap(({ value }) => (value['required'] ? [value['name']] : []));
    return [name, { properties: Object.fromEntries(schemas), required }];
  });
  return { properties: Object.fromEntries(properties) };
}

/** Returns a reference to the schema in the spec. Without one, every value is valid. */
function schemaOf({ value, path }: Part): object {
  return value['schema'] === undefined
    ? {}
    : { $ref: `openapi${formatFragment([...path, 'schema'])}` };
}

function parsersOf(types: readonly string[], limit: string): RequestHandler[] {
  const parsers = {
    json: express.json,
    text: express.text,
    form: express.text,
    bytes: express.raw,
  };
  return types.flatMap((type) => {
    const parser = parsers[bodyKind(type) ?? 'bytes'];
    return parser({ type: withoutParameters(type), limit, strict: false });
  });
}

function readBody(
  request: Request,
  bodies: ReadonlyMap<string, ValidateFunction>,
  isRequired: boolean,
) {
  const types = [...bodies.keys()];
  const none = { body: undefined, type: undefined, errors: [] };
  const isEmpty = Number(request.headers['content-length'] ?? 0) === 0;
  const isAbsent = isEmpty && request.headers['transfer-encoding'] === undefined;
  const type = typeOf(request, types);
  const kind = bodyKind(type ?? '');
  if (types.length === 0 || (isAbsent && (type === undefined || kind === 'json'))) {
    if (!isRequired) return none;
    return { ...none, errors: [{ path: '/body', message: 'is required' }] };
  }
  const validate = type === undefined ? undefined : bodies.get(type);
  if (validate === undefined) throw new Refusal(415, `The body must be ${types.join(' or ')}.`);
  const value = { body: kind === 'form' ? readForm(String(request.body ?? '')) : request.body };
  return { type, errors: errorsOf(validate, value), body: value.body };
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

function errorsOf(validate: ValidateFunction, value: object): RequestError[] {
  try {
    return validate(value) ? [] : (validate.errors ?? []).map(toError);
  } catch (error) {
    // The stack overflows.
    if (error instanceof RangeError) return [{ path: '/body', message: 'is nested too deeply' }];
    throw error;
  }
}

function toError({ instancePath, message = '', params }: ErrorObject): RequestError {
  const { additionalProperty, unevaluatedProperty, allowedValues } = params;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues?.join(', ');
  return { path: instancePath, message: detail === undefined ? message : `${message}: ${detail}` };
}
