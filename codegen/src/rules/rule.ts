import type { Position } from '../document/spec-document.js';
import type { OpenApiObject } from '../openapi/openapi-object.js';

/** Reports something wrong at a place: a node, or a position of its own choosing. */
export type Report = (place: { readonly position: Position } | Position, message: string) => void;

/** A rule of the house: what OpenAPI allows but this interface, or the generated code, does not. */
export interface Rule {
  /** In kebab-case, as it is printed with each finding. */
  readonly name: string;
  /** Reports every offence. The document is valid OpenAPI 3.1 and its references lead somewhere. */
  readonly check: (api: OpenApiObject, report: Report) => void;
}
