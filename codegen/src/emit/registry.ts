import { clientEmitter } from './client/client.js';
import { clientModelsEmitter } from './client/client-models.js';
import { errorsEmitter } from './contract/errors.js';
import { modelsEmitter } from './contract/models.js';
import { operationsEmitter } from './contract/operations.js';
import { type RenderSchemaTypes, schemaEmitter } from './contract/schema.js';
import { specEmitter } from './contract/spec.js';
import { samplesEmitter } from './docs/samples.js';
import type { Emitter } from './emitter.js';
import { handlersEmitter } from './server/handlers.js';
import { routerEmitter } from './server/router.js';

/** Every emitter. A new one is a file below this folder and a line here. */
export function createEmitters(renderSchemaTypes: RenderSchemaTypes): readonly Emitter[] {
  return [
    // First, for it works in another thread while the rest is emitted here.
    schemaEmitter(renderSchemaTypes),
    modelsEmitter,
    operationsEmitter,
    errorsEmitter,
    specEmitter,
    handlersEmitter,
    routerEmitter,
    clientEmitter,
    clientModelsEmitter,
    samplesEmitter,
  ];
}
