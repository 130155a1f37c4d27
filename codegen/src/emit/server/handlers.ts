import type {
  ApiModel,
  Operation,
  OperationResponse,
  TypeReference,
} from '../../model/api-model.js';
import { pascalCase } from '../../model/names.js';
import { isRange } from '../../openapi/media-type.js';
import { isSuccessStatus } from '../../openapi/message-objects.js';
import { contractImport, type Target } from '../target.js';
import { header, jsDoc, prose } from '../text/comment.js';
import { contentType, contractType, propertyKey, quote } from '../text/typescript.js';

/** Returns the contract, from a typed request to a closed union of the documented responses. */
export function handlersFile({ operations, errors }: ApiModel, target: Target): string {
  const hasCatalogue = errors !== undefined;
  const types = operations
    .map((operation) => operationTypes(operation, { ...target, hasCatalogue }))
    .join('');
  return `${header}
${contractImport(types, target)}
/** Handles a request, synchronously or not. */
export type Handler<Request, Response, Context> = (
  request: Request,
  context: Context,
) => Response | Promise<Response>;

${target.streams ? streamTypes : ''}${operations.some(usesRange) ? errorStatuses : ''}${jsDoc(
  hasKeyContext(operations)
    ? [
        'One handler per operation. `Context` describes the caller; `KeyContext` describes the caller of an',
        'operation that requires no ID token.',
      ]
    : ['One handler per operation. `Context` describes the caller.'],
)}export interface Handlers<${contextParameters(operations)}> {
${operations.map(handlerMember).join('')}}
${types}`;
}

const streamTypes = `/** A plain array (§4.22 rule 4), or its records one by one if it is streamed. */
export type Rows<Item> = readonly Item[] | AsyncIterable<Streamed<Item>>;

/** A record whose own lists may be streamed too. */
export type Streamed<Value> = Value extends readonly (infer Item)[]
  ? Rows<Item>
  : Value extends object
    ? { [Name in keyof Value]: Streamed<Value[Name]> }
    : Value;

`;

interface Options {
  readonly streams: boolean;
  /** True if the codes of error bodies are typed. */
  readonly hasCatalogue: boolean;
}

/** The compiler accepts an unused type parameter only if its name starts with an underscore. */
function contextParameters(operations: readonly Operation[]): string {
  const user = operations.some(needsUser) ? 'Context' : '_Context';
  if (!hasKeyContext(operations)) return user;
  const key = operations.every(needsUser) ? '_KeyContext' : 'KeyContext';
  return `${user}, ${key} = ${user}`;
}

export function hasKeyContext(operations: readonly Operation[]): boolean {
  return operations.some(({ credentials }) => credentials !== undefined);
}

/** Without conventions, the context of all operations is the same. */
function needsUser({ credentials }: Operation): boolean {
  return credentials?.requiresIdToken ?? true;
}

function handlerMember(operation: Operation): string {
  const name = pascalCase(operation.name);
  const context = needsUser(operation) ? 'Context' : 'KeyContext';
  const comment = operation.summary === '' ? '' : jsDoc(prose(operation.summary), '  ');
  const key = propertyKey(operation.name);
  return `${comment}  readonly ${key}: Handler<${name}Request, ${name}Response, ${context}>;\n`;
}

