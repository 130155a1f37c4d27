import type { ApiModel, Operation } from '../model/api-model.js';
import { exampleCall, variableName } from './client/example-call.js';
import type { Target } from './target.js';
import { header } from './text/comment.js';
import { overLines, propertyKey, quote } from './text/typescript.js';

export function samplesFile(model: ApiModel, { contract }: Target): string {
  return `${header}
import type { OperationId } from ${quote(contract)};

export interface Sample {
  readonly lang: string;
  readonly label: string;
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

/** Returns samples by the names of languages that Redoc knows; it leaves out unknown ones. */
export function samplesOf(operation: Operation, { baseUrl }: ApiModel): Sample[] {
  return [
    { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(operation, baseUrl) },
    { lang: 'curl', label: 'curl', source: curlSample(operation, baseUrl) },
  ];
}

interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Returns a curl command that calls an operation, one option per line. */
export function curlSample(operation: Operation, baseUrl: string): string {
  const { method, body, headers, credentials } = operation;
  const required = (headers?.parameters ?? []).filter(({ isRequired }) => isRequired);
  const options = [
    `curl --request ${method.toUpperCase()} ${shellQuote(baseUrl + samplePath(operation))}`,
    "--header 'x-api-key: <API_KEY>'",
    ...required.map(({ name, sample }) => `--header ${shellQuote(`${name}: ${sample}`)}`),
    ...(credentials?.requiresIdToken ? ["--header 'authorization: Bearer <ID_TOKEN>'"] : []),
    ...(body
      ? [
          "--header 'content-type: application/json'",
          `--data ${shellQuote(JSON.stringify(body.sample, undefined, 2))}`,
        ]
      : []),
  ];
  return `${options.join(' \\\n  ')}\n`;
}

/** A list is sent as one parameter for each item, as by the style `form` (OpenAPI 3.1 §4.8.12). */
function samplePath({ path, pathParameters, query }: Operation): string {
  const address = pathParameters.reduce(
    (text, { name, sample }) => text.replace(`{${name}}`, encodeURIComponent(String(sample))),
    path,
  );
  const pairs = (query?.parameters ?? []).flatMap(({ name, sample = [] }) =>
    [sample]
      .flat()
      .map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`),
  );
  return pairs.length === 0 ? address : `${address}?${pairs.join('&')}`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function typescriptSample(operation: Operation, baseUrl: string): string {
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
