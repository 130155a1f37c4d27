import type { Finding } from '../document/finding.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import { closedRequestBody, jsonBodies, successResponse } from './bodies.js';
import { changes } from './changes.js';
import { clientMethod } from './client-methods.js';
import { documentedErrors, errorCodes, errorMeaning, errorResponse } from './errors.js';
import { bodyExamples, examples } from './examples.js';
import { decision, extension, unsupported } from './extensions.js';
import {
  idempotent,
  operationId,
  operationMethod,
  operationProse,
  operationTag,
} from './operations.js';
import { pagination } from './pagination.js';
import { pathParameters, pathTemplate } from './paths.js';
import type { Rule } from './rule.js';
import { portablePattern, propertyDescription, schema, schemaName } from './schemas.js';
import { scopes, securityRequirement, securitySchemes } from './security.js';
import { download, upload } from './transfers.js';

/**
 * Every rule, in the order of their subjects. A new rule goes into the file of its subject and into
 * this list.
 */
export const rules: readonly Rule[] = [
  unsupported,
  extension,
  pathTemplate,
  pathParameters,
  operationMethod,
  operationId,
  operationTag,
  operationProse,
  clientMethod,
  idempotent,
  pagination,
  changes,
  download,
  upload,
  securitySchemes,
  securityRequirement,
  scopes,
  jsonBodies,
  closedRequestBody,
  successResponse,
  documentedErrors,
  errorResponse,
  errorCodes,
  errorMeaning,
  schema,
  portablePattern,
  schemaName,
  propertyDescription,
  examples,
  bodyExamples,
  decision,
];

/** Checks the spec against every rule. */
export function checkRules(api: OpenApiObject): Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    rule.check(api, (place, message) => {
      const position = 'position' in place ? place.position : place;
      findings.push({ ...position, rule: rule.name, message });
    });
  }
  return findings;
}
