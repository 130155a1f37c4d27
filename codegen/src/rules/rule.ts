import type { Position } from '../document/sources.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';

/** Reports a mistake at a node, or at another position. */
export type Report = (place: { readonly position: Position } | Position, message: string) => void;

/**
 * Refuses something that OpenAPI allows. A requirement holds for every spec, because nothing could be
 * generated from what it refuses. A convention holds where the configuration names it.
 */
export interface Rule {
  /** In kebab-case, as each finding prints it. */
  readonly name: string;
  /** Reports every mistake. The document is valid OpenAPI 3.1, and every reference has a target. */
  readonly check: (api: OpenApiObject, report: Report) => void;
}
