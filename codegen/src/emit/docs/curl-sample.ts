import type { Operation } from '../../model/api-model.js';

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
