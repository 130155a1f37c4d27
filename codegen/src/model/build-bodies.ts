import { bodyKind } from '../openapi/media-type.js';
import {
  isErrorStatus,
  isSuccessStatus,
  type MediaTypeObject,
  type ResponseObject,
} from '../openapi/message-objects.js';
import type { OperationObject } from '../openapi/operation-object.js';
import { describesObject, fileNames, requiredNames } from '../openapi/schema-object.js';
import { allowsEmptyObject } from '../openapi/schema-validation.js';
import type {
  Alias,
  Content,
  OperationResponse,
  RequestBody,
  ResponseHeaders,
  Success,
  TypePath,
  TypeReference,
} from './api-model.js';
import type { DocumentedCode } from './error-code.js';
import { type ModelContext, textAt } from './model-context.js';
import { identifier, pascalCase } from './names.js';
import { sampleOf } from './sample.js';
import type { TypeNames } from './type-names.js';

export function buildBody(
  operation: OperationObject,
  { types }: ModelContext,
): RequestBody | undefined {
  const { requestBody, id = '' } = operation;
  if (!requestBody) return undefined;
  const [first, ...others] = preferred(requestBody.content).map((media, index) =>
    buildContent(media, types, {
      typeName: `${pascalCase(identifier(id))}Body${index === 0 ? '' : index + 1}`,
      description: `The body of \`${id}\`.`,
      type: { keys: [id, 'requestBody'] },
    }),
  );
  const [media] = preferred(requestBody.content);
  if (!first || !media) return undefined;
  const schema = media.schema?.follow();
  const alternatives = [
    ...(schema?.get('oneOf')?.items ?? []),
    ...(schema?.get('anyOf')?.items ?? []),
  ];
  const forms = alternatives.length > 0 ? alternatives.map((form) => form.follow()) : [schema];
  const shown = media.examples.flatMap(({ value }) => (value ? [value.value] : []));
  return {
    contents: [first, ...others],
    isRequired: requestBody.isRequired,
    isOptional:
      !requestBody.isRequired ||
      (['json', 'form'].includes(bodyKind(media.name) ?? '') &&
        forms.some((form) => form && describesObject(form) && requiredNames(form).length === 0) &&
        media.schema !== undefined &&
        allowsEmptyObject(media.schema)),
    description: textAt(requestBody.node, 'description') || textAt(schema, 'description'),
    sample: (media.schema && sampleOf(media.schema, shown)) ?? shown[0] ?? null,
  };
}

/** Puts JSON first, which is the easiest to use. */
export function preferred(content: readonly MediaTypeObject[]): MediaTypeObject[] {
  const isJson = ({ name }: MediaTypeObject) => bodyKind(name) === 'json';
  return [...content.filter(isJson), ...content.filter((media) => !isJson(media))];
}

/** @param message the name, the description and the type of the message that has the content */
function buildContent(
  { name, schema }: MediaTypeObject,
  types: TypeNames,
  message: Alias & { readonly type: TypePath },
): Content {
  const kind = bodyKind(name) ?? 'bytes';
  if (kind === 'text') return { mediaType: name, type: { kind: 'string' } };
  if (kind === 'bytes') return { mediaType: name, type: { kind } };
  const type = { keys: [...message.type.keys, 'content', name] };
  return {
    mediaType: name,
    type: types.of(schema, { ...message, type }),
    ...(kind === 'multipart' && { files: schema ? fileNames(schema) : [] }),
  };
}

export function buildResponses(
  operation: OperationObject,
  codes: readonly DocumentedCode[],
  context: ModelContext,
): OperationResponse[] {
  const { id = '' } = operation;
  return operation.responses.map((response) => {
    const { status } = response;
    const message = {
      typeName: `${pascalCase(identifier(id))}${pascalCase(status)}`,
      description: `The body of \`${id}\` with status ${status}.`,
      type: { keys: [id, 'responses', statusKey(status)] },
    };
    return {
      status,
      headers: buildHeaders(response, id, context),
      contents: preferred(response.content).map((media) =>
        buildContent(media, context.types, message),
      ),
      codes: codes.filter((code) => code.status === status).map(({ code }) => code),
    };
  });
}

/** Returns the key in `schema.gen.ts`, where a status is a number if it can be one. */
function statusKey(status: string): string | number {
  return /^\d+$/.test(status) ? Number(status) : status;
}

function buildHeaders(
  { headers, status }: ResponseObject,
  id: string,
  { types, headersOfServer }: ModelContext,
): ResponseHeaders | undefined {
  const given = [...headers].filter(([name]) => !headersOfServer.includes(name));
  if (given.length === 0) return undefined;
  return {
    type: types.alias({
      typeName: `${pascalCase(identifier(id))}${pascalCase(status)}Headers`,
      description: `The headers of \`${id}\` with status ${status}.`,
      type: {
        members: given.map(([name, { isRequired }]) => ({
          name,
          isOptional: !isRequired,
          type: { keys: [id, 'responses', statusKey(status), 'headers', name] },
        })),
      },
    }),
    isOptional: given.every(([, { isRequired }]) => !isRequired),
  };
}

/** Returns the success, which may be `default` (Responses Object, OpenAPI 3.1 §4.8.16). */
export function buildSuccess(
  operation: OperationObject,
  responses: readonly OperationResponse[],
  { types, keeps }: ModelContext,
): Success {
  const named = responses.filter(({ status }) => isSuccessStatus(status));
  const hasOther = responses.some(({ status }) => !isErrorStatus(status) && status !== 'default');
  const successes =
    named.length > 0 || hasOther ? named : responses.filter(({ status }) => status === 'default');
  const contents = successes.map(({ contents: [content] }) => content);
  const [first] = operation.responses.filter(({ status }) => status === successes[0]?.status);
  const page = first?.content.find(({ name }) => name === contents[0]?.mediaType)?.schema?.follow();
  const records =
    keeps('pagination') && operation.isPaginated
      ? page?.at('properties', 'records', 'items')
      : undefined;
  const { id = '' } = operation;
  return {
    type: union(contents.map((content) => content?.type ?? { kind: 'nothing' })),
    description: textAt(first?.node, 'description'),
    record:
      records &&
      types.of(records, {
        typeName: `${pascalCase(identifier(id))}Record`,
        description: `A record of \`${id}\`.`,
        type: {
          keys: [id, 'responses', 200, 'content', 'application/json', 'records', 'number'],
        },
      }),
  };
}

function union(types: readonly TypeReference[]): TypeReference {
  const different = [...new Map(types.map((type) => [JSON.stringify(type), type])).values()];
  const [only] = different;
  if (different.length > 1) return { kind: 'union', of: different };
  return only ?? { kind: 'nothing' };
}
