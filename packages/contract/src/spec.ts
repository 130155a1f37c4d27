import { follow as followed } from './generated/described-request.gen.js';
import type { Part } from './generated/json.gen.js';
import document from './generated/openapi.gen.json' with { type: 'json' };
import lines from './generated/openapi-lines.gen.json' with { type: 'json' };

/**
 * The specification as a value. Only the members that the service reads are typed; the others,
 * extensions among them, are there too.
 */
export interface SpecDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly [key: string]: unknown;
  };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, SpecPathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SpecSchema>>;
    readonly [section: string]: unknown;
  };
  readonly [key: string]: unknown;
}

export interface SpecPathItem {
  readonly parameters?: readonly SpecParameter[];
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
  readonly parameters?: readonly SpecParameter[];
  readonly requestBody?: SpecBody;
  readonly responses: Readonly<Record<string, SpecBody>>;
  readonly [key: string]: unknown;
}

/** A request body or a response, or a reference to one of them. */
export interface SpecBody {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<
    Record<string, { readonly schema?: SpecSchema; readonly [key: string]: unknown }>
  >;
  readonly [key: string]: unknown;
}

/** A parameter, or a reference to one. */
export interface SpecParameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: SpecSchema;
  readonly [key: string]: unknown;
}

export interface SpecSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SpecSchema>>;
  readonly required?: readonly string[];
  readonly items?: SpecSchema;
  readonly prefixItems?: readonly SpecSchema[];
  readonly allOf?: readonly SpecSchema[];
  readonly anyOf?: readonly SpecSchema[];
  readonly oneOf?: readonly SpecSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly [keyword: string]: unknown;
}

/**
 * `openapi.yaml` as a value. All its references are within it. The type is declared, because the
 * compiler would otherwise compare every value of the document with it.
 */
export const spec: SpecDocument = document as unknown as SpecDocument;

/** `openapi.yaml` as callers get it: one file of plain OpenAPI, with shared parts written out. */
export const specYaml: string = lines.join('\n');

/** A part of the spec that may be a reference. */
interface Referable {
  readonly $ref?: string;
}

/** Returns the part of the spec at the end of all references; the value itself if it is none. */
export function follow<Value extends Referable>(value: Value): Value {
  return followed(spec, { value, path: [] } as unknown as Part).value as unknown as Value;
}
