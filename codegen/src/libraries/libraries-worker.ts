import { parentPort } from 'node:worker_threads';
import { lint, loadLinter } from './lint.js';
import { loadLibrary, renderSchemaTypes } from './schema-types.js';

// The entry of the thread that `startLibrariesThread` starts. Loading the libraries is the slow
// part, so it happens before there is anything to do.
loadLibrary();
await loadLinter();

const functions = { renderSchemaTypes, lint } as const;

parentPort?.on('message', async ({ name, parameters }) => {
  try {
    const call: (...parameters: never[]) => unknown = functions[name as keyof typeof functions];
    parentPort?.postMessage({ result: await call(...(parameters as never[])) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
