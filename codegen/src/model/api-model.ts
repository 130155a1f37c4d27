import type { JsonObject, JsonValue } from '../document/json.js';

/** Everything that the emitters need from a checked spec, in the order of the document. */
export interface ApiModel {
  /** The text of `openapi.yaml`. */
  readonly sourceText: string;
  /** The same as a value. All its references are within it. */
  readonly document: JsonObject;
  readonly title: string;
  /** The base URL of a deployment, for samples, without a slash at the end. */
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
  /** Its place in the client: `client.customers.get()`. */
  readonly client: { readonly resource: string; readonly method: string };
  readonly requiresIdToken: boolean;
  readonly scopes: readonly string[];
  /** True if retrying the call does no harm. */
  readonly isIdempotent: boolean;
  readonly pathParameters: readonly PathParameter[];
  readonly body: RequestBody | undefined;
  readonly success: Success;
  readonly errors: readonly ErrorResponse[];
  /** Set if the client has a method that follows the changes of this list. */
  readonly changes: Changes | undefined;
  /** Set if the client has a method that downloads files of this list. */
  readonly download: Download | undefined;
  /** Set if the client has a method that uploads files with this operation's credentials. */
  readonly upload: { readonly method: string } | undefined;
}

export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly sample: string;
}

export interface RequestBody {
  readonly type: TypeReference;
  /** True if every field is optional, so that `{}` is a valid body. */
  readonly isOptional: boolean;
  readonly description: string;
  readonly sample: JsonValue;
}

export interface Success {
  readonly type: TypeReference;
  readonly description: string;
  /** The type of a record, if the operation is paginated. */
  readonly record: TypeReference | undefined;
}

/** A method of the client that polls a search for changes. */
export interface Changes {
  /** Its name, in the same resource as the search. */
  readonly method: string;
  /** The field of the body that holds the earliest instant to search for. */
  readonly since: string;
  /** An instant for examples. */
  readonly sample: string;
  /** The field of a record that holds the instant of its last change. */
  readonly changedOn: string;
  /** Further fields that the search needs in order to find every change, oldest first. */
  readonly with: JsonObject;
}

/** A method of the client that downloads a file of a listing. */
export interface Download {
  /** Its name, in the same resource as the list. */
  readonly method: string;
  readonly file: TypeReference;
  /** The kind of URL that every file has. */
  readonly kind: string;
}

export interface ErrorResponse {
  readonly status: number;
  /** The codes that the operation documents for this status. */
  readonly codes: readonly string[];
  /** In an `ErrorBody`, `error` is always a code; in a `TokenFailure` it can be another reason. */
  readonly schema: 'ErrorBody' | 'TokenFailure';
}

export interface Scope {
  readonly name: string;
  readonly description: string;
}

/** An error code with its status and its message, which are the same everywhere. */
export interface ErrorKind {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

export interface NamedSchema {
  readonly name: string;
  readonly description: string;
}

/** The name of a type in generated code. */
export type TypeReference =
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'array'; readonly items: TypeReference }
  /** A type without a name: the body of this operation's request or success, or its record. */
  | { readonly kind: 'requestBody' | 'successBody' | 'record'; readonly operationId: string };
