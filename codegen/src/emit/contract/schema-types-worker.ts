import { parentPort } from 'node:worker_threads';
import { loadLibrary, renderSchemaTypes } from './schema-types.js';

// The entry of the thread that `startSchemaTypesThread` starts. Loading the library is the slow
// part, so it happens before there is anything to render.
loadLibrary();

parentPort?.on('message', (document) => {
  try {
    parentPort?.postMessage({ text: renderSchemaTypes(document) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
