import type { ApiModel, Operation } from '../../model/api-model.js';
import { bodyKind } from '../../openapi/media-type.js';
import { exampleCall, variableName } from '../client/example-call.js';
import { quote } from '../text/typescript.js';
import { csharpSample } from './csharp.js';
import { javaSample } from './java.js';
import { phpSample } from './php.js';
import { pythonSample } from './python.js';
import { type SampleRequest, sampleRequest } from './sample-request.js';

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

/** A body that is not JSON has no samples but with the client. */
function programsOf(operation: Operation, baseUrl: string): Sample[] {
  const typescript = { lang: 'TypeScript', source: typescriptSample(operation, baseUrl) };
  const mediaType = operation.body?.contents[0].mediaType;
  if (mediaType !== undefined && bodyKind(mediaType) !== 'json') return [typescript];
  const request = sampleRequest(operation, baseUrl);
  return [
    typescript,
    { lang: 'C#', source: csharpSample(request) },
    { lang: 'PHP', source: phpSample(request) },
    { lang: 'Python', source: pythonSample(request) },
    { lang: 'Java', source: javaSample(request) },
    { lang: 'curl', source: curlSample(request) },
  ];
}

/** Returns a program with the generated client. */
function typescriptSample(operation: Operation, baseUrl: string): string {
  const { success } = operation;
  return `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: ${quote(baseUrl)},
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

${exampleCall(operation)}
${success.record || success.type.kind === 'nothing' ? '' : `console.log(${variableName(success.type)});\n`}`;
}

/** Returns a command, one option per line. */
function curlSample({ method, url, headers, body }: SampleRequest): string {
  const options = [
    `curl --fail-with-body --location --max-redirs 0 --request ${method} ${quoteInShell(url)}`,
    ...headers.map(([name, value]) => `--header ${quoteInShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoteInShell(JSON.stringify(body, undefined, 2))}`]),
  ];
  return `${options.join(' \\\n  ')}\n`;
}

function quoteInShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
