import type { Position } from '../document/sources.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';
import type { OperationObject } from '../openapi/operation-object.js';

/** Reports a mistake at a node, or at another position. */
export type Report = (place: { readonly position: Position } | Position, message: string) => void;

/**
 * Refuses something that OpenAPI allows. A requirement holds for every spec, because nothing could
 * be generated from what it refuses. A convention holds where the configuration names it.
 */
export interface Rule {
  /** The name in kebab-case, as each finding prints it. */
  readonly name: string;
  /** Reports every mistake. The document is valid OpenAPI 3.1, and every reference has a target. */
  readonly check: (api: OpenApiObject, report: Report) => void;
}

/** Creates a rule that looks at some parts of a spec, each by itself. */
export function ruleForEach<Part>(
  name: string,
  partsOf: (api: OpenApiObject) => Iterable<Part>,
  check: (part: Part, report: Report, api: OpenApiObject) => void,
): Rule {
  return {
    name,
    check(api, report) {
      for (const part of partsOf(api)) check(part, report, api);
    },
  };
}

/** Creates a rule that looks at each operation by itself. */
export function operationRule(
  name: string,
  check: (operation: OperationObject, report: Report, api: OpenApiObject) => void,
): Rule {
  return ruleForEach(name, ({ operations }) => operations, check);
}
