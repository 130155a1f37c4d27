import { createRequire } from 'node:module';
import type {
  astToString,
  GlobalContext,
  OpenAPI3,
  resolveRef,
  scanDiscriminators,
  transformSchema,
} from 'openapi-typescript';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../document/json.js';

// This is the only file that knows openapi-typescript, so that it can be replaced.
//
// It loads the parts of the library one by one, as CommonJS, which takes 180 ms instead of 600. The
// entry point would also load Redocly, then lint and bundle a document that is already checked and
// has nothing to bundle; and when `typescript` is imported as a module, Node reads its nine
// megabytes once more for the names of its exports. A test compares the output with that of the
// entry point.
const require = createRequire(import.meta.url);

interface Library {
  readonly transformSchema: typeof transformSchema;
  readonly scanDiscriminators: typeof scanDiscriminators;
  readonly resolveRef: typeof resolveRef;
  readonly astToString: typeof astToString;
}

export type RenderSchemaTypes = (document: JsonObject) => string | Promise<string>;

/** Loads openapi-typescript and the TypeScript compiler, the first time it is called. */
export function loadLibrary(): Library {
  const { scanDiscriminators, resolveRef } = require('openapi-typescript/dist/lib/utils.cjs');
  const { astToString } = require('openapi-typescript/dist/lib/ts.cjs');
  const transformSchema = require('openapi-typescript/dist/transform/index.cjs');
  return { transformSchema, scanDiscriminators, resolveRef, astToString };
}

/** Writes `paths`, `components` and `operations`, as openapi-typescript does. */
export function renderSchemaTypes(document: JsonObject): string {
  const library = loadLibrary();
  // A copy, because the library writes the values of discriminators into its input.
  const schema = withoutDefinitions(document) as unknown as OpenAPI3;
  const context: Omit<GlobalContext, 'redoc'> = {
    ...defaults,
    // Otherwise a request would have to send every field that has a default.
    defaultNonNullable: false,
    discriminators: library.scanDiscriminators(schema, { silent: true }),
    injectFooter: [],
    resolve: ($ref) => library.resolveRef(schema, $ref, { silent: true }),
  };
  const types = library.transformSchema(schema, context as GlobalContext);
  return withTwoSpaces(library.astToString(types)).replaceAll(remark, '');
}

/** The library takes `$defs` for a required property. No reference leads there. */
function withoutDefinitions(value: JsonValue, holder = ''): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withoutDefinitions(item));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(
    ([name]) => name !== '$defs' || holder === 'properties',
  );
  return Object.fromEntries(
    members.map(([name, member]) => [name, withoutDefinitions(member, name)]),
  );
}

/** The library adds this to descriptions, where partners would see it. */
const remark = ' (enum property replaced by openapi-typescript)';

/** The defaults of all options of openapi-typescript, which its entry point would set. */
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

function withTwoSpaces(text: string): string {
  return text.replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}
