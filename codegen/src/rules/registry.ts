import { bodyExamples } from './body-examples.js';
import { changes } from './changes.js';
import { clientMethod } from './client-method.js';
import { closedRequestBody } from './closed-request-body.js';
import { decision } from './decision.js';
import { documentedErrors } from './documented-errors.js';
import { download } from './download.js';
import { errorCodes } from './error-codes.js';
import { errorMeaning } from './error-meaning.js';
import { errorResponse } from './error-response.js';
import { examples } from './examples.js';
import { extension } from './extension.js';
import { idempotent } from './idempotent.js';
import { jsonBodies } from './json-bodies.js';
import { operationId } from './operation-id.js';
import { operationMethod } from './operation-method.js';
import { operationProse } from './operation-prose.js';
import { operationTag } from './operation-tag.js';
import { pagination } from './pagination.js';
import { pathParameters } from './path-parameters.js';
import { pathTemplate } from './path-template.js';
import { propertyDescription } from './property-description.js';
import type { Rule } from './rule.js';
import { schema } from './schema.js';
import { schemaName } from './schema-name.js';
import { scopes } from './scopes.js';
import { securityRequirement } from './security-requirement.js';
import { securitySchemes } from './security-schemes.js';
import { successResponse } from './success-response.js';
import { unsupported } from './unsupported.js';
import { upload } from './upload.js';

/** Every rule of the house. A new rule is a file beside this one and a line here. */
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
  schemaName,
  propertyDescription,
  examples,
  bodyExamples,
  decision,
];
