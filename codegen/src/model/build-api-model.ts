import type { SpecNode } from '../document/spec-document.js';
import { codesOf, documentedCodes, errorCodeNodes } from '../openapi/error-code.js';
import { isErrorStatus, jsonContent } from '../openapi/message-objects.js';
import { type OpenApiObject, readBaseUrl, readScopes } from '../openapi/openapi-object.js';
import {
  type OperationObject,
  requestContent,
  requiresIdToken,
  successContent,
  successOf,
  templateParameters,
} from '../openapi/operation-object.js';
import { describesObject, referencedSchema, requiredNames } from '../openapi/schema-object.js';
import type {
  ApiModel,
  Changes,
  Download,
  ErrorKind,
  ErrorResponse,
  Operation,
  PathParameter,
  RequestBody,
  Success,
  TypeReference,
} from './api-model.js';
import { sampleOf } from './sample.js';

/** Builds the model from a spec that keeps every rule. */
export function buildApiModel(api: OpenApiObject): ApiModel {
  return {
    sourceText: api.document.text,
    document: api.document.value,
    title: api.root.at('info', 'title')?.text ?? '',
    baseUrl: readBaseUrl(api.root),
    operations: api.operations.map(buildOperation),
    scopes: readScopes(api).map(({ key, text }) => ({ name: key, description: text ?? '' })),
    errors: buildErrorKinds(api),
    schemas: api.components.schemas.map((node) => ({
      name: node.key,
      description: node.get('description')?.text?.trim() ?? '',
    })),
  };
}

/** In the order of the enum `ErrorCode`. */
function buildErrorKinds(api: OpenApiObject): ErrorKind[] {
  const documented = documentedCodes(api);
  return errorCodeNodes(api).flatMap(({ text }) => {
    const found = documented.find(({ code }) => code === text);
    if (!found) return [];
    return [{ code: found.code, status: Number(found.status), message: found.message ?? '' }];
  });
}

function buildOperation(operation: OperationObject): Operation {
  const { node, method, path } = operation;
  const id = operation.id ?? '';
  const [resource = '', clientMethod = ''] = node.get('x-client-method')?.text?.split('.') ?? [];
  return {
    id,
    method,
    path,
    summary: node.get('summary')?.text?.trim() ?? '',
    description: node.get('description')?.text?.trim() ?? '',
    isDeprecated: node.get('deprecated')?.value === true,
    client: { resource, method: clientMethod },
    requiresIdToken: requiresIdToken(operation),
    scopes: (operation.security[0]?.schemes.get('apiKey') ?? []).flatMap(({ text }) => text ?? []),
    isIdempotent: method !== 'post' || node.get('x-idempotent')?.value === true,
    pathParameters: buildPathParameters(operation),
    body: buildBody(operation, id),
    success: buildSuccess(operation, id),
    errors: buildErrorResponses(operation),
    changes: buildChanges(operation),
    download: buildDownload(operation),
    upload: buildUpload(operation),
  };
}

/** In the order of the path, not of their declarations. */
function buildPathParameters(operation: OperationObject): PathParameter[] {
  return templateParameters(operation.path).flatMap((name) => {
    const parameter = operation.parameters.find((declared) => declared.name === name);
    if (!parameter) return [];
    const [example] = parameter.examples;
    const sample = example?.value?.value ?? (parameter.schema ? sampleOf(parameter.schema) : name);
    const description = parameter.node.get('description')?.text?.trim() ?? '';
    return [{ name, description, sample: String(sample) }];
  });
}

function buildBody(operation: OperationObject, id: string): RequestBody | undefined {
  const body = requestContent(operation);
  if (!body?.schema) return undefined;
  const schema = body.schema.follow();
  const alternatives = [
    ...(schema.get('oneOf')?.items ?? []),
    ...(schema.get('anyOf')?.items ?? []),
  ];
  const forms = alternatives.length > 0 ? alternatives.map((form) => form.follow()) : [schema];
  const [example] = body.examples.flatMap(({ value }) => value ?? []);
  return {
    type: nameType(body.schema, { kind: 'requestBody', operationId: id }),
    isOptional: forms.some((form) => describesObject(form) && requiredNames(form).length === 0),
    description: schema.get('description')?.text?.trim() ?? '',
    sample: example ? example.value : sampleOf(body.schema),
  };
}

function buildSuccess(operation: OperationObject, id: string): Success {
  const schema = successContent(operation)?.schema;
  const description = successOf(operation)?.node.get('description')?.text?.trim();
  const records = operation.isPaginated
    ? schema?.follow().at('properties', 'records', 'items')
    : undefined;
  return {
    type: nameType(schema, { kind: 'successBody', operationId: id }),
    description: description ?? '',
    record: records && nameType(records, { kind: 'record', operationId: id }),
  };
}

function buildChanges(operation: OperationObject): Changes | undefined {
  const changes = operation.node.get('x-changes');
  if (!changes) return undefined;
  const since = changes.get('since')?.text ?? '';
  const body = requestContent(operation)?.schema?.follow();
  const field = body?.at('properties', since);
  return {
    method: changes.get('method')?.text ?? '',
    since,
    sample: field ? String(sampleOf(field)) : '',
    changedOn: changes.get('changedOn')?.text ?? '',
    with: changes.get('with')?.object ?? {},
  };
}

function buildDownload({ node }: OperationObject): Download | undefined {
  const download = node.get('x-download');
  if (!download) return undefined;
  return {
    method: download.get('method')?.text ?? '',
    file: { kind: 'model', name: download.get('file')?.text ?? '' },
    kind: download.get('kind')?.text ?? '',
  };
}

function buildUpload({ node }: OperationObject): Operation['upload'] {
  const method = node.at('x-upload', 'method')?.text;
  return method === undefined ? undefined : { method };
}

function buildErrorResponses(operation: OperationObject): ErrorResponse[] {
  const documented = codesOf(operation);
  return operation.responses
    .filter(({ status }) => isErrorStatus(status))
    .map(({ status, content }) => {
      const schema = jsonContent(content)?.schema;
      return {
        status: Number(status),
        codes: documented.filter((code) => code.status === status).map(({ code }) => code),
        schema:
          schema && referencedSchema(schema) === 'TokenFailure' ? 'TokenFailure' : 'ErrorBody',
      };
    });
}

/** The name of a schema's type, or `nameless` if it has no name. */
function nameType(schema: SpecNode | undefined, nameless: TypeReference): TypeReference {
  const name = schema && referencedSchema(schema);
  if (name !== undefined) return { kind: 'model', name };

  const items = schema?.get('items');
  const itemName = items && referencedSchema(items);
  if (schema?.get('type')?.text === 'array' && itemName !== undefined) {
    return { kind: 'array', items: { kind: 'model', name: itemName } };
  }
  return nameless;
}
