import type { Sample } from './generated/samples.gen.js';

/** The members of an OpenAPI document that the build reads; the others are copied. */
export interface Document {
  readonly info: {
    readonly title: string;
    readonly summary: string;
    readonly 'x-logo'?: { readonly url: string; readonly altText: string };
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
}

/**
 * Returns the document with the samples of each operation as `x-codeSamples`, which Redoc shows.
 * `openapi.yaml` itself has no samples, because they are generated from it.
 *
 * @throws if an operation has no samples
 */
export function withSamples(
  document: Document,
  samples: Readonly<Record<string, readonly Sample[]>>,
): Document {
  const sampled = (operation: Operation) => {
    const codeSamples = samples[operation.operationId];
    if (!codeSamples)
      throw new Error(`No samples for ${operation.operationId}: run npm run generate`);
    return { ...operation, 'x-codeSamples': codeSamples };
  };
  return {
    ...document,
    paths: mapValues(document.paths, (operations) => mapValues(operations, sampled)),
  };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
