import type { JsonValue } from '../../document/json.js';
import type {
  ApiModel,
  Content,
  Operation,
  Parameter,
  Scope,
  SecurityScheme,
} from '../../model/api-model.js';
import { header, jsDoc, prose, wrap } from '../text/comment.js';
import { literal, overLines, propertyKey, quote } from '../text/typescript.js';

/** Returns the operation table, and the scopes if there are any, as values with literal types. */
export function operationsFile(model: ApiModel): string {
  const { operations, scopes, errors, isPaginating } = model;
  const columns = columnsOf(model);
  const paginated = operations.filter(({ success }) => success.record).map(({ name }) => name);
  return `${header}
${errors ? "import type { ErrorCode } from './errors.gen.js';\n\n" : ''}/** The properties of an operation, apart from its types. */
export interface Operation {
${columnTypes(columns)}}
${scopes ? scopesTable(scopes) : schemesTable(model.securitySchemes)}
/** Every operation of the interface, in the order of the spec. */
export const operations = {
${operations.map((operation) => operationEntry(operation, columns)).join('')}} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof operations;
${isPaginating ? paginatedType(paginated) : ''}`;
}

function scopesTable(scopes: readonly Scope[]): string {
  const descriptions = Object.fromEntries(scopes.map((scope) => [scope.name, scope.description]));
  return `
/** Every scope that an API key can have, with its description. */
export const scopes = ${overLines(descriptions)} as const;

export type Scope = keyof typeof scopes;
`;
}

function schemesTable(schemes: readonly SecurityScheme[]): string {
  const entries = schemes.map(({ name, description, place }) => {
    const comment = description === '' ? '' : jsDoc(prose(description), '  ');
    return `${comment}  ${propertyKey(name)}: ${literal(place, '  ', propertyKey(name).length + 2)},\n`;
  });
  return `
/** Where a call carries what each security scheme requires. */
export const securitySchemes = {
${entries.join('')}} as const;

export type SecurityScheme = keyof typeof securitySchemes;
`;
}

function paginatedType(names: readonly string[]): string {
  return `
/** The paginated operations (§4.22). */
export type PaginatedOperationId =${names.map((name) => `\n  | ${quote(name)}`).join('') || ' never'};
`;
}

/** A property of operations: type, value (undefined if it has none), comment. */
type Column = readonly [
  type: string,
  value: (operation: Operation) => JsonValue | undefined,
  comment?: string,
];

/** Returns columns without those that conventions make the same for all operations. */
function columnsOf({ operations, scopes, errors, isPaginating }: ApiModel): Record<string, Column> {
  const rare = ['head', 'options'].filter((name) =>
    operations.some(({ method }) => method === name),
  );
  const methods = ['get', 'post', 'put', 'patch', 'delete', ...rare];
  return {
    operationId: ['string', ({ id }) => id],
    method: [methods.map(quote).join(' | '), ({ method }) => method],
    path: ['string', ({ path }) => path, 'The path below the base URL, with parameters in braces.'],
    client: [
      '{ readonly resource: string; readonly method: string }',
      ({ client }) => client,
      'Its place in the client: `client.resource.method()`.',
    ],
    ...(scopes ? credentialColumns : securityColumns),
    idempotent: [
      'boolean',
      ({ isIdempotent }) => isIdempotent,
      'True if retrying the call does no harm.',
    ],
    ...(isPaginating && { paginated: ['boolean', ({ success }) => success.record !== undefined] }),
    body: [
      "'none' | 'optional' | 'required'",
      ({ body }) => (body ? (body.isRequired ? 'required' : 'optional') : 'none'),
    ],
    pathParameters: [
      'readonly string[]',
      ({ pathParameters }) => namesOf(pathParameters),
      'In the order of the path.',
    ],
    queryParameters: ['readonly string[]', ({ query }) => namesOf(query?.parameters)],
    headerParameters: ['readonly string[]', ({ headers }) => namesOf(headers?.parameters)],
    ...(errors ? errorColumns : mediaTypeColumns),
    'deprecation?': [
      '{ readonly since: string; readonly sunset?: string; readonly replacedBy?: string }',
      deprecationOf,
      'Set if the spec says since when it is deprecated, from which day on it may be gone, and the name of the operation that replaces it. Days begin at 00:00 UTC.',
    ],
  };
}

