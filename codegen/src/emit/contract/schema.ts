import type { JsonObject } from '../../document/json.js';
import type { Emitter } from '../emitter.js';
import { header } from '../text/header.js';
import { contractFolder } from './contract-folder.js';

/** Renders the types of a document, here or in another thread. */
export type RenderSchemaTypes = (document: JsonObject) => string | Promise<string>;

/** The types of every path, operation and component. */
export function schemaEmitter(renderSchemaTypes: RenderSchemaTypes): Emitter {
  return {
    folder: contractFolder,
    async emit({ document }) {
      return new Map([['schema.gen.ts', `${header}\n${await renderSchemaTypes(document)}`]]);
    },
  };
}
