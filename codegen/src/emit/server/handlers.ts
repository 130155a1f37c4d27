import type { ApiModel, ErrorResponse, Operation, Success } from '../../model/api-model.js';
import { pascalCase } from '../../model/names.js';
import { header, jsDoc, prose } from '../text/comment.js';
import { lineWidth, propertyKey, quote, typeText } from '../text/typescript.js';

/** The prefix of every name that the generated code takes from the contract. */
const contract = 'contract.';

/** The handler contract: from a typed request to a closed union of the documented responses. */
export function handlersFile({ operations }: ApiModel): string {
  return `${header}
import type * as contract from '@adx/contract';

/** Handles a request, synchronously or not. */
export type Handler<Request, Response, Context> = (
  request: Request,
  context: Context,
) => Response | Promise<Response>;

/** A plain array (§4.22 rule 4), or its records one by one if it is streamed. */
export type Rows<Item> = readonly Item[] | AsyncIterable<Streamed<Item>>;

/** A record whose own lists may be streamed too. */
export type Streamed<Value> = Value extends readonly (infer Item)[]
  ? Rows<Item>
  : Value extends object
    ? { [Name in keyof Value]: Streamed<Value[Name]> }
    : Value;

/**
 * One handler per operation. \`Context\` describes the caller; \`KeyContext\` describes the caller
 * of an operation that requires only the API key.
 */
export interface Handlers<${contextParameters(operations)}> {
${operations.map(handlerMember).join('')}}
${operations.map(operationTypes).join('')}`;
}

/** The compiler accepts an unused type parameter only if its name starts with an underscore. */
function contextParameters(operations: readonly Operation[]): string {
  const user = operations.some(({ requiresIdToken }) => requiresIdToken) ? 'Context' : '_Context';
  const key = operations.every(({ requiresIdToken }) => requiresIdToken)
    ? '_KeyContext'
    : 'KeyContext';
  return `${user}, ${key} = ${user}`;
}

function handlerMember({ id, summary, requiresIdToken }: Operation): string {
  const name = pascalCase(id);
  const context = requiresIdToken ? 'Context' : 'KeyContext';
  const comment = jsDoc(prose(summary), '  ');
  const line = `  readonly ${propertyKey(id)}: Handler<${name}Request, ${name}Response, ${context}>;\n`;
  if (line.length <= lineWidth) return comment + line;
  return `${comment}  readonly ${propertyKey(id)}: Handler<
    ${name}Request,
    ${name}Response,
    ${context}
  >;
`;
}

function operationTypes(operation: Operation): string {
  const { id, method, path, pathParameters, body } = operation;
  const name = pascalCase(id);
  const members = pathParameters
    .map((parameter) => `readonly ${parameter.name}: string`)
    .join('; ');
  const responses = [success(operation.success), ...operation.errors.map(failure)];
  return `
/** \`${method.toUpperCase()} ${path}\` */
export interface ${name}Request {
  readonly path: ${members === '' ? 'Record<never, never>' : `{ ${members} }`};
  readonly body: ${body ? typeText(body.type, contract) : 'undefined'};
}

export type ${name}Response =${responses.map((response) => `\n  | ${response}`).join('')};
`;
}

function success({ type }: Success): string {
  const body =
    type.kind === 'array' ? `Rows<${typeText(type.items, contract)}>` : typeText(type, contract);
  return `{ status: 200; body: ${body} }`;
}

function failure({ status, schema, codes }: ErrorResponse): string {
  if (schema === 'TokenFailure') return `{ status: ${status}; body: ${contract}TokenFailure }`;
  const names = codes.map(quote);
  const line = `{ status: ${status}; body: ${contract}ErrorBodyOf<${names.join(' | ')}> }`;
  if (line.length + 5 <= lineWidth) return line;
  return `{
      status: ${status};
      body: ${contract}ErrorBodyOf<${names.map((name) => `\n        | ${name}`).join('')}
      >;
    }`;
}
