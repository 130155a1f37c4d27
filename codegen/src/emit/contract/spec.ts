import type { ApiModel } from '../../model/api-model.js';
import type { Emitter } from '../emitter.js';
import { header } from '../text/header.js';
import { overLines } from '../text/literal.js';
import { templateLiteral } from '../text/names.js';
import { contractFolder } from './contract-folder.js';

/** The specification itself, as a value and as text. */
export const specEmitter: Emitter = {
  folder: contractFolder,
  emit: (model) => new Map([['spec.gen.ts', specFile(model)]]),
};

function specFile({ document, sourceText }: ApiModel): string {
  return `${header}
import type { SpecDocument } from '../spec-document.js';

/** openapi.yaml as a value. All its references are within it. */
export const spec: SpecDocument = ${overLines(document)};

/** openapi.yaml as it is written. */
export const specYaml = ${templateLiteral(sourceText)};
`;
}
