import type { JsonValue } from '../document/json.js';
import type { RenderSchemaTypes } from '../libraries/schema-types.js';
import type { ApiModel } from '../model/api-model.js';
import { clientFile } from './client/client.js';
import { clientModelsFile, modelsFile } from './contract/models.js';
import { errorsFile, operationsFile } from './contract/operations.js';
import { samplesFile } from './samples.js';
import { handlersFile } from './server/handlers.js';
import { routerFile } from './server/router.js';
import { header } from './text/comment.js';

/** Paths from the root of the repository, and the whole text of each file. */
export type FileSet = ReadonlyMap<string, string>;

const contract = 'packages/contract/src/generated';
const client = 'packages/client/src/generated';
const server = 'packages/server/src/generated';
const docs = 'docs/generated';

/** Every folder that holds generated files, from the root of the repository. */
export const generatedFolders = [contract, client, server, docs];

/** Emits every generated file. Only the model decides what is in it. */
export async function emitFiles(
  model: ApiModel,
  renderSchemaTypes: RenderSchemaTypes,
): Promise<FileSet> {
  // Started first, because another thread may do it while this one emits the rest.
  const schemaTypes = renderSchemaTypes(model.document);
  const files = {
    [`${contract}/models.gen.ts`]: modelsFile(model),
    [`${contract}/operations.gen.ts`]: operationsFile(model),
    [`${contract}/errors.gen.ts`]: errorsFile(model),
    [`${contract}/openapi.gen.json`]: json(model.document),
    [`${contract}/openapi-lines.gen.json`]: json(model.sourceText.split('\n')),
    [`${server}/handlers.gen.ts`]: handlersFile(model),
    [`${server}/router.gen.ts`]: routerFile(model),
    [`${client}/client.gen.ts`]: clientFile(model),
    [`${client}/models.gen.ts`]: clientModelsFile(model),
    [`${docs}/samples.gen.ts`]: samplesFile(model),
    [`${contract}/schema.gen.ts`]: `${header}\n${await schemaTypes}`,
  };
  return new Map(Object.entries(files));
}

function json(value: JsonValue): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
