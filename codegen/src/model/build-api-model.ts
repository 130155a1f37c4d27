import type { Config } from '../config.js';
import type { SpecNode } from '../document/spec-document.js';
import { type OpenApiObject, readBaseUrl, readScopes } from '../openapi/openapi-object.js';
import {
  idempotencyKeyOf,
  type OperationObject,
  requiresIdToken,
  successContent,
} from '../openapi/operation-object.js';
import { subschemas } from '../openapi/schema-object.js';
import type { ApiModel, Deprecation, ErrorKind, Operation, SecurityScheme } from './api-model.js';
import { buildBody, buildResponses, buildSuccess } from './build-bodies.js';
import { buildGroup, buildPathParameters } from './build-parameters.js';
import { codesOf, documentedCodes, errorCodeNodes } from './error-code.js';
import { type ModelContext, textAt } from './model-context.js';
import { identifier, tagResource } from './names.js';
import { TypeNames } from './type-names.js';

export function buildApiModel(api: OpenApiObject, config: Config): ApiModel {
  const types = new TypeNames(api.components.schemas.map(({ key }) => key));
  const keeps = (rule: string) => Object.hasOwn(config.rules, rule);
  const context = { types, keeps, headersOfServer: config.headersOfServer };
  return {
    // Not every layout has it, and it takes a second for a spec of some megabytes.
    get sourceText() {
      return api.document.text;
    },
    document: api.document.value,
    title: textAt(api.root.at('info'), 'title'),
    baseUrl: readBaseUrl(api.root),
    operations: api.operations.map((operation) => buildOperation(operation, api, context)),
    schemas: api.components.schemas.map((node) => ({
      name: node.key,
      typeName: types.ofSchema(node.key),
    })),
    aliases: types.aliases,
    securitySchemes: buildSecuritySchemes(api),
    scopes: keeps('scopes')
      ? readScopes(api).map(({ key, text }) => ({ name: key, description: text ?? '' }))
      : undefined,
    isPaginating: keeps('pagination'),
    errors: keeps('error-codes') ? buildErrorKinds(api) : undefined,
  };
}

/** Returns the kinds in the order of the enum `ErrorCode`. */
function buildErrorKinds(api: OpenApiObject): ErrorKind[] {
  const documented = documentedCodes(api);
  return errorCodeNodes(api).flatMap(({ text }) => {
    const found = documented.find(({ code }) => code === text);
    if (!found) return [];
    return [{ code: found.code, status: Number(found.status), message: found.message ?? '' }];
  });
}

function buildOperation(
  operation: OperationObject,
  { operations }: OpenApiObject,
  context: ModelContext,
): Operation {
  const { node, method, path, serverHolder, id = '' } = operation;
  const { keeps } = context;
  const codes = keeps('error-codes') ? codesOf(operation) : [];
  const responses = buildResponses(operation, codes, context);
  return {
    id,
    name: identifier(id),
    method,
    path,
    baseUrl: serverHolder && readBaseUrl(serverHolder),
    summary: textAt(node, 'summary'),
    description: textAt(node, 'description'),
    isDeprecated: node.get('deprecated')?.value === true,
    deprecation: keeps('deprecation') ? buildDeprecation(node, operations) : undefined,
    client: clientPlace(operation),
    security: operation.security.map(({ schemes }) =>
      Object.fromEntries(
        [...schemes].map(([name, scopes]) => [name, scopes.flatMap(({ text }) => text ?? [])]),
      ),
    ),
    credentials: keeps('security-requirement')
      ? {
          requiresIdToken: requiresIdToken(operation),
          scopes:
            operation.security[0]?.schemes.get('apiKey')?.flatMap(({ text }) => text ?? []) ?? [],
        }
      : undefined,
    isIdempotent:
      method !== 'post' || (keeps('idempotent') && node.get('x-idempotent')?.value === true),
    takesIdempotencyKey: keeps('idempotency-key') && idempotencyKeyOf(operation) !== undefined,
    pathParameters: buildPathParameters(operation, context),
    query: buildGroup(operation, 'query', context),
    headers: buildGroup(operation, 'header', context),
    body: buildBody(operation, context),
    responses,
    success: buildSuccess(operation, responses, context),
    fileName: keeps('file-name') ? fileNamePattern(successContent(operation)?.schema) : undefined,
  };
}

/** Returns `x-client-method: customers.get`, or the first tag and the operation's id. */
export function clientPlace({ node, id = '' }: OperationObject): Operation['client'] {
  const named = node.get('x-client-method')?.text;
  if (named === undefined) return { resource: tagResource(node), method: identifier(id) };
  const [resource = '', method = ''] = named.split('.');
  return { resource, method };
}

function buildDeprecation(
  node: SpecNode,
  operations: readonly OperationObject[],
): Deprecation | undefined {
  const since = node.get('x-deprecated-since')?.text;
  if (since === undefined) return undefined;
  const replacedBy = node.get('x-replaced-by')?.text;
  const successor = operations.find(({ id }) => id !== undefined && id === replacedBy);
  return {
    since,
    sunset: node.get('x-sunset')?.text,
    replacedBy: successor && {
      name: identifier(successor.id ?? ''),
      client: clientPlace(successor),
    },
  };
}

/** Returns the pattern of the first `fileName` in a schema, at any depth. */
function fileNamePattern(
  schema: SpecNode | undefined,
  seen = new Set<SpecNode['value']>(),
): string | undefined {
  const target = schema?.follow();
  if (!target || seen.has(target.value)) return undefined;
  seen.add(target.value);
  const own = target.at('properties', 'fileName')?.follow().get('pattern')?.text;
  if (own !== undefined) return own;
  return subschemas(target).reduce<string | undefined>(
    (found, part) => found ?? fileNamePattern(part, seen),
    undefined,
  );
}

function buildSecuritySchemes({ components, operations }: OpenApiObject): SecurityScheme[] {
  const used = new Set(
    operations.flatMap(({ security }) => security.flatMap(({ schemes }) => [...schemes.keys()])),
  );
  return (components.securitySchemes?.members ?? [])
    .filter(({ key }) => used.has(key))
    .map((node) => ({
      name: node.key,
      description: textAt(node.follow(), 'description'),
      place: placeOf(node.follow()),
    }));
}

const keyPlaces = ['header', 'query', 'cookie'] as const;

/** OAuth 2 and OpenID Connect give bearer tokens. The rule `security` refuses all others. */
function placeOf(scheme: SpecNode): SecurityScheme['place'] {
  if (scheme.get('type')?.text === 'mutualTLS') return { in: 'connection' };
  if (scheme.get('type')?.text !== 'apiKey') {
    return { in: scheme.get('scheme')?.text?.toLowerCase() === 'basic' ? 'basic' : 'bearer' };
  }
  const place = keyPlaces.find((each) => each === scheme.get('in')?.text) ?? 'header';
  return { in: place, name: scheme.get('name')?.text ?? '' };
}
