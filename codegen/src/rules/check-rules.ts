import type { Finding } from '../document/finding.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import { closedRequestBody, jsonBodies, mediaTypes, successResponse } from './bodies.js';
import { clientMethod, clientName } from './client-methods.js';
import { documentedErrors, errorCodes, errorMeaning, errorResponse } from './errors.js';
import { bodyExamples, examples } from './examples.js';
import { decision, effect, extension, plainForm, unsupported } from './extensions.js';
import {
  deprecation,
  idempotencyKey,
  idempotent,
  operationId,
  operationIdForm,
  operationMethod,
  operationProse,
  operationTag,
} from './operations.js';
import { pagination } from './pagination.js';
import { parameterForm, parameterProse, parameters } from './parameters.js';
import { pathTemplate, pathWords } from './paths.js';
import type { Rule } from './rule.js';
import {
  fileName,
  knownFormat,
  portablePattern,
  propertyDescription,
  requiredProperty,
  schema,
  schemaName,
} from './schemas.js';
import { scopes, security, securityRequirement, securitySchemes } from './security.js';

/** The rules that every spec must keep, in the order of the subjects. */
export const requirements: readonly Rule[] = [
  unsupported,
  pathTemplate,
  parameters,
  operationMethod,
  operationId,
  clientName,
  security,
  mediaTypes,
  schema,
];

/** The conventions that a configuration can name, in the order of the subjects. */
export const conventions: readonly Rule[] = [
  plainForm,
  effect,
  extension,
  pathWords,
  parameterProse,
  parameterForm,
  operationIdForm,
  operationTag,
  operationProse,
  clientMethod,
  idempotent,
  idempotencyKey,
  pagination,
  deprecation,
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
  portablePattern,
  fileName,
  knownFormat,
  schemaName,
  propertyDescription,
  requiredProperty,
  examples,
  bodyExamples,
  decision,
];

/** @param rules the conventions in force, each with the decision or guide that it rests on */
export function checkRules(api: OpenApiObject, rules: Readonly<Record<string, string>>): Finding[] {
  const inForce = conventions.filter(({ name }) => Object.hasOwn(rules, name));
  const findings: Finding[] = [];
  for (const rule of [...requirements, ...inForce]) {
    const why = rules[rule.name];
    rule.check(api, (place, message) => {
      const position = 'position' in place ? place.position : place;
      findings.push({ ...position, rule: rule.name, message, ...(why !== undefined && { why }) });
    });
  }
  return findings;
}
