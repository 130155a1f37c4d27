import type { SampleRequest } from './sample-request.js';

/** Returns a command, one option per line. */
export function curlSample({ method, url, headers, body }: SampleRequest): string {
  const options = [
    `curl --fail-with-body --request ${method} ${quote(url)}`,
    ...headers.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quote(JSON.stringify(body, undefined, 2))}`]),
  ];
  return `${options.join(' \\\n  ')}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
