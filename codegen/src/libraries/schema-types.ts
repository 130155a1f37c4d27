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
import { isJsonArray, type JsonObject, type JsonValue, objectOf } from '../document/json.js';
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
  readonly addJSDocComment: (schema: JsonValue, node: ts.Node) => void;
  readonly factory: ts.NodeFactory;
  readonly exported: ts.Modifier;
}

type Hooks = Required<Pick<OpenAPITSOptions, 'transform' | 'transformProperty'>>;

/** The names of types by those of schemas. */
type TypeNames = Readonly<Record<string, string>>;

export type RenderSchemaTypes = (
  document: JsonObject,
  names: TypeNames,
) => string | Promise<string>;

/** Loads openapi-typescript and the TypeScript compiler, the first time it is called. */
export function loadLibrary(): Library {
  const { resolveRef } = require('openapi-typescript/dist/lib/utils.cjs');
  const { astToString, addJSDocComment } = require('openapi-typescript/dist/lib/ts.cjs');
  const transformSchema = require('openapi-typescript/dist/transform/index.cjs');
  const { default: transformSchemaObject } =
    require('openapi-typescript/dist/transform/schema-object.cjs');
  const { factory, SyntaxKind } = require('typescript');
  const exported = factory.createModifier(SyntaxKind.ExportKeyword);
  const ofTypes = { astToString, addJSDocComment, factory, exported };
  return { transformSchema, transformSchemaObject, resolveRef, ...ofTypes };
}

/**
 * Writes `paths`, `components` and `operations`, as openapi-typescript does.
 *
 * @param names of schemas that have a type of their own, which editors show by its name; by default
 *   none
 */
export function renderSchemaTypes(document: JsonObject, names: TypeNames = {}): string {
  const library = loadLibrary();
  const { factory } = library;
  const typed = withTypedSchemas(document);
  const schema = typed as unknown as OpenAPI3;
  // The other options are false by default, which is how the library takes absent ones.
  const context: Partial<GlobalContext> = {
    ...hooks(library),
    // Otherwise a request would have to send every field that has a default.
    defaultNonNullable: false,
    discriminators: { objects: {}, refsHandled: [] },
    injectFooter: [],
    resolve: ($ref) => library.resolveRef(schema, $ref, { silent: true }),
  };
  const ctx = context as GlobalContext;
  const components = objectOf(typed['components']);
  const schemas = objectOf(components['schemas']);
  const aliases = Object.entries(names).map(([name, typeName]) => {
    const path = `#/components/schemas/${name}`;
    const type = library.transformSchemaObject(Object(schemas[name]), { path, ctx });
    const alias = factory.createTypeAliasDeclaration([library.exported], typeName, undefined, type);
    library.addJSDocComment(schemas[name] ?? {}, alias);
    return alias;
  });
  const named = Object.keys(names).map((name) => [name, { $ref: `#/components/schemas/${name}` }]);
  const rest = { ...components, schemas: { ...schemas, ...Object.fromEntries(named) } };
  const types = library.transformSchema({ ...schema, components: rest } as OpenAPI3, ctx);
  const text = library
    .astToString([...types, ...aliases])
    .replaceAll(/components\["schemas"\]\["([^"]+)"\]/g, (type, name) => names[name] ?? type);
  return withTwoSpaces(withPlainComments(text));
}

/**
 * Returns the types of lists, of texts with values that may be added, and of properties that every
 * JavaScript object inherits.
 */
export function hooks({ transformSchemaObject, factory }: Library): Hooks {
  return {
    transform(schema: PlainSchema, options) {
      const typeOf = (item: object | false) => transformSchemaObject(item, options);
      const values = schema?.type === 'string' ? schema['x-extensible-enum'] : undefined;
      if (isJsonArray(values)) {
        // Editors propose the values, because this is not merely `string`.
        const text = [typeOf({ type: 'string' }), factory.createTypeLiteralNode([])];
        return factory.createUnionTypeNode([
          typeOf({ enum: values }),
          factory.createIntersectionTypeNode(text),
        ]);
      }
      return schema?.type === 'array' ? arrayType(schema, typeOf, factory) : undefined;
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

interface PlainSchema {
  readonly 'x-extensible-enum'?: JsonValue;
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
  { prefixItems = [], items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: PlainSchema,
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
