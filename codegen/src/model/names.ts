import type { SpecNode } from '../document/spec-document.js';

/** Names that no parameter of a generated function can have (ECMAScript §12.7.2, strict mode). */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum ' +
    'eval export extends false finally for function if implements import in instanceof interface ' +
    'let new null package private protected public return static super switch this throw true try ' +
    'typeof undefined var void while with yield'
  ).split(' '),
);

/**
 * Names that generated code uses, of JavaScript and its own, and exports of contract and client.
 */
export const reservedTypes: ReadonlySet<string> = new Set(
  (
    'Array AsyncIterable AsyncIterableIterator Error Promise Record ' +
    'Caller Client ErrorBodyOf ErrorCodeOf ErrorOf Operation OperationId PaginatedOperationId RecordOf RequestBody ' +
    'Scope SuccessBody ByteStream Fetch FetchedResponse FetchInit NetworkErrorFacts NetworkFailure ' +
    'AdxError ApiError ApiErrorFacts ApiPromise ApiResponse AuthenticationError BadRequestError CallOptions ' +
    'ChangesOptions ClientOptions ConflictError Download DownloadOptions ForbiddenError ' +
    'ListedFile Logger LogLevel MethodNotAllowedError NetworkError NotFoundError NotImplementedError Page ' +
    'PageRecords PayloadTooLargeError PendingFile PendingOptions Polling Receiving RateLimitError ServerError StorageError ' +
    'TimeoutError UnauthorizedError UnavailableError UnprocessableContentError ' +
    'UnsupportedMediaTypeError Upload UploadContent UploadOutcome'
  ).split(' '),
);

/** Members that every object or class has, and `then`, which would turn it into a thenable. */
export const reservedMembers: ReadonlySet<string> = new Set(
  '__proto__ constructor hasOwnProperty isPrototypeOf prototype then toJSON toLocaleString toString valueOf'.split(
    ' ',
  ),
);

/** Returns true for a name that a variable could have, reserved words included. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Returns true for a name like `getCustomer`. */
export function isCamelCase(name: string): boolean {
  return /^[a-z][a-zA-Z0-9]*$/.test(name);
}

export function isPascalCase(name: string): boolean {
  return /^[A-Z][a-zA-Z0-9]*$/.test(name);
}

/** Turns `list-pets` into `listPets`; an identifier (ECMAScript §12.7) stays as it is. */
export function identifier(name: string): string {
  const joined = name
    .normalize()
    .replaceAll(/[^\p{ID_Continue}$]+(.)?/gu, (_, next = '') => next.toUpperCase());
  return /^[\p{ID_Start}_$]/u.test(joined) ? joined : `_${joined}`;
}

/** Turns `getCustomer` into `GetCustomer`. */
export function pascalCase(camelCase: string): string {
  return camelCase.charAt(0).toUpperCase() + camelCase.slice(1);
}

export function tagResource(operation: SpecNode): string {
  return camelCase(identifier(operation.get('tags')?.items[0]?.text ?? 'default'));
}

/** Turns `BankAccount` into `bankAccount`. */
export function camelCase(pascal: string): string {
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** Returns the class of a resource; tags can have the names of types that the client uses. */
export function className(resource: string): string {
  const name = pascalCase(resource);
  return reservedTypes.has(name) ? `${name}Resource` : name;
}
