import { parentPort } from 'node:worker_threads';
import { loadLibrary, renderSchemaTypes } from './schema-types.js';

// Entry of the thread that `startSchemaTypesThread` starts. What is slow is loading, so that happens
// before there is anything to render.
loadLibrary();

parentPort?.on('message', (document) => {
  try {
    parentPort?.postMessage({ text: renderSchemaTypes(document) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
