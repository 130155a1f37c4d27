import document from './generated/openapi.gen.json' with { type: 'json' };
import lines from './generated/openapi-lines.gen.json' with { type: 'json' };
import type { SpecDocument } from './spec-document.js';

/** `openapi.yaml` as a value. All its references are within it. */
// Through `unknown`, so that the compiler does not compare every value with the interface.
export const spec: SpecDocument = document as unknown as SpecDocument;

/** `openapi.yaml` as it is written. */
export const specYaml: string = lines.join('\n');

export type * from './spec-document.js';
