import { posix } from 'node:path';
import type { Layout } from '../config.js';
import type { ApiModel } from '../model/api-model.js';
import { pathBetween } from './target.js';
import { header, jsDoc } from './text/comment.js';
import { quote } from './text/typescript.js';

/** Files that are the same for every spec, and the generated folder that has them. */
const places: Readonly<Record<string, keyof Layout['folders']>> = {
  'src/document/json.ts': 'contract',
  'src/openapi/media-type.ts': 'contract',
  'src/openapi/discriminator.ts': 'server',
  'src/openapi/schema-parts.ts': 'server',
  'runtime/described-request.ts': 'contract',
  'runtime/caller.ts': 'client',
  'runtime/serve.ts': 'server',
  'runtime/read-request.ts': 'server',
  'runtime/read-form.ts': 'server',
  'runtime/read-parameters.ts': 'server',
  'runtime/read-values.ts': 'server',
  'runtime/validator.ts': 'server',
  'runtime/fill-defaults.ts': 'server',
};

export const runtimeSources = Object.keys(places);

export type RuntimeTexts = ReadonlyMap<string, string>;

/** Returns the parts that describe requests, which the handwritten server uses too. */
export function describingFiles({ folders }: Layout, texts: RuntimeTexts): Record<string, string> {
  const names = ['json.ts', 'described-request.ts'];
  const sources = runtimeSources.filter((path) => names.includes(posix.basename(path)));
  return partFiles(sources, folders, texts);
}

export function runtimeFiles(
  { title, baseUrl, document }: ApiModel,
  { folders }: Layout,
  texts: RuntimeTexts,
): Record<string, string> {
  const { contract, server, client } = folders;
  const hasWebhooks = document['webhooks'] !== undefined;
  return {
    ...partFiles(runtimeSources, folders, texts),
    [`${contract}/index.gen.ts`]: `${header}
export * from './models.gen.js';
export * from './operations.gen.js';
${hasWebhooks ? "export type { webhooks } from './schema.gen.js';\n" : ''}`,
    [`${client}/index.gen.ts`]: clientEntry(title, baseUrl, pathBetween(client, contract)),
    [`${server}/index.gen.ts`]: serverEntry(title, baseUrl, pathBetween(server, contract)),
  };
}

/** Returns the files of parts, which import each other where they are generated. */
function partFiles(
  sources: readonly string[],
  folders: Layout['folders'],
  texts: RuntimeTexts,
): Record<string, string> {
  const folderOf = (path: string) => folders[places[path] ?? 'contract'];
  const files = sources.map((path) => {
    const importOf = (name: string) => {
      const target = runtimeSources.find((each) => posix.basename(each) === `${name}.ts`) ?? '';
      return quote(pathBetween(folderOf(path), `${folderOf(target)}/${name}.gen.js`));
    };
    const text = texts.get(path) ?? '';
    const moved = text.replaceAll(/'\.[^']*\/([a-z-]+)\.js'/g, (_, name) => importOf(name));
    const file = `${folderOf(path)}/${posix.basename(path, '.ts')}.gen.ts`;
    return [file, `${header}\n${moved}`];
  });
  return Object.fromEntries(files);
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
  return new Client(createCaller(operations, securitySchemes, options, ${quote(baseUrl)}));
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
