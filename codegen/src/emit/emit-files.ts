import { posix } from 'node:path';
import type { Layout } from '../config.js';
import type { JsonValue } from '../document/json.js';
import type { RenderSchemaTypes } from '../libraries/schema-types.js';
import type { ApiModel } from '../model/api-model.js';
import { clientFile } from './client/client.js';
import { clientModelsFile, modelsFile } from './contract/models.js';
import { errorsFile, operationsFile } from './contract/operations.js';
import { describingFiles, type RuntimeTexts, runtimeFiles } from './runtime-files.js';
import { handlersFile } from './server/handlers.js';
import { routerFile } from './server/router.js';
import { targetOf } from './target.js';
import { header, otherHeader } from './text/comment.js';

/** Paths from the root, and the whole text of each file. */
export type FileSet = ReadonlyMap<string, string>;

export interface EmitParts {
  readonly renderSchemaTypes: RenderSchemaTypes;
  readonly runtime: RuntimeTexts;
}

/** Emits every generated file. Only the model and the layout decide what is in it. */
export async function emitFiles(
  model: ApiModel,
  layout: Layout,
  { renderSchemaTypes, runtime }: EmitParts,
): Promise<FileSet> {
  // Started first, because another thread may do it while this one emits the rest.
  const names = model.schemas.map(({ name, typeName }) => [name, typeName]);
  const schemaTypes = renderSchemaTypes(model.document, Object.fromEntries(names));
  const { contract, server, client } = layout.folders;
  const [ofServer, ofClient] = [targetOf(layout, server), targetOf(layout, client)];
  const files = {
    [`${contract}/models.gen.ts`]: modelsFile(model),
    [`${contract}/operations.gen.ts`]: operationsFile(model),
    ...(model.errors && { [`${contract}/errors.gen.ts`]: errorsFile(model.errors) }),
    [`${contract}/openapi.gen.json`]: json(model.document),
    [`${server}/handlers.gen.ts`]: handlersFile(model, ofServer),
    [`${server}/router.gen.ts`]: routerFile(model, ofServer),
    [`${client}/client.gen.ts`]: clientFile(model, ofClient),
    ...(layout.modules === undefined
      ? runtimeFiles(model, layout, runtime)
      : {
          // The handwritten parts serve, use and export them.
          ...describingFiles(layout, runtime),
          [`${contract}/openapi-lines.gen.json`]: json(model.sourceText.split('\n')),
          [`${client}/models.gen.ts`]: clientModelsFile(model, ofClient.contract),
        }),
    [`${contract}/schema.gen.ts`]: `${header}\n${await schemaTypes}`,
  };
  const texts = Object.entries(files).map(([path, text]) => [posix.normalize(path), text] as const);
  if (layout.modules !== undefined) return new Map(texts);
  return new Map(texts.map(([path, text]) => [path, text.replace(header, otherHeader)]));
}

function json(value: JsonValue): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
