import type { JsonObject, JsonValue } from '../document/json.js';

/** Everything that the emitters need from a checked spec, in the order of the document. */
export interface ApiModel {
  readonly sourceText: string;
  /** The same as a value. All its references are within it. */
  readonly document: JsonObject;
  readonly title: string;
  /** The base URL of a deployment, for samples, without a slash at the end. */
  readonly baseUrl: string;
  readonly operations: readonly Operation[];
  readonly schemas: readonly NamedSchema[];
  readonly aliases: readonly Alias[];
  readonly securitySchemes: readonly SecurityScheme[];
  /** Set if the API key has scopes. */
  readonly scopes: readonly Scope[] | undefined;
  /** True if lists can be paginated (§4.22). */
  readonly isPaginating: boolean;
  /** Set if the spec has a catalogue of its error codes (D-03). */
  readonly errors: readonly ErrorKind[] | undefined;
}

export interface Operation {
  readonly id: string;
  /** The id as an identifier in camelCase. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The base URL, if it is another one than that of the document. */
  readonly baseUrl: string | undefined;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  /** Set if the spec says since when it is deprecated. */
  readonly deprecation: Deprecation | undefined;
  /** Its place in the client: `client.customers.get()`. */
  readonly client: { readonly resource: string; readonly method: string };
  readonly security: readonly SecurityRequirement[];
  readonly credentials: Credentials | undefined;
  readonly isIdempotent: boolean;
  /** True if the client may retry it with the same `Idempotency-Key` (D-43). */
  readonly takesIdempotencyKey: boolean;
  readonly pathParameters: readonly PathParameter[];
  readonly query: ParameterGroup | undefined;
  readonly headers: ParameterGroup | undefined;
  readonly body: RequestBody | undefined;
  readonly responses: readonly OperationResponse[];
  readonly success: Success;
  /** The pattern of the names of files in the response, which the client checks. */
  readonly fileName: string | undefined;
}

/** How a deprecated operation ends. Dates such as `2027-06-30` begin at 00:00 UTC. */
export interface Deprecation {
  readonly since: string;
  /** The first day on which it may be gone. */
  readonly sunset: string | undefined;
  /** The operation to call instead. */
  readonly replacedBy: Pick<Operation, 'name' | 'client'> | undefined;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** An API key for the software and an ID token for its user (§5). */
export interface Credentials {
  readonly requiresIdToken: boolean;
  readonly scopes: readonly string[];
}

export interface SecurityScheme {
  readonly name: string;
  readonly description: string;
  readonly place:
    | { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
    | { readonly in: 'bearer' | 'basic' | 'connection' };
}

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Set if it is not written in the style `form` with `explode` (OpenAPI 3.1 §4.8.12). */
  readonly style: { readonly style: string; readonly explode: boolean } | undefined;
  /** Undefined if no value was found that the schema allows. */
  readonly sample: JsonValue | undefined;
}

export interface PathParameter extends Parameter {
  /** Its name as a variable. */
  readonly variable: string;
  readonly type: TypeReference;
}

export interface ParameterGroup {
  readonly type: TypeReference;
  readonly parameters: readonly Parameter[];
  /** True if a call can do without any of them. */
  readonly isOptional: boolean;
}

/** A body in one of the media types that the spec allows. */
export interface Content {
  readonly mediaType: string;
  readonly type: TypeReference;
  /** The members of a form that are files; undefined if it can have none. */
  readonly files?: readonly string[] | undefined;
}

export interface RequestBody {
  /** The one that the client sends comes first. */
  readonly contents: readonly [Content, ...Content[]];
  readonly isRequired: boolean;
  /** True if the client can be called without a body: it is not required, or `{}` is valid. */
  readonly isOptional: boolean;
  readonly description: string;
  readonly sample: JsonValue;
}

export interface OperationResponse {
  /** The key under `responses`: a status such as `200`, a range such as `4XX`, or `default`. */
  readonly status: string;
  /** The headers without those that the server sets by itself. */
  readonly headers: ResponseHeaders | undefined;
  /** None for a response without a body. The one that the client prefers comes first. */
  readonly contents: readonly Content[];
  readonly codes: readonly string[];
}

export interface ResponseHeaders {
  readonly type: TypeReference;
  readonly isOptional: boolean;
}

export interface Success {
  readonly type: TypeReference;
  readonly description: string;
  /** The type of a record, if the operation is paginated. */
  readonly record: TypeReference | undefined;
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

interface NamedSchema {
  readonly name: string;
  /** Its name in generated code. */
  readonly typeName: string;
}

export interface Alias {
  readonly typeName: string;
  readonly description: string;
  readonly type: TypePath | { readonly members: readonly AliasMember[] };
}

/** The keys and indexes that lead from the type `operations` of `schema.gen.ts` to another type. */
export interface TypePath {
  readonly keys: readonly (string | number)[];
}

/** A member of a type that has only some members of another. */
interface AliasMember {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: TypePath;
}

export type TypeReference =
  /** A type of the contract: that of a schema, or an alias. */
  | { readonly kind: 'model' | 'alias'; readonly name: string }
  | { readonly kind: 'array'; readonly items: TypeReference }
  | { readonly kind: 'union'; readonly of: readonly TypeReference[] }
  | { readonly kind: 'string' | 'number' | 'boolean' | 'bytes' | 'unknown' | 'nothing' };
