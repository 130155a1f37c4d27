import SwaggerParser from '@apidevtools/swagger-parser';
import type { Finding } from './finding.js';
import { isJsonArray, isJsonObject, parsePointer } from './json.js';
import type { SpecDocument, SpecNode } from './spec-document.js';

/** An error of ajv against the schema of OpenAPI 3.1. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const rule = 'openapi';

/** Keywords whose errors only repeat that something below them is wrong. */
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

/** Holds the document against the schema of OpenAPI 3.1 itself. References must lead somewhere. */
export async function checkStructure(document: SpecDocument): Promise<Finding[]> {
  const version = document.root.get('openapi');
  if (!/^3\.1\.\d+$/.test(version?.text ?? '')) {
    return [{ ...document.position(['openapi']), rule, message: 'This is not OpenAPI 3.1.' }];
  }
  try {
    // The parser replaces the references in the document it is given, hence the copy. Circular
    // ones stay as they are.
    await new SwaggerParser().validate('openapi.yaml', structuredClone(document.value) as never, {
      resolve: { external: false },
      dereference: { circular: 'ignore' },
    });
    return [];
  } catch (error) {
    const details = schemaErrors(error);
    if (details.length === 0) {
      const message = error instanceof Error ? error.message : String(error);
      return [{ ...document.position(['openapi']), rule, message }];
    }
    return toFindings(document, details);
  }
}

function schemaErrors(error: unknown): SchemaError[] {
  const details = error instanceof Error && 'details' in error ? error.details : undefined;
  return Array.isArray(details) ? details : [];
}

function toFindings(document: SpecDocument, errors: readonly SchemaError[]): Finding[] {
  const causes = errors.filter((error) => !wrappers.has(error.keyword) && !isKnownMistake(error));
  // A member counts as unevaluated as soon as anything in it is wrong, so such an error says
  // something new only where nothing else is wrong at or below its place.
  const telling = causes.filter(
    (error) =>
      error.keyword !== 'unevaluatedProperties' ||
      !causes.some(
        (other) =>
          other.keyword !== 'unevaluatedProperties' && isAtOrBelow(other.instancePath, error),
      ),
  );
  const shown = telling.length > 0 ? telling : causes.length > 0 ? causes : [];
  return shown.map((error) => toFinding(document, error));
}

function isAtOrBelow(pointer: string, { instancePath }: SchemaError): boolean {
  return pointer === instancePath || pointer.startsWith(`${instancePath}/`);
}

/** The schema of OpenAPI 3.1 that the parser carries misspells `description` of server variables. */
function isKnownMistake({ instancePath, params }: SchemaError): boolean {
  return (
    /^\/servers\/\d+\/variables\/[^/]+$/.test(instancePath) &&
    params.unevaluatedProperty === 'description'
  );
}

function toFinding(document: SpecDocument, error: SchemaError): Finding {
  const { unevaluatedProperty, additionalProperty } = error.params;
  const extra = unevaluatedProperty ?? additionalProperty;
  const place = followPointer(document.root, error.instancePath);
  if (typeof extra === 'string') {
    const member = place.get(extra);
    const position = member?.keyPosition ?? place.position;
    return { ...position, rule, message: `${extra} is not known to OpenAPI 3.1 here.` };
  }
  const { allowedValues } = error.params;
  const allowed = isJsonArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return {
    ...place.position,
    rule,
    message: `${place.key || 'The document'} ${error.message}${allowed}.`,
  };
}

/** Follows a pointer into the document as the parser saw it, with every reference replaced. */
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
