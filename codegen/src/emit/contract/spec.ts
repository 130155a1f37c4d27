import type { ApiModel } from '../../model/api-model.js';
import { header } from '../text/comment.js';
import { overLines, templateLiteral } from '../text/typescript.js';

/** The specification itself, as a value and as text. */
export function specFile({ document, sourceText }: ApiModel): string {
  return `${header}
import type { SpecDocument } from '../spec-document.js';

/** openapi.yaml as a value. All its references are within it. */
export const spec: SpecDocument = ${overLines(document)};

/** openapi.yaml as it is written. */
export const specYaml = ${templateLiteral(sourceText)};
`;
}
