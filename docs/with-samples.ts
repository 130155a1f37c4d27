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
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
}

interface MediaType {
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
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
    return { ...withNonEmptyExamplesFirst(operation), 'x-codeSamples': codeSamples };
  };
  return {
    ...document,
    paths: mapValues(document.paths, (operations) => mapValues(operations, sampled)),
  };
}

/**
 * Moves the examples that are `{}` behind the others. Redoc shows the name of the first example above
 * the samples, and the samples are made from the first example that is not `{}`.
 */
function withNonEmptyExamplesFirst(operation: Operation): Operation {
  const { requestBody } = operation;
  if (requestBody === undefined) return operation;
  const content = mapValues(requestBody.content, (mediaType) => {
    if (mediaType.examples === undefined) return mediaType;
    const entries = Object.entries(mediaType.examples);
    const isNonEmpty = ([, { value }]: (typeof entries)[number]) => Object.keys(value).length > 0;
    const examples = [
      ...entries.filter(isNonEmpty),
      ...entries.filter((each) => !isNonEmpty(each)),
    ];
    return { ...mediaType, examples: Object.fromEntries(examples) };
  });
  return { ...operation, requestBody: { ...requestBody, content } };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
