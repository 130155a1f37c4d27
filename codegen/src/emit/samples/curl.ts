import type { SampleBody, SampleRequest } from './sample-request.js';

/** Returns a command, one option per line. */
export function curlSample({ method, url, headers, body }: SampleRequest): string {
  const options = [
    `curl --fail-with-body --request ${method} ${quote(url)}`,
    ...headers.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(body ? [dataOption(body)] : []),
  ];
  return `${options.join(' \\\n  ')}\n`;
}

/** Unlike `--data`, the other option takes a text that begins with `@`. */
function dataOption({ isJson, value }: SampleBody): string {
  if (!isJson) return `--data-raw ${quote(String(value))}`;
  return `--data ${quote(JSON.stringify(value, undefined, 2))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
