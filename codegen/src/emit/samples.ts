import type { ApiModel, Operation } from '../model/api-model.js';
import { exampleCall, resultName } from './client/example-call.js';
import { header } from './text/comment.js';
import { propertyKey, quote, templateLiteral } from './text/typescript.js';

/** Code samples of every operation, for the reference documentation. */
export function samplesFile(model: ApiModel): string {
  return `${header}
import type { OperationId } from '@adx/contract';

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
  const entries = samplesOf(operation, model).map(
    ({ lang, label, source }) => `    {
      lang: ${quote(lang)},
      label: ${quote(label)},
      source: ${templateLiteral(source)},
    },
`,
  );
  return `  ${propertyKey(operation.id)}: [\n${entries.join('')}  ],\n`;
}

/** The samples of an operation, by the names under which Redoc knows the languages; it leaves out unknown ones. */
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

/** A curl command that calls an operation, one option per line. */
export function curlSample(operation: Operation, baseUrl: string): string {
  const { method, body, requiresIdToken } = operation;
  const options = [
    `curl --request ${method.toUpperCase()} ${shellQuote(baseUrl + samplePath(operation))}`,
    "--header 'x-api-key: <API_KEY>'",
    ...(requiresIdToken ? ["--header 'authorization: Bearer <ID_TOKEN>'"] : []),
    ...(body
      ? [
          "--header 'content-type: application/json'",
          `--data ${shellQuote(JSON.stringify(body.sample, undefined, 2))}`,
        ]
      : []),
  ];
  return `${options.join(' \\\n  ')}\n`;
}

function samplePath({ path, pathParameters }: Operation): string {
  return pathParameters.reduce(
    (text, { name, sample }) => text.replace(`{${name}}`, encodeURIComponent(sample)),
    path,
  );
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A whole program that calls an operation with the client. */
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
${success.record ? '' : `console.log(${resultName(success)});\n`}`;
}
