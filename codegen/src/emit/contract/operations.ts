import type { JsonValue } from '../../document/json.js';
import type {
  ApiModel,
  Operation,
  Parameter,
  Scope,
  SecurityScheme,
} from '../../model/api-model.js';
import { header, jsDoc, prose, wrap } from '../text/comment.js';
import { literal, overLines, propertyKey, quote } from '../text/typescript.js';

/** The operation table, and the scopes if there are any, as values with literal types. */
export function operationsFile(model: ApiModel): string {
  const { operations, scopes, errors, isPaginating } = model;
  const columns = columnsOf(model);
  const paginated = operations.filter(({ success }) => success.record).map(({ name }) => name);
  return `${header}
${errors ? "import type { ErrorCode } from './errors.gen.js';\n\n" : ''}/** The properties of an operation, apart from its types. */
export interface Operation {
${columns.map(columnType).join('')}}
${scopes ? scopesTable(scopes) : schemesTable(model.securitySchemes)}
/** Every operation of the interface, in the order of the spec. */
export const operations = {
${operations.map((operation) => operationEntry(operation, columns)).join('')}} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof operations;
${isPaginating ? paginatedType(paginated) : ''}`;
}

function scopesTable(scopes: readonly Scope[]): string {
  const entries = scopes.map(
    ({ name, description }) => `  ${propertyKey(name)}: ${quote(description)},\n`,
  );
  return `
/** Every scope that an API key can have, with its description. */
export const scopes = {
${entries.join('')}} as const;

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

/** A property of operations in the table. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly comment?: string;
  /** True if operations can do without it. */
  readonly isOptional?: boolean;
  readonly value: (operation: Operation) => JsonValue | undefined;
}

function columnType({ name, type, comment, isOptional = false }: Column): string {
  const lines = comment ? jsDoc(wrap(comment), '  ') : '';
  return `${lines}  readonly ${name}${isOptional ? '?' : ''}: ${type};\n`;
}

/** In an interface with conventions, what they make the same for all operations is left out. */
function columnsOf({ scopes, errors, isPaginating }: ApiModel): Column[] {
  return [
    { name: 'operationId', type: 'string', value: ({ id }) => id },
    {
      name: 'method',
      type: "'get' | 'post' | 'put' | 'patch' | 'delete'",
      value: ({ method }) => method,
    },
    {
      name: 'path',
      type: 'string',
      comment: 'The path below the base URL, with parameters in braces.',
      value: ({ path }) => path,
    },
    {
      name: 'client',
      type: '{ readonly resource: string; readonly method: string }',
      comment: 'Its place in the client: `client.resource.method()`.',
      value: ({ client }) => client,
    },
    ...(scopes ? credentialColumns : securityColumns),
    {
      name: 'idempotent',
      type: 'boolean',
      comment: 'True if retrying the call does no harm.',
      value: ({ isIdempotent }) => isIdempotent,
    },
    ...(isPaginating
      ? [
          {
            name: 'paginated',
            type: 'boolean',
            value: ({ success }: Operation) => success.record !== undefined,
          },
        ]
      : []),
    {
      name: 'body',
      type: "'none' | 'optional' | 'required'",
      value: ({ body }) => (body ? (body.isRequired ? 'required' : 'optional') : 'none'),
    },
    {
      name: 'pathParameters',
      type: 'readonly string[]',
      comment: 'In the order of the path.',
      value: ({ pathParameters }) => namesOf(pathParameters),
    },
    {
      name: 'queryParameters',
      type: 'readonly string[]',
      value: ({ query }) => namesOf(query?.parameters ?? []),
    },
    {
      name: 'headerParameters',
      type: 'readonly string[]',
      value: ({ headers }) => namesOf(headers?.parameters ?? []),
    },
    ...(errors ? errorColumns : mediaTypeColumns),
    {
      name: 'deprecation',
      type: '{ readonly since: string; readonly sunset?: string; readonly replacedBy?: string }',
      comment:
        'Set if the spec says since when it is deprecated, from which day on it may be gone, and the name of the operation that replaces it. Days begin at 00:00 UTC.',
      isOptional: true,
      value: deprecationOf,
    },
  ];
}

const credentialColumns: readonly Column[] = [
  {
    name: 'idToken',
    type: 'boolean',
    comment: 'True if the call carries an ID token in addition to the API key.',
    value: ({ credentials }) => credentials?.requiresIdToken ?? false,
  },
  {
    name: 'scopes',
    type: 'readonly Scope[]',
    comment: 'The scopes that the API key must have.',
    value: ({ credentials }) => credentials?.scopes ?? [],
  },
];

const securityColumns: readonly Column[] = [
  {
    name: 'security',
    type: 'readonly Readonly<Record<string, readonly string[]>>[]',
    comment:
      'A call meets one of these: security schemes, each with its scopes. None if it is open to all.',
    value: ({ security }) => security,
  },
];

const errorColumns: readonly Column[] = [
  {
    name: 'errors',
    type: 'readonly ErrorCode[]',
    comment: 'Every error code that the operation documents.',
    value: ({ responses }) => [...new Set(responses.flatMap(({ codes }) => codes))],
  },
];

const mediaTypeColumns: readonly Column[] = [
  {
    name: 'queryStyles',
    type: 'Readonly<Record<string, { readonly style: string; readonly explode: boolean }>>',
    comment:
      'How parameters of the query are written that do not have the style `form` with `explode`.',
    value: ({ query }) =>
      Object.fromEntries(
        (query?.parameters ?? []).flatMap(({ name, style }) => (style ? [[name, style]] : [])),
      ),
  },
  {
    name: 'requestTypes',
    type: 'readonly string[]',
    comment: 'The media types of the request. The client sends the first one.',
    value: ({ body }) => (body?.contents ?? []).map(({ mediaType }) => mediaType),
  },
  {
    name: 'responseTypes',
    type: 'Readonly<Record<string, readonly string[]>>',
    comment: 'The media types of each response. The server sends the first one by default.',
    value: ({ responses }) =>
      Object.fromEntries(
        responses.map(({ status, contents }) => [
          status,
          contents.map(({ mediaType }) => mediaType),
        ]),
      ),
  },
];

function namesOf(parameters: readonly Parameter[]): string[] {
  return parameters.map(({ name }) => name);
}

function deprecationOf({ deprecation }: Operation): JsonValue | undefined {
  if (deprecation === undefined) return undefined;
  const { since, sunset, replacedBy } = deprecation;
  return { since, ...(sunset && { sunset }), ...(replacedBy && { replacedBy: replacedBy.name }) };
}

function operationEntry(operation: Operation, columns: readonly Column[]): string {
  const entry = Object.fromEntries(
    columns.flatMap((column) => {
      const value = column.value(operation);
      return value === undefined ? [] : [[column.name, value] as const];
    }),
  );
  const comment = operation.summary === '' ? '' : jsDoc(prose(operation.summary), '  ');
  return `${comment}  ${propertyKey(operation.name)}: ${overLines(entry, '  ')},\n`;
}

/** The error catalogue: the status and the message of each code. */
export function errorsFile(errors: NonNullable<ApiModel['errors']>): string {
  const entries = errors.map(
    ({ code, ...meaning }) =>
      `  ${propertyKey(code)}: ${literal(meaning, '  ', propertyKey(code).length + 2)},\n`,
  );
  return `${header}
/** Every error code with its HTTP status and its message (D-03). */
export const errorCatalogue = {
${entries.join('')}} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** The stable codes of errors. */
export type ErrorCode = keyof typeof errorCatalogue;
`;
}
