import type { SpecNode } from '../document/spec-document.js';
import { type ParameterObject, readParameter } from './parameter-object.js';
import { type ResponseObject, readResponse } from './responses-object.js';

/** Components Object, OpenAPI 3.1 §4.8.7. */
export interface ComponentsObject {
  readonly schemas: readonly SpecNode[];
  readonly parameters: readonly ParameterObject[];
  readonly headers: readonly ParameterObject[];
  readonly examples: readonly SpecNode[];
  readonly responses: readonly ResponseObject[];
  readonly securitySchemes: SpecNode | undefined;
}

export function readComponents(components: SpecNode | undefined): ComponentsObject {
  const membersOf = (section: string) => components?.get(section)?.members ?? [];
  return {
    schemas: membersOf('schemas'),
    parameters: membersOf('parameters').map(readParameter),
    headers: membersOf('headers').map(readParameter),
    examples: membersOf('examples'),
    responses: membersOf('responses').map((node) => readResponse(node, '')),
    securitySchemes: components?.get('securitySchemes'),
  };
}
