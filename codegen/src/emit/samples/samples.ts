import type { ApiModel, Operation } from '../../model/api-model.js';
import { csharpSample } from './csharp.js';
import { curlSample } from './curl.js';
import { javaSample } from './java.js';
import { phpSample } from './php.js';
import { pythonSample } from './python.js';
import { sampleRequest } from './sample-request.js';
import { typescriptSample } from './typescript.js';

/** Programs that call an operation, by the ids of operations. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

export interface Sample {
  /** A name of the language that Redoc highlights and shows. */
  readonly lang: string;
  readonly source: string;
}

/** Returns the samples of each operation, in all languages. */
export function samplesOf({ operations, baseUrl }: ApiModel): Samples {
  return new Map(operations.map((operation) => [operation.id, programsOf(operation, baseUrl)]));
}

function programsOf(operation: Operation, baseUrl: string): Sample[] {
  const request = sampleRequest(operation, baseUrl);
  return [
    { lang: 'TypeScript', source: typescriptSample(operation, baseUrl) },
    { lang: 'C#', source: csharpSample(request) },
    { lang: 'PHP', source: phpSample(request) },
    { lang: 'Python', source: pythonSample(request) },
    { lang: 'Java', source: javaSample(request) },
    { lang: 'curl', source: curlSample(request) },
  ];
}
