import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { stringify } from 'yaml';
import { buildPrograms, type Language } from '../../test/support/languages.js';
import { runCommand } from '../../test/support/run-command.js';
import { plainConfig } from '../src/config.js';
import type { JsonObject, JsonValue } from '../src/document/json.js';
import { readDocument } from '../src/document/read-document.js';
import { samplesOf } from '../src/emit/samples/samples.js';
import { buildApiModel } from '../src/model/build-api-model.js';
import { readOpenApi } from '../src/openapi/openapi-object.js';

/** Returns the samples of operations, by their ids and languages. */
export function samplesFor(
  operations: Readonly<Record<string, JsonObject>>,
  url = 'https://example.org',
): Map<string, Map<string, string>> {
  const responses = { 200: { description: 'Done.' } };
  const paths = Object.fromEntries(
    Object.entries(operations).map(([id, { method = 'post', path = `/${id}`, ...operation }]) => [
      path,
      { [String(method)]: { operationId: id, responses, ...operation } },
    ]),
  );
  const outcome = readDocument(stringify({ openapi: '3.1.0', servers: [{ url }], paths }));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
  const model = buildApiModel(readOpenApi(outcome.value), plainConfig);
  return new Map(
    [...samplesOf(model)].map(([id, samples]) => [
      id,
      new Map(samples.map(({ lang, source }) => [lang, source])),
    ]),
  );
}

export const sending = (sample: JsonValue): JsonObject => ({
  requestBody: { required: true, content: { 'application/json': { example: sample } } },
});

const answer = '{"is":"right"}';

/**
 * Runs the samples of operations, and returns the last request of each, with what it prints unless
 * that is the answer. Requests to `/moved` are redirected to `/arrived`, and the answer of
 * `/stalled` never ends.
 *
 * @param seconds the timeout of the samples, if not theirs
 */
export async function requestsOf(
  language: Language,
  operations: Readonly<Record<string, JsonObject>>,
  seconds = '60',
): Promise<Record<string, object>> {
  let last = {};
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    const sent = await text(request);
    last = { method, url, ...(type !== '' && { type, sent: JSON.parse(sent) }) };
    if (url === '/moved') response.writeHead(302, { location: '/arrived' });
    if (url === '/stalled') response.write('{');
    else response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const samples = samplesFor(operations, `http://127.0.0.1:${port}`);
    const sources = Object.fromEntries(
      [...samples].map(([id, languages]) => [
        id,
        languages.get(language)?.replaceAll(/\b60\b/g, seconds) ?? '',
      ]),
    );
    const commandOf = await buildPrograms(language, sources, inject('runFolder'));
    const requests: Record<string, object> = {};
    for (const id of samples.keys()) {
      const [command, ...parameters] = commandOf(id);
      last = {};
      const printed = await runCommand(command, parameters).catch(String);
      requests[id] = { ...last, ...(printed.trim() !== answer && { printed }) };
    }
    return requests;
  } finally {
    server.close();
  }
}
