import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Lint } from './lint.js';
import type { RenderSchemaTypes } from './schema-types.js';

/** The libraries that take long to load. Calls do not overlap. */
export interface Libraries {
  readonly renderSchemaTypes: RenderSchemaTypes;
  readonly lint: Lint;
  readonly stop: () => Promise<unknown>;
}

/** @param entry the bundled `libraries-worker.ts` */
export function startLibrariesThread(entry: URL): Libraries {
  const worker = new Worker(entry);
  // An idle thread must not keep the process alive; one that is working must.
  worker.unref();
  async function call(name: 'renderSchemaTypes' | 'lint', ...parameters: unknown[]) {
    worker.ref();
    worker.postMessage({ name, parameters });
    const [{ result, error }] = await once(worker, 'message');
    worker.unref();
    if (error) throw error;
    return result;
  }
  return {
    renderSchemaTypes: (document, names) => call('renderSchemaTypes', document, names),
    lint: (document, configPath) => call('lint', document, configPath),
    stop: () => worker.terminate(),
  };
}
