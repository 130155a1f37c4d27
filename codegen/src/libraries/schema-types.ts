import { createRequire } from 'node:module';
import type {
  astToString,
  GlobalContext,
  OpenAPI3,
  OpenAPITSOptions,
  resolveRef,
  TransformNodeOptions,
  transformSchema,
} from 'openapi-typescript';
import type ts from 'typescript';
import type { JsonObject } from '../document/json.js';
import { withTypedSchemas } from './typed-schemas.js';

// This file and `typed-schemas.ts` alone know openapi-typescript, so that it can be replaced.
//
// It loads the parts of the library one by one, as CommonJS, which takes 180 ms instead of 600. The
// entry point would also load Redocly, then lint and bundle a document that is already checked and
// has nothing to bundle; and when `typescript` is imported as a module, Node reads its nine
// megabytes once more for the names of its exports. A test compares the output with that of the
// entry point.
const require = createRequire(import.meta.url);

interface Library {
  readonly transformSchema: typeof transformSchema;
  readonly transformSchemaObject: (
    schema: object | false,
    options: TransformNodeOptions,
  ) => ts.TypeNode;
  readonly resolveRef: typeof resolveRef;
  readonly astToString: typeof astToString;
  readonly factory: ts.NodeFactory;
}

type Hooks = Required<Pick<OpenAPITSOptions, 'transform' | 'transformProperty'>>;

export type RenderSchemaTypes = (document: JsonObject) => string | Promise<string>;

/** Loads openapi-typescript and the TypeScript compiler, the first time it is called. */
export function loadLibrary(): Library {
  const { resolveRef } = require('openapi-typescript/dist/lib/utils.cjs');
  const { astToString } = require('openapi-typescript/dist/lib/ts.cjs');
  const transformSchema = require('openapi-typescript/dist/transform/index.cjs');
  const { default: transformSchemaObject } =
    require('openapi-typescript/dist/transform/schema-object.cjs');
  const { factory } = require('typescript');
  return { transformSchema, transformSchemaObject, resolveRef, astToString, factory };
}

/** Writes `paths`, `components` and `operations`, as openapi-typescript does. */
export function renderSchemaTypes(document: JsonObject): string {
  const library = loadLibrary();
  const schema = withTypedSchemas(document) as unknown as OpenAPI3;
  // The other options are false by default, which is how the library takes absent ones.
  const context: Partial<GlobalContext> = {
    ...hooks(library),
    // Otherwise a request would have to send every field that has a default.
    defaultNonNullable: false,
    discriminators: { objects: {}, refsHandled: [] },
    injectFooter: [],
    resolve: ($ref) => library.resolveRef(schema, $ref, { silent: true }),
  };
  const types = library.transformSchema(schema, context as GlobalContext);
  return withTwoSpaces(withPlainComments(library.astToString(types)));
}

/** Returns the types of lists, and of properties that every JavaScript object inherits. */
export function hooks({ transformSchemaObject, factory }: Library): Hooks {
  return {
    transform(schema: ArraySchema, options) {
      if (schema?.type !== 'array') return undefined;
      const typeOf = (item: object | false) => transformSchemaObject(item, options);
      return arrayType(schema, typeOf, factory);
    },
    // `{}` has a `constructor` and a `toString`, which are functions.
    transformProperty(property) {
      const { modifiers, name, questionToken, type } = property;
      const text = 'text' in name ? name.text : '';
      if (!questionToken || !type || !Object.hasOwn(Object.prototype, text)) return undefined;
      if (text.startsWith('__')) return undefined;
      const inherited = factory.createIndexedAccessTypeNode(
        factory.createTypeReferenceNode('Object'),
        factory.createLiteralTypeNode(factory.createStringLiteral(text)),
      );
      const either = factory.createUnionTypeNode([type, inherited]);
      return factory.updatePropertySignature(property, modifiers, name, questionToken, either);
    },
  };
}

interface ArraySchema {
  readonly type?: unknown;
  readonly prefixItems?: readonly object[] | undefined;
  readonly items?: object | false | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** Longer lists of a fixed length have the type of other lists. */
const longestTuple = 16;

/** Returns a tuple if items differ by their places or if their number is fixed. */
function arrayType(
  { prefixItems = [], items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: ArraySchema,
  typeOf: (item: object | false) => ts.TypeNode,
  factory: ts.NodeFactory,
): ts.TypeNode {
  const longest = items === false ? Math.min(prefixItems.length, maxItems) : maxItems;
  const isFixed = longest === 0 || (longest === minItems && longest <= longestTuple);
  const rest = factory.createArrayTypeNode(typeOf(items));
  if (prefixItems.length === 0 && !isFixed) return rest;
  const places = Math.min(prefixItems.length, longest);
  const named = Math.max(places, Math.min(minItems, longestTuple));
  const members = Array.from({ length: named }, (_, index) => {
    const type = typeOf(prefixItems[index] ?? items);
    return index < minItems ? type : factory.createOptionalTypeNode(type);
  });
  const more = longest > named ? [factory.createRestTypeNode(rest)] : [];
  return factory.createTupleTypeNode([...members, ...more]);
}

/**
 * Editors show the text of a comment, but `@description` as a tag among the others. `@enum` and
 * `@constant` say what the type says.
 */
export function withPlainComments(text: string): string {
  return text
    .replaceAll(/^ *(?:\*|\/\*\*) @(?:enum \{\S+\}|constant)(?: \*\/)?\n/gm, '')
    .replaceAll(/^( *\/\*\*(?:\n *\*)?) @description /gm, '$1 ')
    .replaceAll(/^( *\* Format: \S+)\n *\* @description /gm, '$1. ');
}

function withTwoSpaces(text: string): string {
  return text.replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}
