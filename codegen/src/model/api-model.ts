import type { JsonObject, JsonValue } from '../document/json.js';

/** Everything the emitters need to know of a checked specification, in the order it is written. */
export interface ApiModel {
  /** The text of `openapi.yaml`. */
  readonly sourceText: string;
  /** The same as a value; all its references are within it. */
  readonly document: JsonObject;
  readonly title: string;
  /** Base URL of a deployment, for samples: no slash at the end. */
  readonly baseUrl: string;
  readonly operations: readonly Operation[];
  readonly scopes: readonly Scope[];
  readonly errors: readonly ErrorKind[];
  readonly schemas: readonly NamedSchema[];
}

export interface Operation {
  readonly id: string;
  /** In lower case. */
  readonly method: string;
  /** The path template: `/customers/{customerId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  /** Where the client has it: `client.customers.get()`. */
  readonly client: { readonly resource: string; readonly method: string };
  readonly requiresIdToken: boolean;
  readonly scopes: readonly string[];
  /** Repeating the call does no harm. */
  readonly isIdempotent: boolean;
  readonly pathParameters: readonly PathParameter[];
  readonly body: RequestBody | undefined;
  readonly success: Success;
  readonly errors: readonly ErrorResponse[];
  /** Where the client follows the changes of what the operation finds. */
  readonly changes: Changes | undefined;
  /** Where the client downloads the files that the operation lists. */
  readonly download: Download | undefined;
  /** Where the client uploads files with the credentials that the operation issues. */
  readonly upload: { readonly method: string } | undefined;
}

export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly sample: string;
}

export interface RequestBody {
  readonly type: TypeReference;
  /** Every field is optional, so that `{}` is a body. */
  readonly isOptional: boolean;
  readonly description: string;
  readonly sample: JsonValue;
}

export interface Success {
  readonly type: TypeReference;
  readonly description: string;
  /** The type of a record, where the operation is paginated. */
  readonly record: TypeReference | undefined;
}

/** A method of the client that polls a search for changes. */
export interface Changes {
  /** Its name, beside that of the search. */
  readonly method: string;
  /** The field of the body that takes the instant from which on, and an instant to show. */
  readonly since: string;
  readonly sample: string;
  /** The field of a record that holds the instant of its last change. */
  readonly changedOn: string;
  /** What else the search is sent, so that it finds every change in order. */
  readonly with: JsonObject;
}

/** A method of the client that downloads a file of a listing. */
export interface Download {
  /** Its name, beside that of the list. */
  readonly method: string;
  readonly file: TypeReference;
  /** The kind of URL that a file always has. */
  readonly kind: string;
}

export interface ErrorResponse {
  readonly status: number;
  readonly description: string;
  /** The codes the operation documents under this status. */
  readonly codes: readonly string[];
  /** Whether a code is all that `error` can be: not so where it holds a reason (`TokenFailure`). */
  readonly schema: 'Error' | 'TokenFailure';
}

export interface Scope {
  readonly name: string;
  readonly description: string;
}

/** An error code with the one status and message it has everywhere. */
export interface ErrorKind {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

export interface NamedSchema {
  readonly name: string;
  readonly description: string;
}

/** A type as the generated code names it. */
export type TypeReference =
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'array'; readonly items: TypeReference }
  /** No name of its own: the body of this operation's request or success. */
  | { readonly kind: 'requestBody' | 'successBody' | 'record'; readonly operationId: string };