const credentialColumns: Readonly<Record<string, Column>> = {
  idToken: [
    'boolean',
    ({ credentials }) => credentials?.requiresIdToken ?? false,
    'True if the call carries an ID token in addition to the API key.',
  ],
  scopes: [
    'readonly Scope[]',
    ({ credentials }) => credentials?.scopes ?? [],
    'The scopes that the API key must have.',
  ],
};

const securityColumns: Readonly<Record<string, Column>> = {
  security: [
    'readonly Readonly<Record<string, readonly string[]>>[]',
    ({ security }) => security,
    'A call meets one of these: security schemes, each with its scopes. None if it is open to all.',
  ],
};

const errorColumns: Readonly<Record<string, Column>> = {
  errors: [
    'readonly ErrorCode[]',
    ({ responses }) => [...new Set(responses.flatMap(({ codes }) => codes))],
    'Every error code that the operation documents.',
  ],
};

const mediaTypeColumns: Readonly<Record<string, Column>> = {
  queryStyles: [
    'Readonly<Record<string, { readonly style: string; readonly explode: boolean }>>',
    ({ query: { parameters = [] } = {} }) =>
      Object.fromEntries(parameters.flatMap(({ name, style }) => (style ? [[name, style]] : []))),
    'How parameters of the query are written that do not have the style `form` with `explode`.',
  ],
  'baseUrl?': [
    'string',
    ({ baseUrl }) => baseUrl,
    'The base URL, if it is another one than that of the document.',
  ],
  requestTypes: [
    'readonly string[]',
    ({ body }) => typesOf(body?.contents),
    'The media types of the request. The client sends the first one.',
  ],
  responseTypes: [
    'Readonly<Record<string, readonly string[]>>',
    ({ responses }) =>
      Object.fromEntries(responses.map(({ status, contents }) => [status, typesOf(contents)])),
    'The media types of each response. The server sends the first one by default.',
  ],
};

function typesOf(contents: readonly Content[] = []): string[] {
  return contents.map(({ mediaType }) => mediaType);
}

function namesOf(parameters: readonly Parameter[] = []): string[] {
  return parameters.map(({ name }) => name);
}

function deprecationOf({ deprecation }: Operation): JsonValue | undefined {
  if (deprecation === undefined) return undefined;
  const { since, sunset, replacedBy } = deprecation;
  return { since, ...(sunset && { sunset }), ...(replacedBy && { replacedBy: replacedBy.name }) };
}

function columnTypes(columns: Readonly<Record<string, Column>>): string {
  const types = Object.entries(columns).map(([name, [type, , comment]]) => {
    const lines = comment ? jsDoc(wrap(comment), '  ') : '';
    return `${lines}  readonly ${name}: ${type};\n`;
  });
  return types.join('');
}

function operationEntry(operation: Operation, columns: Readonly<Record<string, Column>>): string {
  const values = Object.entries(columns).flatMap(([name, [, value]]) => {
    const own = value(operation);
    return own === undefined ? [] : [[name.replace('?', ''), own] as const];
  });
  const comment = operation.summary === '' ? '' : jsDoc(prose(operation.summary), '  ');
  const entry = overLines(Object.fromEntries(values), '  ');
  return `${comment}  ${propertyKey(operation.name)}: ${entry},\n`;
}

/** Returns the error catalogue: the status and the message of each code. */
export function errorsFile(errors: NonNullable<ApiModel['errors']>): string {
  const catalogue = Object.fromEntries(errors.map(({ code, ...meaning }) => [code, meaning]));
  return `${header}
/** Every error code with its HTTP status and its message (D-03). */
export const errorCatalogue = ${overLines(catalogue)} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** The stable codes of errors. */
export type ErrorCode = keyof typeof errorCatalogue;
`;
}
