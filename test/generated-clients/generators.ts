/** A generator of clients in TypeScript that a partner might use. */
export interface Generator {
  /** The packages to install: the generator, and what the clients that it generates need. */
  readonly packages: readonly string[];
  /** The file of `configs/` that it reads. */
  readonly config?: string;
  /** The command that generates a client. */
  readonly command: string;
  /** Options of the compiler in place of the strictest, because the client fails under these. */
  readonly relaxed?: Readonly<Record<string, boolean>>;
  /**
   * The file that starts with `// @ts-nocheck`, for which the generator has no option. The test
   * removes this line, so that the compiler checks the client like those of the other generators.
   */
  readonly unchecked?: string;
}

/** The commands with which Redocly, a dependency of this project, generates clients. */
export const redocly = {
  typeScript: 'redocly generate-client openapi.yaml --output client.ts',
  python: 'redocly generate-client openapi.yaml --generator python --output client.ts',
};

// Node 20 runs @hey-api/openapi-ts and orval, although they ask for Node 22.18. Kubb is of the 4.x
// line, because its client plugin has no later one.
/** The generators by the names of their programs in `programs/`. */
export const generators: Readonly<Record<string, Generator>> = {
  'hey-api': {
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3', 'zod@4.6.7'],
    config: 'hey-api.config.mjs',
    command: 'openapi-ts --file hey-api.config.mjs',
    // Its code for requests gives `undefined` to optional properties.
    relaxed: { exactOptionalPropertyTypes: false },
  },
  orval: {
    packages: ['orval@8.38.0', 'zod@4.6.7'],
    config: 'orval.config.mjs',
    command: 'orval --config orval.config.mjs',
  },
  kubb: {
    packages: [
      '@kubb/cli@4.39.3',
      '@kubb/core@4.39.3',
      '@kubb/plugin-client@4.39.3',
      '@kubb/plugin-oas@4.39.3',
      '@kubb/plugin-ts@4.39.3',
      '@kubb/plugin-zod@4.39.3',
      'zod@4.6.7',
    ],
    config: 'kubb.config.mjs',
    command: 'kubb generate --config kubb.config.mjs',
    // Its code for requests gives `undefined` to optional properties.
    relaxed: { exactOptionalPropertyTypes: false },
  },
  'swagger-typescript-api': {
    packages: ['swagger-typescript-api@13.13.0'],
    command: 'swagger-typescript-api generate --path openapi.yaml --output . --name client.ts',
    unchecked: 'client.ts',
  },
  'openapi-zod-client': {
    packages: ['openapi-zod-client@1.18.3'],
    command: 'openapi-zod-client openapi.yaml --output client.ts',
  },
};
