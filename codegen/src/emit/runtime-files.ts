import type { Layout } from '../config.js';
import type { ApiModel } from '../model/api-model.js';
import { pathBetween } from './target.js';
import { header, jsDoc } from './text/comment.js';
import { quote } from './text/typescript.js';

/** The texts of the parts that are the same for every spec. */
export interface RuntimeTexts {
  readonly caller: string;
  readonly serve: string;
  readonly readRequest: string;
  readonly readParameters: string;
  readonly mediaType: string;
}

/** The files that complete the generated folders: the parts that are the same for every spec, and entries. */
export function runtimeFiles(
  { title, baseUrl }: ApiModel,
  { folders: { contract, server, client } }: Layout,
  texts: RuntimeTexts,
): Record<string, string> {
  const [fromServer, fromClient] = [pathBetween(server, contract), pathBetween(client, contract)];
  return {
    [`${contract}/media-type.gen.ts`]: withHeader(texts.mediaType),
    [`${contract}/index.gen.ts`]: `${header}
export * from './models.gen.js';
export * from './operations.gen.js';
`,
    [`${client}/caller.gen.ts`]: withHeader(texts.caller, fromClient),
    [`${client}/index.gen.ts`]: clientEntry(title, baseUrl, fromClient),
    [`${server}/serve.gen.ts`]: withHeader(texts.serve, fromServer),
    [`${server}/read-request.gen.ts`]: withHeader(texts.readRequest, fromServer),
    [`${server}/read-parameters.gen.ts`]: withHeader(texts.readParameters, fromServer),
    [`${server}/index.gen.ts`]: serverEntry(title, baseUrl, fromServer),
  };
}

/** @param contract the path from the file's folder to that of the contract */
function withHeader(text: string, contract = '.'): string {
  const moved = text
    .replaceAll("'../src/openapi/media-type.js'", () => quote(`${contract}/media-type.gen.js`))
    .replaceAll(/'\.\/(read-[a-z]+)\.js'/g, "'./$1.gen.js'");
  return `${header}\n${moved}`;
}

function clientEntry(title: string, baseUrl: string, contract: string): string {
  return `${header}
import { operations, type SecurityScheme, securitySchemes } from ${quote(`${contract}/index.gen.js`)};
import { type ClientOptions, createCaller } from './caller.gen.js';
import { Client } from './client.gen.js';

export { type CallOptions, type ClientOptions, ResponseError } from './caller.gen.js';
export * from './client.gen.js';
export type * as contract from ${quote(`${contract}/models.gen.js`)};

${jsDoc([`Creates a client of the ${title}.`])}export function createClient(options: ClientOptions<SecurityScheme> = {}): Client {
  const baseUrl = options.baseUrl ?? ${quote(baseUrl)};
  return new Client(createCaller(operations, securitySchemes, { ...options, baseUrl }));
}
`;
}

function serverEntry(title: string, baseUrl: string, contract: string): string {
  return `${header}
import type { Router } from 'express';
import { type SecurityScheme, securitySchemes } from ${quote(`${contract}/index.gen.js`)};
import spec from ${quote(`${contract}/openapi.gen.json`)} with { type: 'json' };
import type { Handlers } from './handlers.gen.js';
import { createRouter } from './router.gen.js';
import { type ApiOptions, createInterface } from './serve.gen.js';

export type * from './handlers.gen.js';
export { Refusal } from './read-request.gen.js';
export type { ApiOptions, SecurityHandler } from './serve.gen.js';

${jsDoc([`Creates the ${title} as a part of an Express application.`])}export function createApi<Context>(
  options: ApiOptions<Handlers<Context>, Context, SecurityScheme>,
): Router {
  const { handlers } = options;
  return createInterface(
    spec,
    securitySchemes,
    ${quote(baseUrl)},
    (binding) => createRouter({ handlers, ...(binding as object) } as never),
    options,
  );
}
`;
}