function operationTypes(operation: Operation, options: Options): string {
  const { method, path, responses } = operation;
  const name = pascalCase(operation.name);
  const forms = responses.flatMap((response) => responseForms(response, operation, options));
  return `
${jsDoc([`\`${method.toUpperCase()} ${path}\``])}${requestType(name, operation)}
export type ${name}Response =${forms.map((form) => `\n  | ${form}`).join('')};
`;
}

function requestType(
  name: string,
  { pathParameters, query, headers, body, responses }: Operation,
): string {
  const path = pathParameters
    .map(({ name: parameter, type }) => `readonly ${propertyKey(parameter)}: ${contractType(type)}`)
    .join('; ');
  const members = [
    `path: ${path === '' ? 'Record<never, never>' : `{ ${path} }`}`,
    ...(query ? [`query: ${contractType(query.type)}`] : []),
    ...(headers ? [`headers: ${contractType(headers.type)}`] : []),
  ];
  const accepted = responses
    .filter(({ status }) => isSuccessStatus(status))
    .find(({ contents }) => contents.length > 1);
  if (accepted) {
    const types = accepted.contents.map(({ mediaType }) => quote(mediaType));
    members.push(`accept: ${types.join(' | ')}`);
  }
  const contents = body?.contents ?? [];
  const bodies = contents.map((content) => {
    const text = contentType(content, 'File');
    return `body: ${body?.isRequired ? text : `${text} | undefined`}`;
  });
  if (contents.length < 2) members.push(bodies[0] ?? 'body: undefined');
  const fields = members.map((member) => `  readonly ${member};\n`).join('');
  if (contents.length < 2) return `export interface ${name}Request {\n${fields}}\n`;
  const forms = contents.map(
    ({ mediaType }, index) =>
      `  | { readonly contentType: ${quote(mediaType)}; readonly ${bodies[index]} }`,
  );
  return `export type ${name}Request = {\n${fields}} & (\n${forms.join('\n')}\n);\n`;
}

/** Returns the forms of a response, one for each media type, the first of which needs no name. */
function responseForms(
  response: OperationResponse,
  operation: Operation,
  { hasCatalogue, streams }: Options,
): string[] {
  const { contents, headers } = response;
  const start = [
    `status: ${statusType(response, operation)}`,
    ...(headers ? [`headers${headers.isOptional ? '?' : ''}: ${contractType(headers.type)}`] : []),
  ];
  if (contents.length === 0) return [`{ ${[...start, 'body?: undefined'].join('; ')} }`];
  return contents.map(({ mediaType, type }, index) => {
    const isNamed = contents.length > 1 || isRange(mediaType);
    const name = isRange(mediaType) ? 'string' : quote(mediaType);
    const contentType = `contentType${index === 0 ? '?' : ''}: ${name}`;
    const members = [...start, ...(isNamed ? [contentType] : [])];
    const isError = hasCatalogue && type.kind === 'model' && type.name === 'ErrorBody';
    const body = isError ? errorType(response.codes) : bodyType(type, streams);
    return `{ ${[...members, `body: ${body}`].join('; ')} }`;
  });
}

function bodyType(type: TypeReference, streams: boolean): string {
  return streams && type.kind === 'array'
    ? `Rows<${contractType(type.items)}>`
    : contractType(type);
}

function errorType(codes: readonly string[]): string {
  return `contract.ErrorBodyOf<${codes.map(quote).join(' | ')}>`;
}

const statuses = {
  ClientErrorStatus: [
    400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421,
    422, 423, 424, 425, 426, 428, 429, 431, 451,
  ],
  ServerErrorStatus: [500, 501, 502, 503, 504, 505, 506, 507, 508, 511],
};

/** The types of a status that is not documented by itself. */
const errorStatuses = `${Object.entries(statuses)
  .map(
    ([name, codes]) => `export type ${name} =${codes.map((code) => `\n  | ${code}`).join('')};\n\n`,
  )
  .join('')}`;

function usesRange({ responses }: Operation): boolean {
  return responses.some(({ status }) => !/^\d+$/.test(status));
}

/** Returns the type of the status: `default` and `4XX` stand for those not documented alone. */
function statusType({ status }: OperationResponse, { responses }: Operation): string {
  if (/^\d+$/.test(status)) return status;
  const documented = responses.map((each) => each.status);
  const hasSuccess = documented.some((each) => each.startsWith('2'));
  const digits = status === 'default' && hasSuccess ? ['4', '5'] : [status.charAt(0)];
  const ranges = digits.filter(
    (digit) => status !== 'default' || !documented.includes(`${digit}XX`),
  );
  const names = ranges.map((digit) => nameOfRange.get(digit));
  if (names.some((name) => name === undefined)) return 'number';
  const own = documented.filter((each) => /^\d+$/.test(each) && ranges.includes(each.charAt(0)));
  const all = names.join(' | ') || 'never';
  return own.length === 0 ? all : `Exclude<${all}, ${own.join(' | ')}>`;
}

const nameOfRange = new Map([
  ['4', 'ClientErrorStatus'],
  ['5', 'ServerErrorStatus'],
]);
