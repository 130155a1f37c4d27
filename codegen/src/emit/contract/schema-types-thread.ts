import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SchemaTypesRenderer } from './schema-types.js';

/**
 * Starts a thread that renders schema types while this one reads, checks and emits the rest.
 *
 * @param entry the bundled `schema-types-worker.ts`
 */
export function startSchemaTypesThread(entry: URL): SchemaTypesRenderer {
  const worker = new Worker(entry);
  // An idle thread must not keep the process alive; one that is rendering must.
  worker.unref();
  return {
    async render(document) {
      worker.ref();
      worker.postMessage(document);
      const [{ text, error }] = await once(worker, 'message');
      worker.unref();
      if (error) throw error;
      return text;
    },
    stop: () => worker.terminate(),
  };
}
