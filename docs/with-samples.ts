/** What the build reads of an OpenAPI document; the rest passes through. */
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

/** A code sample as Redoc reads it from `x-codeSamples`. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * The document with the samples beside their operations. `openapi.yaml` itself stays free of them:
 * they are generated from it.
 *
 * @throws when an operation has no samples
 */
export function withSamples(
  document: Document,
  samples: Readonly<Record<string, readonly CodeSample[]>>,
): Document {
  const sampled = (operation: Operation) => {
    const codeSamples = samples[operation.operationId];
    if (!codeSamples)
      throw new Error(`No samples for ${operation.operationId}: run npm run generate`);
    return { ...withTellingExamplesFirst(operation), 'x-codeSamples': codeSamples };
  };
  return {
    ...document,
    paths: mapValues(document.paths, (operations) => mapValues(operations, sampled)),
  };
}

/**
 * Redoc shows the name of the first example above the samples, which are made from the first
 * example that is not `{}`: it goes first, that the name may fit.
 */
function withTellingExamplesFirst(operation: Operation): Operation {
  const { requestBody } = operation;
  if (requestBody === undefined) return operation;
  const content = mapValues(requestBody.content, (mediaType) => {
    if (mediaType.examples === undefined) return mediaType;
    const entries = Object.entries(mediaType.examples);
    const isTelling = ([, { value }]: (typeof entries)[number]) => Object.keys(value).length > 0;
    const examples = [...entries.filter(isTelling), ...entries.filter((each) => !isTelling(each))];
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
