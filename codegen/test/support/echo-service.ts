import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import type { JsonObject } from '../../src/document/json.js';
import { runCodegen } from './run-codegen.js';
import { emptyProject } from './temporary-repository.js';

export const json = 'application/json';
export const form = 'application/x-www-form-urlencoded';
export const object = (properties: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties,
  ...more,
});
export const taking = (schema: JsonObject, type = json) => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});

interface Call {
  readonly method: string;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

/** A refusal, or what the handler got. */
interface Answer {
  readonly status: number;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly path?: JsonObject;
  readonly query?: JsonObject;
  readonly headers?: JsonObject;
  readonly body?: unknown;
}

const open = { type: 'object', additionalProperties: true };
const responses = {
  200: { description: 'Got.', content: { 'application/json': { schema: open } } },
};

/**
 * Generates a server for a spec, and starts it. Its handlers return the request that they get.
 *
 * @param operations by method and path, such as `get /things`, without ids and responses
 */
export async function startEcho(
  operations: Readonly<Record<string, JsonObject>>,
  components: JsonObject,
  cleanUp: (remove: () => void) => void,
  security: Readonly<Record<string, (...call: readonly unknown[]) => unknown>> = {},
) {
  const paths: Record<string, Record<string, JsonObject>> = {};
  const handlers: Record<string, (request: object) => object> = {};
  const handled: object[] = [];
  for (const [index, [place, operation]] of Object.entries(operations).entries()) {
    const [method = '', path = ''] = place.split(' ');
    const operationId = `operation${index}`;
    paths[path] = { ...paths[path], [method]: { operationId, responses, ...operation } };
    handlers[operationId] = (body) => {
      handled.push(body);
      return { status: 200, body };
    };
  }
  const { root, write } = emptyProject(cleanUp);
  const info = { title: 'Echo', version: '1' };
  write('openapi.json', JSON.stringify({ openapi: '3.1.0', info, components, paths }));
  const { exitCode, stderr } = await runCodegen(root, '--spec', 'openapi.json', '--out', '.');
  if (exitCode !== 0) throw new Error(stderr);
  const { createApi } = await import(join(root, 'server/index.gen.ts'));
  const api = createApi({ handlers, security, context: () => ({}) });
  const server = createServer(express().use(api)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(() => server.close());
  const { port } = server.address() as AddressInfo;

  /** Sends a target and headers as they are, which `fetch` would change. */
  const call = async (
    target: string,
    { method = 'get', headers = [], body = '' }: Partial<Call> = {},
  ): Promise<Answer> => {
    const length = ['content-length', String(Buffer.byteLength(body))];
    const sent = send({
      ...{ port, method, path: target },
      headers: ['host', 'localhost', 'connection', 'close', ...length, ...headers],
    });
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return { ...JSON.parse(text), status: response.statusCode };
  };
  return Object.assign(call, { port, handled });
}

/** Makes a function that returns the body that a handler gets, or why the call is refused. */
export function bodiesOf(call: Awaited<ReturnType<typeof startEcho>>) {
  return async (place: string, body: string | Uint8Array, type = json): Promise<unknown> => {
    const [method = '', path = ''] = place.split(' ');
    const answer = await call(path, { method, body, headers: ['content-type', type] });
    if (answer.status === 200) return answer.body;
    return answer.errors?.map((error) => `${error.path} ${error.message}`) ?? answer.status;
  };
}
