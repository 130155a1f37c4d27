import type { Samples } from '../../codegen/src/emit/samples/samples.js';

/** The members of an OpenAPI document that the build reads; the others are copied. */
export interface Document {
  readonly info: {
    readonly title: string;
    readonly summary: string;
    readonly description?: string;
  };
  /** By path. A path has operations, and other members such as parameters. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: {
    readonly headers?: Readonly<Record<string, Header>>;
    readonly responses?: Responses;
  };
}

interface Header {
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

type Responses = Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>>;

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly responses?: Responses;
  readonly 'x-deprecated-since'?: string;
  readonly 'x-sunset'?: string;
  readonly 'x-replaced-by'?: string;
}

/**
 * Returns the document with the samples of each operation as `x-codeSamples`, which Redoc shows.
 * `openapi.yaml` itself has no samples, because they are generated from it.
 */
export function withSamples(document: Document, samples: Samples): Document {
  return mapOperations(document, (operation) => ({
    ...operation,
    'x-codeSamples': samples.get(operation.operationId),
  }));
}

/** Returns the document with each operation changed. */
export function mapOperations(
  document: Document,
  change: (operation: Operation, method: string, path: string) => Operation,
): Document {
  const paths = mapValues(document.paths, (item, path) =>
    mapValues(item, (part, method) => (isOperation(part) ? change(part, method, path) : part)),
  );
  return { ...document, paths };
}

/** Returns true for an operation, and false for another member of a path. */
export function isOperation(part: unknown): part is Operation {
  return typeof part === 'object' && part !== null && 'operationId' in part;
}

export function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value, key)]),
  );
}
