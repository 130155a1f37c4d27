import type { ApiModel, Operation } from '../../model/api-model.js';
import type { Emitter } from '../emitter.js';
import { header } from '../text/header.js';
import { propertyKey, quote, templateLiteral } from '../text/names.js';
import { curlSample } from './curl-sample.js';
import { typescriptSample } from './typescript-sample.js';

/** Code samples of every operation, for the reference documentation. */
export const samplesEmitter: Emitter = {
  folder: 'docs/generated',
  emit: (model) => new Map([['samples.gen.ts', samplesFile(model)]]),
};

function samplesFile(model: ApiModel): string {
  return `${header}
import type { OperationId } from '@adx/contract';

export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** How to call each operation. */
export const samples: Readonly<Record<OperationId, readonly Sample[]>> = {
${model.operations.map((operation) => operationSamples(operation, model)).join('')}};
`;
}

function operationSamples(operation: Operation, { baseUrl }: ApiModel): string {
  // Redoc knows languages by these names, and leaves out those it was not told of.
  const entries = [
    sample('TypeScript', typescriptSample(operation, baseUrl)),
    sample('curl', curlSample(operation, baseUrl)),
  ];
  return `  ${propertyKey(operation.id)}: [\n${entries.join('')}  ],\n`;
}

function sample(lang: string, source: string): string {
  return `    {
      lang: ${quote(lang)},
      label: ${quote(lang)},
      source: ${templateLiteral(source)},
    },
`;
}
