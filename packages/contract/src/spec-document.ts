/**
 * The specification as a value, typed as far as the service reads it. Members that are not named
 * here, extensions among them, are there too.
 */
export interface SpecDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly [key: string]: unknown;
  };
  readonly paths: Readonly<Record<string, SpecPathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SpecSchema>>;
    readonly [section: string]: unknown;
  };
  readonly [key: string]: unknown;
}

export interface SpecPathItem {
  readonly get?: SpecOperation;
  readonly post?: SpecOperation;
  readonly put?: SpecOperation;
  readonly patch?: SpecOperation;
  readonly delete?: SpecOperation;
  readonly [key: string]: unknown;
}

export interface SpecOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestBody?: SpecBody;
  readonly responses: Readonly<Record<string, SpecBody>>;
  readonly [key: string]: unknown;
}

/** A request body or a response, or a reference to one. */
export interface SpecBody {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<
    Record<string, { readonly schema?: SpecSchema; readonly [key: string]: unknown }>
  >;
  readonly [key: string]: unknown;
}

export interface SpecSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SpecSchema>>;
  readonly required?: readonly string[];
  readonly items?: SpecSchema;
  readonly oneOf?: readonly SpecSchema[];
  readonly [keyword: string]: unknown;
}
