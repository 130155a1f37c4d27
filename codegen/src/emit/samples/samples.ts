import type { ApiModel, Operation } from '../../model/api-model.js';
import type { Target } from '../target.js';
import { header } from '../text/comment.js';
import { overLines, propertyKey, quote } from '../text/typescript.js';
import { csharpSample } from './csharp.js';
import { curlSample } from './curl.js';
import { javaSample } from './java.js';
import { phpSample } from './php.js';
import { pythonSample } from './python.js';
import { sampleRequest } from './sample-request.js';
import { typescriptSample } from './typescript.js';

export function samplesFile(model: ApiModel, { contract }: Target): string {
  return `${header}
import type { OperationId } from ${quote(contract)};

export interface Sample {
  readonly lang: string;
  readonly source: string;
}

/** The code samples of each operation. */
export const samples: Readonly<Record<OperationId, readonly Sample[]>> = {
${model.operations.map((operation) => operationSamples(operation, model)).join('')}};
`;
}

function operationSamples(operation: Operation, model: ApiModel): string {
  const samples = samplesOf(operation, model).map((sample) => ({ ...sample }));
  return `  ${propertyKey(operation.name)}: ${overLines(samples, '  ')},\n`;
}

interface Sample {
  /** A name of the language that Redoc highlights and shows. */
  readonly lang: string;
  readonly source: string;
}

/** Returns a program that calls an operation in each language that can write its body. */
export function samplesOf(operation: Operation, { baseUrl }: ApiModel): Sample[] {
  const typescript = { lang: 'TypeScript', source: typescriptSample(operation, baseUrl) };
  const request = sampleRequest(operation, baseUrl);
  if (request === undefined) return [typescript];
  return [
    typescript,
    { lang: 'C#', source: csharpSample(request) },
    { lang: 'PHP', source: phpSample(request) },
    { lang: 'Python', source: pythonSample(request) },
    { lang: 'Java', source: javaSample(request) },
    { lang: 'curl', source: curlSample(request) },
  ];
}
