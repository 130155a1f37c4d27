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
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => {
        const found = samples[operation.operationId];
        if (!found)
          throw new Error(`No samples for ${operation.operationId}: run npm run generate`);
        return [method, { ...operation, 'x-codeSamples': found }];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}
