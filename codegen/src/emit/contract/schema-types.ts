import { createRequire } from 'node:module';
import type {
  astToString,
  GlobalContext,
  OpenAPI3,
  resolveRef,
  scanDiscriminators,
  transformSchema,
} from 'openapi-typescript';
import type { JsonObject } from '../../document/json.js';

// This is the only file that knows openapi-typescript, so that it can be replaced.
//
// Its parts are loaded one by one, and as CommonJS. Its entry point would also load, lint with and
// bundle with Redocly, for a document that is checked and has nothing to bundle; and importing
// `typescript` as a module makes Node read its nine megabytes once more for export names. Together
// that is 180 ms instead of 600. A test holds the output against that of the entry point.
const require = createRequire(import.meta.url);

interface Library {
  readonly transformSchema: typeof transformSchema;
  readonly scanDiscriminators: typeof scanDiscriminators;
  readonly resolveRef: typeof resolveRef;
  readonly astToString: typeof astToString;
}

/** Renders the types of a document, in this thread or another one. */
export type RenderSchemaTypes = (document: JsonObject) => string | Promise<string>;

/** A renderer that may have a thread of its own. */
export interface SchemaTypesRenderer {
  readonly render: RenderSchemaTypes;
  readonly stop: () => Promise<unknown>;
}

/** Loads openapi-typescript and the TypeScript compiler, the first time it is called. */
export function loadLibrary(): Library {
  const { scanDiscriminators, resolveRef } = require('openapi-typescript/dist/lib/utils.cjs');
  const { astToString } = require('openapi-typescript/dist/lib/ts.cjs');
  const transformSchema = require('openapi-typescript/dist/transform/index.cjs');
  return { transformSchema, scanDiscriminators, resolveRef, astToString };
}

/** The types `paths`, `components` and `operations` of a document, in the form of openapi-typescript. */
export function renderSchemaTypes(document: JsonObject): string {
  const library = loadLibrary();
  // The library writes the values of discriminators into the document it is given.
  const schema = structuredClone(document) as unknown as OpenAPI3;
  const context: Omit<GlobalContext, 'redoc'> = {
    ...defaults,
    // Otherwise a request would have to send every field that has a default.
    defaultNonNullable: false,
    discriminators: library.scanDiscriminators(schema, { silent: true }),
    injectFooter: [],
    resolve: ($ref) => library.resolveRef(schema, $ref, { silent: true }),
  };
  const types = library.transformSchema(schema, context as GlobalContext);
  return inHouseIndent(library.astToString(types)).replaceAll(remark, '');
}

/** What the library adds to the description of a discriminator; an editor would show it to partners. */
const remark = ' (enum property replaced by openapi-typescript)';

/** Every option of openapi-typescript at its default, as its entry point would set them. */
const defaults = {
  additionalProperties: false,
  alphabetize: false,
  arrayLength: false,
  conditionalEnums: false,
  dedupeEnums: false,
  emptyObjectsUnknown: false,
  enum: false,
  enumValues: false,
  excludeDeprecated: false,
  exportType: false,
  generatePathParams: false,
  immutable: false,
  makePathsEnum: false,
  pathParamsAsTypes: false,
  postTransform: undefined,
  propertiesRequiredByDefault: false,
  readWriteMarkers: false,
  rootTypes: false,
  rootTypesKeepCasing: false,
  rootTypesNoSchemaPrefix: false,
  silent: true,
  transform: undefined,
  transformProperty: undefined,
};

/** Two spaces where the TypeScript printer puts four. */
function inHouseIndent(text: string): string {
  return text.replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}
